/** Devices whose refresh token was made with a key that was replaced since. */
import type { Queryable } from "../../database/database.ts";

/** When the last refresh token was issued; 0 when there is none. */
export async function readLastIssue(store: Queryable): Promise<number> {
  const [row] = await store.query<{ last: number | null }>(
    "SELECT max(rotated_at) AS last FROM sync_sessions WHERE instance = $instance",
  );
  return row?.last ?? 0;
}

/** How many signed-in devices hold a token that was issued before `time`. */
export async function countOlderTokens(
  store: Queryable,
  time: number,
  now: number,
): Promise<number> {
  const [row] = await store.query<{ count: number }>(
    `SELECT count(*) AS count FROM sync_sessions
     WHERE instance = $instance AND rotated_at < $1 AND idle_expires_at > $2 AND absolute_expires_at > $2`,
    [time, now],
  );
  return row?.count ?? 0;
}
