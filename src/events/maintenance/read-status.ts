import type { Database, Queryable } from "../../database/database.ts";
import { readDatabaseBytes } from "../../database/disk-space.ts";
import { EVENTS_REALM } from "../store.ts";

export interface EventsStatus {
  readonly accounts: number;
  readonly grants: number;
  readonly subscriptions: number;
  readonly events: EventCounts;
  readonly databaseBytes: number;
}

export interface EventCounts {
  readonly live: number;
  readonly deleted: number;
}

export async function readEventsStatus(database: Database): Promise<EventsStatus> {
  const [row] = await database.query<{ accounts: number; grants: number; subscriptions: number }>(
    `SELECT (SELECT count(*) FROM identity_accounts WHERE realm = $1) AS accounts,
       (SELECT count(*) FROM events_grants) AS grants,
       (SELECT count(*) FROM events_subscriptions) AS subscriptions`,
    [EVENTS_REALM],
  );
  return {
    accounts: row?.accounts ?? 0,
    grants: row?.grants ?? 0,
    subscriptions: row?.subscriptions ?? 0,
    events: await countEvents(database),
    databaseBytes: await readDatabaseBytes(database),
  };
}

export async function countEvents(store: Queryable): Promise<EventCounts> {
  const [row] = await store.query<{ all_rows: number; deleted: number }>(
    "SELECT count(*) AS all_rows, count(deleted_at) AS deleted FROM events_entries",
  );
  const deleted = row?.deleted ?? 0;
  return { live: (row?.all_rows ?? 0) - deleted, deleted };
}
