/** How many operations each day has brought: an append counts its own. */
import { DAY_MS } from "../../contract/durations.ts";
import type { Queryable, Transaction } from "../../database/database.ts";
import type { DayCount } from "../store.ts";

/** Counts the operations of each day again, after a restore, from the operations that are in the log. */
export async function recountOperations(tx: Transaction): Promise<void> {
  await tx.script(
    `DELETE FROM sync_days WHERE instance = $instance;
     INSERT INTO sync_days (instance, day, operations)
       SELECT $instance, received_at / ${DAY_MS}, count(*) FROM sync_operations
       WHERE instance = $instance GROUP BY received_at / ${DAY_MS};`,
  );
}

/** Returns the counts from the day of `from` on, oldest first; days without operations are left out. */
export async function listDays(store: Queryable, from: number): Promise<DayCount[]> {
  const rows = await store.query<{ day: number; operations: number }>(
    "SELECT day, operations FROM sync_days WHERE instance = $instance AND day >= $1 ORDER BY day",
    [Math.floor(from / DAY_MS)],
  );
  return rows.map(({ day, operations }) => ({ startsAt: day * DAY_MS, operations }));
}
