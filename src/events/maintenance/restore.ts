/**
 * Puts what accounts have in a backup in the place of what they have in a store, whole or not at all.
 *
 * Every event gets a new stamp, and what the store has beyond the backup becomes a tombstone: so apps
 * that follow the changes read everything again, and none stays with something that is no longer
 * there. Passwords and connected apps are not turned back in time: an account that the store has
 * keeps its own, so that a changed password stays changed and a revoked app stays revoked. Accounts
 * that only the store has are left alone.
 */
import { BackupRefusedError, type BackupRow } from "../../database/backup/backup-format.ts";
import { loadRows, streamRows } from "../../database/backup/table-rows.ts";
import type { Database, Queryable, Transaction } from "../../database/database.ts";
import { EVENTS_REALM } from "../realm.ts";
import { EVENTS_TABLES, type EventsTableName } from "./backup-format.ts";
import { restoreEntries } from "./restore-entries.ts";

export interface RestoreOptions {
  readonly now: number;
  /** Whether a store that has accounts already may be changed. */
  readonly mayReplace: boolean;
}

export interface RestoreResult {
  /** Accounts that the store did not have: they come with their passwords and their apps. */
  readonly addedAccounts: number;
  /** Accounts that it had: their events were replaced. */
  readonly replacedAccounts: number;
  /** Events that the store had beyond the backup. */
  readonly deletedEvents: number;
}

/** The store has accounts, and nobody said that they may be changed. */
export class StoreNotEmptyError extends Error {
  constructor() {
    super("The store has accounts already: say that their events may be replaced");
    this.name = "StoreNotEmptyError";
  }
}

/** `contents` are those of an open backup. */
export function restoreEvents(
  database: Database,
  contents: Database,
  { now, mayReplace }: RestoreOptions,
): Promise<RestoreResult> {
  return database.transaction(async (tx) => {
    const present = await readAccounts(tx);
    if (present.size > 0 && !mayReplace) throw new StoreNotEmptyError();
    const restored = await readAccounts(contents);
    expectNoNamesakes(present, restored);
    await forgetVisitors(tx);
    const ids = [...restored.keys()];
    for (const accountId of ids) await clearAccount(tx, accountId);
    await loadRows(tx, restoredRows(contents, new Set(present.keys())), () => true);
    let deletedEvents = 0;
    for (const accountId of ids) {
      deletedEvents += await restoreEntries(tx, contents, accountId, now);
    }
    const replacedAccounts = ids.filter((accountId) => present.has(accountId)).length;
    return { addedAccounts: ids.length - replacedAccounts, replacedAccounts, deletedEvents };
  });
}

async function readAccounts(store: Queryable): Promise<Map<string, string>> {
  const rows = await store.query<{ account_id: string; username: string }>(
    "SELECT account_id, username FROM identity_accounts WHERE realm = $1",
    [EVENTS_REALM],
  );
  return new Map(rows.map((row) => [row.account_id, row.username]));
}

/** What is sealed for one account opens for no other, so the two cannot become one. */
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

/** Browsers sign in again, and requests begin again. */
async function forgetVisitors(tx: Queryable): Promise<void> {
  await tx.query("DELETE FROM events_sessions");
  await tx.query("DELETE FROM events_interactions");
  await tx.query("DELETE FROM identity_challenges WHERE realm = $1", [EVENTS_REALM]);
}

/** Its events stay for now: they tell which of them apps must learn to forget. */
async function clearAccount(tx: Transaction, accountId: string): Promise<void> {
  await tx.query("DELETE FROM events_profiles WHERE account_id = $1", [accountId]);
  // Subscriptions go with their sources.
  await tx.query("DELETE FROM events_sources WHERE account_id = $1", [accountId]);
}

/** Everything but events and their counters. */
async function* restoredRows(
  contents: Database,
  present: ReadonlySet<string>,
): AsyncGenerator<BackupRow<EventsTableName>> {
  const tables = EVENTS_TABLES.filter(
    ({ name }) => name !== "events_entries" && name !== "events_counters",
  );
  for await (const row of streamRows(contents, tables)) {
    const { name } = row.table;
    const isKept = name === "identity_accounts" || name === "events_grants";
    if (isKept && present.has(String(valueOf(row, "account_id")))) continue;
    yield name === "events_subscriptions" ? asIfNeverFetched(row) : row;
  }
}

/** A feed that says "unchanged since" means since the backup, so it must not be asked that. */
function asIfNeverFetched(row: BackupRow<EventsTableName>): BackupRow<EventsTableName> {
  const columns = Object.keys(row.table.columns);
  const values = row.values.map((value, index) =>
    ["etag", "last_modified"].includes(columns[index] ?? "") ? null : value,
  );
  return { ...row, values };
}

function valueOf({ table, values }: BackupRow, column: string): string | number | null {
  return values[Object.keys(table.columns).indexOf(column)] ?? null;
}
