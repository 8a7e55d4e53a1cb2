/** Removes what has had its time, of every realm. Nothing relies on it: what is stale is ignored. */
import type { Queryable } from "../database/database.ts";
import { pruneChallenges } from "./challenges.ts";
import { pruneSecrets } from "./one-time-secrets.ts";
import { pruneFailures } from "./throttle.ts";

export async function pruneIdentity(store: Queryable, now: number): Promise<void> {
  await pruneChallenges(store, now);
  await pruneSecrets(store, now);
  await pruneFailures(store, now);
}
