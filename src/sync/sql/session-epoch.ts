/**
 * Counts revocations. The high-water file has the count too, so that a database file which was copied
 * back is recognised: it has sessions again that were revoked after the copy was made.
 */
import type { Database, Queryable } from "../../database/database.ts";
import { CODES } from "../authorization-codes.ts";
import { SYNC_REALM } from "../store.ts";

export interface PreparedSessions {
  readonly epoch: number;
  /** Whether the database was behind the file, so that every device was revoked. */
  readonly wereRevoked: boolean;
}

/** `mark` is the epoch of the high-water file; null when it has none. */
export function prepareSessions(database: Database, mark: number | null) {
  return database.transaction(async (tx): Promise<PreparedSessions> => {
    const epoch = await readEpoch(tx);
    if (mark === null || mark <= epoch) return { epoch, wereRevoked: false };
    // Which sessions were revoked is not known, so none of them stays.
    await tx.query("DELETE FROM sync_sessions");
    await tx.query("DELETE FROM identity_challenges WHERE realm = $1", [SYNC_REALM]);
    await tx.query(
      "DELETE FROM identity_secrets WHERE realm = $1 AND purpose = $2 AND used_at IS NULL",
      [SYNC_REALM, CODES.purpose],
    );
    return { epoch: await moveSessionEpoch(tx, mark + 1), wereRevoked: true };
  });
}

/** Whether the database is behind `mark`, so that every device is revoked when it is prepared. */
export async function areSessionsBehind(store: Queryable, mark: number | null): Promise<boolean> {
  return mark !== null && mark > (await readEpoch(store));
}

async function readEpoch(store: Queryable): Promise<number> {
  const [row] = await store.query<{ epoch: number }>(
    "SELECT epoch FROM identity_session_epochs WHERE realm = $1",
    [SYNC_REALM],
  );
  return row?.epoch ?? 0;
}

/** To the next epoch, or further to `least`. */
export async function moveSessionEpoch(tx: Queryable, least = 1): Promise<number> {
  const [row] = await tx.query<{ epoch: number }>(
    `INSERT INTO identity_session_epochs (realm, epoch) VALUES ($1, $2)
     ON CONFLICT (realm) DO UPDATE SET epoch =
       CASE WHEN identity_session_epochs.epoch < excluded.epoch
         THEN excluded.epoch ELSE identity_session_epochs.epoch + 1 END
     RETURNING epoch`,
    [SYNC_REALM, least],
  );
  return row?.epoch ?? least;
}
