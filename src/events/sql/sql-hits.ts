/** How often subjects asked, in SQL: shared by every process on the store. */
import type { Queryable } from "../../database/database.ts";
import type { HitRecords } from "../store.ts";

/** No window is longer than a day, so that what is older is past. */
const KEEP_MS = 86_400_000;

export function createSqlHits(tx: Queryable): HitRecords {
  return {
    async take(subject, windowStart, wanted, limit) {
      // What is wanted counts whole, also where less is left: then the next finds nothing either.
      const [row] = await tx.query<{ hits: number }>(
        `INSERT INTO events_hits (window_start, subject, hits) VALUES ($1, $2, $3)
         ON CONFLICT (window_start, subject) DO UPDATE SET hits = events_hits.hits + excluded.hits
         WHERE events_hits.hits < $4 RETURNING hits`,
        [windowStart, subject, wanted, limit],
      );
      if (row === undefined) return 0;
      return Math.min(wanted, limit - (row.hits - wanted));
    },
  };
}

export async function pruneSqlHits(tx: Queryable, now: number): Promise<void> {
  await tx.query("DELETE FROM events_hits WHERE window_start <= $1", [now - KEEP_MS]);
}
