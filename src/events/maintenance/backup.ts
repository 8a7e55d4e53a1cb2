/** The backup of an events store: its format, and how its contents are verified. */
import {
  BackupRefusedError,
  type BackupFormat,
  type BackupManifest,
} from "../../backup/format/backup-format.ts";
import type { BackupExaminer } from "../../backup/format/open-backup.ts";
import type { Database } from "../../database/database.ts";
import { accountsTable, passkeysTable } from "../../identity/sql-identity-records.ts";
import {
  EVENT_COLUMN_TYPES,
  EVENT_COLUMNS,
  eventToRow,
  rowToEvent,
  type EventRow,
} from "../sql/event-rows.ts";
import { migrateEvents } from "../sql/open-sql-events-store.ts";
import { EVENTS_REALM } from "../store.ts";
import { countEvents, type EventCounts } from "./read-status.ts";

export type EventsTableName =
  | "identity_accounts"
  | "identity_passkeys"
  | "events_profiles"
  | "events_sources"
  | "events_subscriptions"
  | "events_grants"
  | "events_counters"
  | "events_entries";

/** A backup has no sessions, interactions, challenges, codes or counters: they expire or must stay gone. */
export const EVENTS_BACKUP: BackupFormat<EventsTableName> = {
  name: "trellis-events-backup",
  version: 3,
  firstVersion: 3,
  owner: "an events service",
  tables: [
    accountsTable(EVENTS_REALM),
    passkeysTable(EVENTS_REALM),
    {
      name: "events_profiles",
      columns: { account_id: "text", time_zone: "text", language: "text" },
      nullable: ["language"],
    },
    {
      name: "events_sources",
      columns: {
        source_id: "text",
        account_id: "text",
        kind: "text",
        name: "text",
        created_at: "integer",
      },
    },
    {
      name: "events_subscriptions",
      columns: {
        source_id: "text",
        account_id: "text",
        name: "text",
        sealed_url: "text",
        url_hash: "text",
        default_type: "text",
        rules: "text",
        created_at: "integer",
        etag: "text",
        last_modified: "text",
        last_fetched_at: "integer",
        last_succeeded_at: "integer",
        last_error: "text",
        warning: "text",
        next_fetch_at: "integer",
        failures: "integer",
        entry_count: "integer",
        report: "text",
      },
      nullable: [
        "etag",
        "last_modified",
        "last_fetched_at",
        "last_succeeded_at",
        "last_error",
        "warning",
        "entry_count",
        "report",
      ],
    },
    {
      name: "events_grants",
      columns: {
        grant_id: "text",
        account_id: "text",
        client_id: "text",
        scope: "text",
        token_hash: "text",
        created_at: "integer",
        last_used_at: "integer",
        idle_expires_at: "integer",
        absolute_expires_at: "integer",
      },
    },
    {
      name: "events_counters",
      columns: { account_id: "text", last_stamp: "integer", live_count: "integer" },
    },
    {
      name: "events_entries",
      columns: { account_id: "text", ...EVENT_COLUMN_TYPES },
      nullable: ["date_at", "deleted_at"],
    },
  ],
  facts: {},
  factsOf: () => ({}),
};

export interface EventsBackupManifest extends BackupManifest<EventsTableName> {
  readonly usernames: readonly string[];
  readonly events: EventCounts;
}

export const EVENTS_EXAMINER: BackupExaminer<EventsTableName, EventsBackupManifest> = {
  format: EVENTS_BACKUP,
  migrate: migrateEvents,
  async examine(contents, { manifest }) {
    const error = await findInconsistency(contents);
    if (error !== null) throw new BackupRefusedError(`It is not valid: ${error}`);
    const accounts = await contents.query<{ username: string }>(
      "SELECT username FROM identity_accounts WHERE instance = $instance ORDER BY created_at, account_id",
    );
    return {
      ...manifest,
      usernames: accounts.map(({ username }) => username),
      events: await countEvents(contents),
    };
  },
};

/** A store is inconsistent when one of these queries finds a row. */
const CHECKS: readonly { readonly reason: string; readonly sql: string }[] = [
  {
    reason: "it has an account of another service",
    sql: `SELECT 1 AS one FROM identity_accounts
      WHERE instance = $instance AND realm <> '${EVENTS_REALM}' LIMIT 1`,
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
