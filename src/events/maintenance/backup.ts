/** Backups of an events store: created, opened and verified. */
import { BackupRefusedError } from "../../database/backup/backup-format.ts";
import {
  openBackup,
  type BackupExaminer,
  type OpenBackup,
} from "../../database/backup/open-backup.ts";
import { placeFile } from "../../database/backup/place-file.ts";
import { writeBackup, type BackupOrigin } from "../../database/backup/write-backup.ts";
import type { Database } from "../../database/database.ts";
import type { SealedKey } from "../../identity/seal-key.ts";
import { EVENT_COLUMNS, eventToRow, rowToEvent, type EventRow } from "../sql/event-rows.ts";
import { migrateEvents } from "../sql/open-sql-events-store.ts";
import { EVENTS_REALM } from "../store.ts";
import { EVENTS_BACKUP, type EventsBackupManifest, type EventsTableName } from "./backup-format.ts";
import { countEvents } from "./read-status.ts";

export interface EventsBackupOptions extends BackupOrigin {
  readonly instanceKey: SealedKey | null;
}

/** Runs beside other writers, and verifies the file before it gets its name. `path` must not exist. */
export function createEventsBackup(
  database: Database,
  path: string,
  { instanceKey, ...origin }: EventsBackupOptions,
): Promise<EventsBackupManifest> {
  return placeFile(path, async (draft) => {
    await writeBackup(database, draft, EVENTS_BACKUP, origin, { instanceKey });
    return verifyEventsBackup(draft);
  });
}

export type OpenEventsBackup = OpenBackup<EventsBackupManifest>;

/** Throws a BackupRefusedError when the file is not a consistent backup. */
export function openEventsBackup(path: string): Promise<OpenEventsBackup> {
  return openBackup(path, EXAMINER);
}

export async function verifyEventsBackup(path: string): Promise<EventsBackupManifest> {
  const backup = await openEventsBackup(path);
  await backup.close();
  return backup.manifest;
}

const EXAMINER: BackupExaminer<EventsTableName, EventsBackupManifest> = {
  format: EVENTS_BACKUP,
  migrate: migrateEvents,
  async examine(contents, { header, trailer, fileBytes }) {
    const error = await findInconsistency(contents);
    if (error !== null) throw new BackupRefusedError(`It is not sound: ${error}`);
    const accounts = await contents.query<{ username: string }>(
      "SELECT username FROM identity_accounts ORDER BY created_at, account_id",
    );
    return {
      createdAt: header.createdAt,
      product: header.product,
      instanceKey: header["instanceKey"] as SealedKey | null,
      counts: trailer.counts,
      sha256: trailer.sha256,
      fileBytes,
      usernames: accounts.map(({ username }) => username),
      events: await countEvents(contents),
    };
  },
};

/** A store is inconsistent when one of these queries finds a row. */
const CHECKS: readonly { readonly reason: string; readonly sql: string }[] = [
  {
    reason: "it has an account of another service",
    sql: `SELECT 1 AS one FROM identity_accounts WHERE realm <> '${EVENTS_REALM}' LIMIT 1`,
  },
  {
    reason: "an event has no source",
    sql: `SELECT 1 AS one FROM events_entries e
      LEFT JOIN events_sources s ON s.source_id = e.source_id AND s.account_id = e.account_id
      WHERE e.deleted_at IS NULL AND s.source_id IS NULL LIMIT 1`,
  },
  {
    reason: "a subscription is not of the account that its source is of",
    sql: `SELECT 1 AS one FROM events_subscriptions f JOIN events_sources s
        ON s.source_id = f.source_id
      WHERE s.account_id <> f.account_id OR s.kind <> 'subscription' LIMIT 1`,
  },
  {
    reason: "the counter of an account does not fit its events",
    sql: `SELECT 1 AS one FROM (
        SELECT account_id, max(updated_at) AS last_stamp, count(*) - count(deleted_at) AS live_count
        FROM events_entries GROUP BY account_id
      ) AS e LEFT JOIN events_counters c ON c.account_id = e.account_id
      WHERE c.account_id IS NULL OR c.last_stamp < e.last_stamp OR c.live_count <> e.live_count
      LIMIT 1`,
  },
  {
    reason: "the counter of an account counts events that are not there",
    sql: `SELECT 1 AS one FROM events_counters c WHERE c.live_count <> 0 AND NOT EXISTS
        (SELECT 1 FROM events_entries e WHERE e.account_id = c.account_id) LIMIT 1`,
  },
];

async function findInconsistency(database: Database): Promise<string | null> {
  for (const { reason, sql } of CHECKS) {
    if ((await database.query(sql)).length > 0) return reason;
  }
  const rows = database.stream<EventRow>(`SELECT ${EVENT_COLUMNS} FROM events_entries e`);
  for await (const row of rows) {
    if (!isCanonical(row)) return "an event is not written as apps get it";
  }
  return null;
}

function isCanonical(row: EventRow): boolean {
  try {
    const written = eventToRow(rowToEvent(row));
    return written.wire === row.wire && written.date_at === row.date_at;
  } catch {
    return false;
  }
}
