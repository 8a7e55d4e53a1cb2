import type { KeyStore } from "../sync/encryption.ts";

/**
 * Keeps keys for as long as the program runs, such as a test.
 * @returns a key store, for `createEncryption`
 * @example
 * ```ts
 * import { createEncryption, createMemoryKeyStore } from "trellis/client/encryption";
 *
 * const encryption = createEncryption({ keyStore: createMemoryKeyStore() });
 * ```
 */
export function createMemoryKeyStore(): KeyStore {
  const keysByName = new Map<string, string>();
  return {
    read: async (name) => keysByName.get(name) ?? null,
    write: async (name, keys) => void keysByName.set(name, keys),
    delete: async (name) => void keysByName.delete(name),
  };
}
