import { ENTITY_PREFIX, PENDING_PREFIX, prefixRange } from "../sync/records.ts";
import type { StorageTransaction } from "../sync/storage.ts";

/** Its values began with a version of their own; the key entity is the first record of each such device. */
const FORMER = /"(?:payload|document)":\{[^{}]*"1\.[\w-]{8}\.[\w-]{50,}/;
const LOOKED_AT = 20;

export async function refuseFormer(transaction: StorageTransaction): Promise<void> {
  for (const prefix of [`${ENTITY_PREFIX}sealed/`, PENDING_PREFIX]) {
    const records = await transaction.list(prefixRange(prefix, LOOKED_AT));
    if (!records.some(([, text]) => FORMER.test(text))) continue;
    throw new Error(
      "Cannot open the storage: an earlier version of the app encrypted it in another way. Nothing is lost: with that version, copy the entities into a client without encryption (copyEntities), and from there with this version into a new storage",
    );
  }
}
