import { createSerialize } from "../serialize.ts";
import type { StorageTransaction, StoredRecord, SyncStorage } from "./storage.ts";

/** Options of `createMemorySyncStorage`; storages of one name share their records, as tabs do. */
export interface MemoryStorageOptions {
  /** Clients that share the storage object, and should share one engine as tabs do, need a name. */
  readonly name?: string;
}

/**
 * Keeps the data for as long as the program runs, such as a test. The data survives `close`.
 * @returns a storage, for the option `storage`
 */
export function createMemorySyncStorage(options: MemoryStorageOptions = {}): SyncStorage {
  const values = new Map<string, string>();
  /** The keys in order. */
  const keys: string[] = [];
  const serialize = createSerialize();

  function put(key: string, value: string): void {
    if (!values.has(key)) keys.splice(findIndex(keys, key), 0, key);
    values.set(key, value);
  }

  function remove(key: string): void {
    if (values.delete(key)) keys.splice(findIndex(keys, key), 1);
  }

  /** Adds to `undo` how each write is undone. */
  function createTransaction(undo: (() => void)[]): StorageTransaction {
    const rememberValue = (key: string) => {
      const before = values.get(key);
      undo.push(() => (before === undefined ? remove(key) : put(key, before)));
    };
    return {
      get: async (key) => values.get(key),
      list: async ({ from, below, limit }) => {
        const start = findIndex(keys, from);
        const end = Math.min(findIndex(keys, below), start + limit);
        return keys.slice(start, end).map((key): StoredRecord => [key, values.get(key) ?? ""]);
      },
      put: (key, value) => {
        rememberValue(key);
        put(key, value);
      },
      delete: (key) => {
        rememberValue(key);
        remove(key);
      },
    };
  }

  return {
    ...options,
    transaction: (_mode, work) =>
      serialize(async () => {
        const undo: (() => void)[] = [];
        try {
          return await work(createTransaction(undo));
        } catch (error) {
          for (const step of undo.toReversed()) step();
          throw error;
        }
      }),
    close: async () => {},
  };
}

/** The index of the first key that is not below. */
function findIndex(keys: readonly string[], key: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] ?? "") < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
