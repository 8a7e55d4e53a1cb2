/** How the subscriptions of an events server do, in numbers. */
import type { Queryable } from "../../database/database.ts";

export interface FeedHealth {
  /** The last fetch succeeded. */
  readonly ok: number;
  /** The last fetch failed; the events of before stay. */
  readonly failing: number;
  /** It was not fetched yet. */
  readonly waiting: number;
  /** Of all these, those that no process fetches although they are due. */
  readonly overdue: number;
}

/** A process that fetches looks every 30 seconds, and a restart takes a moment. */
const OVERDUE_MS = 10 * 60_000;

export async function readFeedHealth(store: Queryable, now: number): Promise<FeedHealth> {
  const [row] = await store.query<Record<"total" | "failing" | "waiting" | "overdue", number>>(
    `SELECT count(*) AS total, count(last_fault) AS failing,
       count(CASE WHEN last_fault IS NULL AND last_fetched_at IS NULL THEN 1 END) AS waiting,
       count(CASE WHEN next_fetch_at <= $1 THEN 1 END) AS overdue FROM events_subscriptions`,
    [now - OVERDUE_MS],
  );
  const { total = 0, failing = 0, waiting = 0, overdue = 0 } = row ?? {};
  return { ok: total - failing - waiting, failing, waiting, overdue };
}
