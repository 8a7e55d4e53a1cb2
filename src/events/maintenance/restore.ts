/**
 * Restores the accounts of a backup into a store, in one transaction.
 *
 * Every restored event gets a new stamp, and events that only the store has become tombstones, so that
 * apps which follow the changes end up with the restored events. An account that the store has keeps
 * its password, passkeys and grants: a changed password stays changed, a revoked app stays revoked. Accounts
 * that only the store has are not changed.
 */
import { BackupRefusedError, type BackupRow } from "../../backup/format/backup-format.ts";
import { loadRows, streamRows } from "../../backup/format/table-rows.ts";
import type { Database, Queryable, Transaction } from "../../database/database.ts";
import { unbindInstanceKey } from "../../identity/bind-instance-key.ts";
import { moveSessionEpoch } from "../../identity/session-epoch.ts";
import {
  BATCH_ROWS,
  EVENT_COLUMNS,
  putCounter,
  putEvents,
  readCounter,
  readPresent,
  rowToEvent,
  type EventRow,
} from "../sql/event-rows.ts";
import type { SqlEventsStore } from "../sql/open-sql-events-store.ts";
import { EVENTS_REALM, type StoredEvent } from "../store.ts";
import { EVENTS_BACKUP, type EventsTableName } from "./backup.ts";

export interface EventsRestoreResult {
  /** Accounts that the store did not have, restored with passwords and grants. */
  readonly addedAccounts: number;
  /** Accounts that the store had, whose events were replaced. */
  readonly replacedAccounts: number;
  /** Events that only the store had. */
  readonly deletedEvents: number;
}

/** `contents` are those of an open backup. */
export async function restoreEventsContents(
  { database, highWater }: Pick<SqlEventsStore, "database" | "highWater">,
  contents: Database,
  now: number,
): Promise<EventsRestoreResult> {
  const { epoch, ...result } = await database.transaction(async (tx) => {
    const present = await readAccounts(tx);
    const restored = await readAccounts(contents);
    expectNoNamesakes(present, restored);
    const epoch = await endSessions(tx);
    // Addresses of feeds come from the backup, and may be sealed under a key that was replaced since.
    await unbindInstanceKey(tx, EVENTS_REALM);
    const ids = [...restored.keys()];
    for (const accountId of ids) await clearAccount(tx, accountId);
    await loadRows(tx, restoredRows(contents, new Set(present.keys())), () => true);
    let deletedEvents = 0;
    for (const accountId of ids) {
      deletedEvents += await restoreEvents(tx, contents, accountId, now);
    }
    const replacedAccounts = ids.filter((accountId) => present.has(accountId)).length;
    const addedAccounts = ids.length - replacedAccounts;
    return { epoch, addedAccounts, replacedAccounts, deletedEvents };
  });
  highWater.writeSessionEpoch(epoch);
  return result;
}

async function readAccounts(store: Queryable): Promise<Map<string, string>> {
  const rows = await store.query<{ account_id: string; username: string }>(
    "SELECT account_id, username FROM identity_accounts WHERE instance = $instance AND realm = $1",
    [EVENTS_REALM],
  );
  return new Map(rows.map((row) => [row.account_id, row.username]));
}

/** Verifiers and URLs are sealed for one account id, so two accounts cannot be merged. */
function expectNoNamesakes(
  present: ReadonlyMap<string, string>,
  restored: ReadonlyMap<string, string>,
): void {
  const idsByName = new Map([...present].map(([accountId, username]) => [username, accountId]));
  for (const [accountId, username] of restored) {
    if ((idsByName.get(username) ?? accountId) === accountId) continue;
    throw new BackupRefusedError(
      `The store has another account that is called "${username}": restore into an empty store`,
    );
  }
}

/** Returns the session epoch from then on. */
async function endSessions(tx: Queryable): Promise<number> {
  await tx.query("DELETE FROM events_sessions");
  await tx.query("DELETE FROM events_interactions");
  await tx.query("DELETE FROM identity_challenges WHERE instance = $instance AND realm = $1", [
    EVENTS_REALM,
  ]);
  return moveSessionEpoch(tx, EVENTS_REALM);
}

