/** A store of sealed entities has no others, so that its server holds nothing that it can read. */
import type { SyncProfile } from "../../contract/sync/operation-limits.ts";
import type { Queryable } from "../../database/database.ts";
import { FIRST_ROWS } from "./read-states.ts";

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

const CLEAR = "AND substr(entity_id, 1, 7) <> 'sealed/'";

/** A store that has nothing but sealed entities is one of the profile `sealed`. */
export async function findProfileError(
  store: Queryable,
  profile: SyncProfile,
): Promise<ProfileError | null> {
  const [clear] = await store.query(
    `SELECT 1 AS found FROM sync_entities WHERE instance = $instance ${CLEAR} LIMIT 1`,
  );
  const isSealed = profile === "sealed";
  if (clear !== undefined && !isSealed) return null;
  const { entities, keys } = await count(store, clear === undefined ? "" : CLEAR);
  if (clear !== undefined) {
    return new ProfileError(
      `The profile is "sealed", but the store has entities in clear text: ${entities}`,
      "set the profile that it had, or copy the data to an empty store with `copyEntities`, as the guide on end-to-end encryption says",
    );
  }
  if (entities === 0) return null;
  if (keys === 0) return formerError(entities);
  return isSealed
    ? null
    : new ProfileError(
        `The profile is "${profile}", but all entities of the store are sealed: ${entities}`,
        `set the profile back to "sealed"; to give up encryption, an app with the key copies the data with \`copyEntities\` to an empty store of the profile "${profile}"`,
      );
}

/** It was sealed before there were keys beside the log, so no device of today can open it. */
function formerError(entities: number): ProfileError {
  return new ProfileError(
    `The store has sealed entities and no list of keys, as an earlier layout of encryption left it: ${entities}`,
    'serve it with the version that wrote it, and let an app of that version copy the data with `copyEntities` to an account without encryption; an app of this version then copies that to an empty store of the profile "sealed"',
  );
}

async function count(store: Queryable, condition: string) {
  const [row] = await store.query<{ entities: number; keys: number }>(
    `SELECT count(*) AS entities, (SELECT count(*) FROM sync_keys WHERE instance = $instance) AS keys
     FROM sync_entities WHERE instance = $instance AND ${FIRST_ROWS} ${condition}`,
  );
  return row ?? { entities: 0, keys: 0 };
}

/** Whether the store has entities, and only their owner can read them. */
export async function isSealedStore(store: Queryable): Promise<boolean> {
  return (await findProfileError(store, "open")) !== null;
}
