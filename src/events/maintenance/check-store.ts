/**
 * Whether a store says one thing only: every event is written as apps get it, every live one has its
 * source, stamps are below the counter of their account, and the counts are right.
 */
import type { Database } from "../../database/database.ts";
import { EVENTS_REALM } from "../realm.ts";
import { EVENT_COLUMNS, eventToRow, rowToEvent, type EventRow } from "../sql/stored-event.ts";

/** What must not be found, and what it means. */
const FAULTS: readonly { readonly reason: string; readonly sql: string }[] = [
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

/** Null when it is sound, else what is wrong. Reads everything once; meant for a copy. */
export async function findFault(database: Database): Promise<string | null> {
  for (const { reason, sql } of FAULTS) {
    if ((await database.query(sql)).length > 0) return reason;
  }
  const rows = database.stream<EventRow>(`SELECT ${EVENT_COLUMNS} FROM events_entries e`);
  for await (const row of rows) {
    if (!isWrittenAsItIs(row)) return "an event is not written as apps get it";
  }
  return null;
}

function isWrittenAsItIs(row: EventRow): boolean {
  try {
    const again = eventToRow(rowToEvent(row));
    return again.wire === row.wire && again.date_at === row.date_at;
  } catch {
    return false;
  }
}
