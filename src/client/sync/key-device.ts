import { KEY_ENTITY_ID } from "../../contract/sync/operation-limits.ts";
import type { KeyDevice } from "./encryption.ts";
import { isAside, parseStoredOperations, putUnconfirmed } from "./entity-record.ts";
import type { LocalStore } from "./local-store.ts";
import { entityKey, sentKey } from "./records.ts";

/** The operations of the key entity are records like any other, so that a server which lost them gets them back. */
export function createKeyDevice(store: () => LocalStore): KeyDevice {
  return {
    deviceId: () => store().facts().deviceId,
    readKeyOperations: () =>
      store().read(async (transaction) => {
        const stored = parseStoredOperations(await transaction.get(entityKey(KEY_ENTITY_ID)));
        return stored.filter((one) => !isAside(one)).map(({ operation }) => operation);
      }),
    takeRevision: () =>
      store().write(async (transaction) => {
        const revision = transaction.nextRevision();
        transaction.observe(revision.sequence);
        return revision;
      }),
    keep: (operation, isSent) =>
      store().write(async (transaction) => {
        const stored = await transaction.readStored(KEY_ENTITY_ID);
        transaction.writeStored(KEY_ENTITY_ID, putUnconfirmed(stored, operation));
        if (isSent) transaction.put(sentKey(operation.revision), operation.text);
        else await transaction.enqueue(operation);
      }),
    unlock: (sealer) => store().unlock(sealer),
  };
}
