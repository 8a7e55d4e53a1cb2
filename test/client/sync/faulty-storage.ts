/**
 * A storage that dies at a step: before a write, before the commit, or just after it. To die at a read
 * is to die after the step before.
 */
import type { StorageTransaction, SyncStorage } from "../../../src/client/index.ts";

export interface FaultyStorage extends SyncStorage {
  /** How many steps were taken. */
  steps(): number;
  isDead(): boolean;
}

/** Nothing works any more from that step on; the first step is 1. */
export function createFaultyStorage(storage: SyncStorage, diesAt = Infinity): FaultyStorage {
  let steps = 0;
  const step = () => {
    if (++steps >= diesAt) throw new Error("The process was killed");
  };
  const wrap = (transaction: StorageTransaction): StorageTransaction => ({
    get: (key) => transaction.get(key),
    list: (range) => transaction.list(range),
    put: (key, value) => {
      step();
      transaction.put(key, value);
    },
    delete: (key) => {
      step();
      transaction.delete(key);
    },
  });
  return {
    ...(storage.name !== undefined && { name: storage.name }),
    steps: () => steps,
    isDead: () => steps >= diesAt,
    async transaction(mode, work) {
      if (steps >= diesAt) throw new Error("The process was killed");
      if (mode === "read") return storage.transaction(mode, work);
      const result = await storage.transaction(mode, async (transaction) => {
        const value = await work(wrap(transaction));
        step();
        return value;
      });
      step();
      return result;
    },
    // The records must outlive the process.
    close: async () => {},
  };
}
