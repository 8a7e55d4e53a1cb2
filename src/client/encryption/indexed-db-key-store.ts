import type { KeyStore } from "../sync/encryption.ts";
import { createIndexedDbStorage } from "../sync/indexed-db-storage.ts";

/**
 * Keeps keys in a database of the browser. It guards them from the server and from other origins, not from a
 * script of the same origin: any script that runs in the app's pages can read and use them.
 * @param name - the name of the database
 * @returns a key store, for `createEncryption`
 */
export function createIndexedDbKeyStore(name = "trellis-keys"): KeyStore {
  const storage = createIndexedDbStorage(name);
  return {
    read: (key) => storage.transaction("read", async (tx) => (await tx.get(key)) ?? null),
    write: (key, keys) => storage.transaction("write", async (tx) => tx.put(key, keys)),
    delete: (key) => storage.transaction("write", async (tx) => tx.delete(key)),
  };
}
