/** How many operations each day has brought. */
import type { Queryable, Statement, Transaction } from "../../database/database.ts";
import type { DayCount } from "../store.ts";

const DAY_MS = 86_400_000;

/** Part of the write of an append, so that it costs no round trip. */
export function countOperations(operations: number, now: number): Statement {
  return {
    sql: `INSERT INTO sync_days (day, operations) VALUES ($1, $2)
          ON CONFLICT (day) DO UPDATE SET operations = sync_days.operations + excluded.operations`,
    params: [Math.floor(now / DAY_MS), operations],
  };
}

/** From the operations that are in the log, after a restore. */
export async function recountOperations(tx: Transaction): Promise<void> {
  await tx.script(
    `DELETE FROM sync_days;
     INSERT INTO sync_days (day, operations)
       SELECT received_at / ${DAY_MS}, count(*) FROM sync_operations GROUP BY received_at / ${DAY_MS};`,
  );
}

/** Of the day of `from` and those after it, oldest first; days without operations are left out. */
export async function listDays(store: Queryable, from: number): Promise<DayCount[]> {
  const rows = await store.query<{ day: number; operations: number }>(
    "SELECT day, operations FROM sync_days WHERE day >= $1 ORDER BY day",
    [Math.floor(from / DAY_MS)],
  );
  return rows.map(({ day, operations }) => ({ startsAt: day * DAY_MS, operations }));
}
