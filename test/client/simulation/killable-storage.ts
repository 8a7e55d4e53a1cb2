/**
 * The storage of a device as one of its processes uses it: transactions take time, and the process may
 * die before a write, before the commit, or after it. The stored records outlive the process.
 */
import type { StorageTransaction, SyncStorage } from "../../../src/client/index.ts";
import type { KeyStore } from "../../../src/client/sync/encryption.ts";
import type { Serialize } from "../../../src/client/serialize.ts";
import type { AppProcess } from "./app-process.ts";

export interface KillableStorageOptions {
  readonly storage: SyncStorage;
  readonly process: AppProcess;
  /** Shared by the processes of a device: one that waits in SQLite would wait in real time. */
  readonly serialize: Serialize;
  /** Before a transaction, and between its commit and the moment that the process learns of it. */
  readonly pause: () => Promise<void>;
}

export function createKillableStorage(options: KillableStorageOptions): SyncStorage {
  const { storage, process, serialize, pause } = options;
  const wrap = (transaction: StorageTransaction): StorageTransaction => ({
    get: (key) => transaction.get(key),
    list: (range) => transaction.list(range),
    put: (key, value) => {
      process.step();
      transaction.put(key, value);
    },
    delete: (key) => {
      process.step();
      transaction.delete(key);
    },
  });

  return {
    ...(storage.name !== undefined && { name: storage.name }),
    transaction(mode, work) {
      const run = async () => {
        await pause();
        const result = await serialize(() =>
          storage.transaction(mode, async (transaction) => {
            process.step();
            const value = await work(wrap(transaction));
            process.step();
            return value;
          }),
        );
        process.step();
        await pause();
        return result;
      };
      return process.whileAlive(run());
    },
    close: async () => {},
  };
}

/** The process may die before what it does with its keys, or after it. */
export function createKillableKeyStore(keyStore: KeyStore, process: AppProcess): KeyStore {
  function run<T>(work: () => Promise<T>): Promise<T> {
    const stepped = async () => {
      process.step();
      const result = await work();
      process.step();
      return result;
    };
    return process.whileAlive(stepped());
  }
  return {
    read: (name) => run(() => keyStore.read(name)),
    write: (name, keys) => run(() => keyStore.write(name, keys)),
    delete: (name) => run(() => keyStore.delete(name)),
  };
}