/** Keeps the events, from which the tombstones are made. */
async function clearAccount(tx: Transaction, accountId: string): Promise<void> {
  await tx.query("DELETE FROM events_profiles WHERE account_id = $1", [accountId]);
  // Subscriptions are deleted with their sources.
  await tx.query("DELETE FROM events_sources WHERE account_id = $1", [accountId]);
}

const KEPT: ReadonlySet<EventsTableName> = new Set([
  "identity_accounts",
  "identity_passkeys",
  "events_grants",
]);

/** All rows but events and their counters. */
async function* restoredRows(
  contents: Database,
  present: ReadonlySet<string>,
): AsyncGenerator<BackupRow<EventsTableName>> {
  const tables = EVENTS_BACKUP.tables.filter(
    ({ name }) => name !== "events_entries" && name !== "events_counters",
  );
  for await (const row of streamRows(contents, tables)) {
    const { name } = row.table;
    if (KEPT.has(name) && present.has(String(valueOf(row, "account_id")))) continue;
    yield name === "events_subscriptions" ? withoutValidators(row) : row;
  }
}

/** The feed may have changed since the backup, so the next fetch must not be conditional. */
function withoutValidators(row: BackupRow<EventsTableName>): BackupRow<EventsTableName> {
  const columns = Object.keys(row.table.columns);
  const values = row.values.map((value, index) =>
    ["etag", "last_modified"].includes(columns[index] ?? "") ? null : value,
  );
  return { ...row, values };
}

function valueOf({ table, values }: BackupRow, column: string): string | number | null {
  return values[Object.keys(table.columns).indexOf(column)] ?? null;
}

/** Writes the tombstones first, then the events of the backup in their order. Returns how many tombstones. */
async function restoreEvents(
  tx: Queryable,
  contents: Database,
  accountId: string,
  now: number,
): Promise<number> {
  const { lastStamp: presentStamp } = await readCounter(tx, accountId);
  const { lastStamp: restoredStamp, liveCount } = await readCounter(contents, accountId);
  let stamp = Math.max(now - 1, presentStamp, restoredStamp);
  const writeAll = async (events: readonly StoredEvent[]) =>
    putEvents(
      tx,
      accountId,
      events.map((event) => ({ ...event, updatedAt: ++stamp })),
    );
  let deleted = 0;
  for await (const batch of liveBatches(tx, accountId, presentStamp)) {
    const ids = new Set(batch.map(({ eventId }) => eventId));
    const kept = await readPresent(contents, accountId, ids);
    const gone = batch.filter(({ eventId }) => !kept.has(eventId));
    await writeAll(gone.map((event) => ({ ...event, deletedAt: now, missing: 0 })));
    deleted += gone.length;
  }
  let batch: StoredEvent[] = [];
  const rows = contents.stream<EventRow>(
    `SELECT ${EVENT_COLUMNS} FROM events_entries e WHERE e.account_id = $1 ORDER BY e.updated_at`,
    [accountId],
  );
  for await (const row of rows) {
    batch.push(rowToEvent(row));
    if (batch.length < BATCH_ROWS) continue;
    await writeAll(batch);
    batch = [];
  }
  await writeAll(batch);
  await putCounter(tx, accountId, stamp, liveCount);
  return deleted;
}

/** Live events of the store by stamp, up to `lastStamp`: tombstones get greater ones. */
async function* liveBatches(
  tx: Queryable,
  accountId: string,
  lastStamp: number,
): AsyncGenerator<StoredEvent[]> {
  for (let after = -1; ;) {
    const rows = await tx.query<EventRow>(
      `SELECT ${EVENT_COLUMNS} FROM events_entries e
       WHERE e.account_id = $1 AND e.updated_at > $2 AND e.updated_at <= $3
         AND e.deleted_at IS NULL ORDER BY e.updated_at LIMIT $4`,
      [accountId, after, lastStamp, BATCH_ROWS],
    );
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map(rowToEvent);
    after = last.updated_at;
  }
}
