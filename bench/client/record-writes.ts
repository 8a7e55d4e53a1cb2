/** What a client writes, so that the bare storage can write the same. */
import type { SyncStorage } from "../../src/client/index.ts";

/** Null deletes the record. */
export type Write = readonly [key: string, value: string | null];
export type WrittenTransaction = readonly Write[];

export interface RecordedStorage {
  readonly storage: SyncStorage;
  /** The transactions that wrote something, in order. */
  readonly transactions: readonly WrittenTransaction[];
}

export function recordWrites(storage: SyncStorage): RecordedStorage {
  const transactions: WrittenTransaction[] = [];
  return {
    transactions,
    storage: {
      ...storage,
      transaction: async (mode, work) => {
        const writes: Write[] = [];
        const result = await storage.transaction(mode, (transaction) =>
          work({
            ...transaction,
            put: (key, value) => {
              writes.push([key, value]);
              transaction.put(key, value);
            },
            delete: (key) => {
              writes.push([key, null]);
              transaction.delete(key);
            },
          }),
        );
        if (writes.length > 0) transactions.push(writes);
        return result;
      },
    },
  };
}
