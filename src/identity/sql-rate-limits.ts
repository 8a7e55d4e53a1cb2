/** Counters of rate limits in SQL, shared by all processes on the store. */
import type { Queryable } from "../database/database.ts";

export function createSqlRateLimitCounters(tx: Queryable) {
  return {
    async take(
      subject: string,
      window: { readonly start: number; readonly end: number },
      wanted: number,
      limit: number,
    ): Promise<number> {
      // `wanted` is counted in full even when less is left, which uses the limit up.
      const [row] = await tx.query<{ hits: number }>(
        `INSERT INTO identity_hits (instance, window_start, window_end, subject, hits)
         VALUES ($instance, $1, $2, $3, $4)
         ON CONFLICT (instance, window_start, subject) DO UPDATE
           SET hits = identity_hits.hits + excluded.hits
         WHERE identity_hits.hits < $5 RETURNING hits`,
        [window.start, window.end, subject, wanted, limit],
      );
      if (row === undefined) return 0;
      return Math.min(wanted, limit - (row.hits - wanted));
    },
  };
}
