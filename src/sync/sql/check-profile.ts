/** A store of sealed entities has no others, so that its server holds nothing that it can read. */
import type { SyncProfile } from "../../contract/sync/operation-limits.ts";
import type { Queryable } from "../../database/database.ts";

/** The entities of the store are not of the profile. Nothing was changed. */
export class ProfileError extends Error {
  readonly reason: string;
  readonly remedy: string;

  constructor(reason: string, remedy: string) {
    super(`${reason}: ${remedy}`);
    this.name = "ProfileError";
    this.reason = reason;
    this.remedy = remedy;
  }
}

const CLEAR = "substr(entity_id, 1, 7) <> 'sealed/'";

/**
 * The profile `open` takes sealed entities too, from an app that allows a server of clear text; so only a
 * store that has nothing else is one of the profile `sealed`.
 */
export async function findProfileError(
  store: Queryable,
  profile: SyncProfile,
): Promise<ProfileError | null> {
  const [clear] = await store.query(`SELECT 1 AS found FROM sync_entities WHERE ${CLEAR} LIMIT 1`);
  const isSealed = profile === "sealed";
  if (isSealed === (clear === undefined)) return null;
  const [row] = await store.query<{ entities: number }>(
    `SELECT count(*) AS entities FROM sync_entities ${isSealed ? `WHERE ${CLEAR}` : ""}`,
  );
  const count = row?.entities ?? 0;
  if (count === 0) return null;
  return isSealed
    ? new ProfileError(
        `The profile is "sealed", but the store has entities in clear text: ${count}`,
        "set the profile that it had, or copy the data to an empty store with `copyEntities`, as the guide on end-to-end encryption says",
      )
    : new ProfileError(
        `The profile is "${profile}", but all entities of the store are sealed: ${count}`,
        `set the profile back to "sealed"; to give up encryption, an app with the key copies the data with \`copyEntities\` to an empty store of the profile "${profile}"`,
      );
}

/** Whether the store has entities, and only their owner can read them. */
export async function isSealedStore(store: Queryable): Promise<boolean> {
  return (await findProfileError(store, "open")) !== null;
}
