/** What an events store holds, and how its subscriptions do, in numbers. */
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
    `SELECT (SELECT count(*) FROM identity_accounts WHERE instance = $instance AND realm = $1) AS accounts,
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

export interface FeedHealth {
  /** The number of feeds whose last fetch succeeded. */
  readonly ok: number;
  /** The number of feeds whose last fetch failed; their earlier events stay. */
  readonly failing: number;
  /** The number of feeds that were not fetched yet. */
  readonly waiting: number;
  /** The number of feeds, whatever their state, that no process fetches although they are due. */
  readonly overdue: number;
}

/** A process that fetches looks every 30 seconds, and a restart takes a moment. */
const OVERDUE_MS = 10 * 60_000;

export async function readFeedHealth(store: Queryable, now: number): Promise<FeedHealth> {
  const [row] = await store.query<Record<"total" | "failing" | "waiting" | "overdue", number>>(
    `SELECT count(*) AS total, count(last_error) AS failing,
       count(CASE WHEN last_error IS NULL AND last_fetched_at IS NULL THEN 1 END) AS waiting,
       count(CASE WHEN next_fetch_at <= $1 THEN 1 END) AS overdue FROM events_subscriptions`,
    [now - OVERDUE_MS],
  );
  const { total = 0, failing = 0, waiting = 0, overdue = 0 } = row ?? {};
  return { ok: total - failing - waiting, failing, waiting, overdue };
}
