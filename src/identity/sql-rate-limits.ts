/** Counters of rate limits in SQL, shared by all processes on the store. */
import type { Queryable } from "../database/database.ts";

/** No window is longer than a day. */
const KEEP_MS = 86_400_000;

export function createSqlRateLimitCounters(tx: Queryable) {
  return {
    async take(
      subject: string,
      windowStart: number,
      wanted: number,
      limit: number,
    ): Promise<number> {
      // `wanted` is counted in full even when less is left, which uses the limit up.
      const [row] = await tx.query<{ hits: number }>(
        `INSERT INTO identity_hits (window_start, subject, hits) VALUES ($1, $2, $3)
         ON CONFLICT (window_start, subject) DO UPDATE SET hits = identity_hits.hits + excluded.hits
         WHERE identity_hits.hits < $4 RETURNING hits`,
        [windowStart, subject, wanted, limit],
      );
      if (row === undefined) return 0;
      return Math.min(wanted, limit - (row.hits - wanted));
    },
  };
}

export async function pruneSqlRateLimitCounters(tx: Queryable, now: number): Promise<void> {
  await tx.query("DELETE FROM identity_hits WHERE window_start <= $1", [now - KEEP_MS]);
}
