import type { KeyStore } from "../sync/encryption.ts";

/** Keeps keys for as long as the program runs, such as a test. */
export function createMemoryKeyStore(): KeyStore {
  const keysByName = new Map<string, string>();
  return {
    read: async (name) => keysByName.get(name) ?? null,
    write: async (name, keys) => void keysByName.set(name, keys),
    delete: async (name) => void keysByName.delete(name),
  };
}
