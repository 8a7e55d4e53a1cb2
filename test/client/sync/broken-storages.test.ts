/** The storage contract finds what it is there to find: each case fails for a storage that breaks it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createMemorySyncStorage, type SyncStorage } from "../../../src/client/index.ts";
import { createStorageCases } from "../../../storage-contract/index.ts";

type Break = (storage: SyncStorage) => SyncStorage;
type Transaction = Parameters<Parameters<SyncStorage["transaction"]>[1]>[0];

const changed =
  (change: (transaction: Transaction) => Partial<Transaction>): Break =>
  (storage) => ({
    ...storage,
    transaction: (mode, work) =>
      storage.transaction(mode, (transaction) => work({ ...transaction, ...change(transaction) })),
  });

/** By the case that must fail. */
const BREAKS: Readonly<Record<string, Break>> = {
  "an empty storage has no records": changed(() => ({ get: async () => "" })),
  "a record is read as it was written, and replaced as a whole": changed((tx) => ({
    put: (key, value) => void (value !== "2" && tx.put(key, value)),
  })),
  "a value keeps every character that JSON texts have": changed((tx) => ({
    put: (key, value) => tx.put(key, value.slice(0, 65_536)),
  })),
  "a deleted record is gone, and deleting none is no error": changed(() => ({ delete: () => {} })),
  "a range is ordered by the codes of the characters and ends where it says": changed((tx) => ({
    list: async (range) =>
      [...(await tx.list(range))].sort(([a], [b]) => a.localeCompare(b, "en", { numeric: true })),
  })),
  "a thousand records are listed in pages": changed((tx) => ({
    list: async (range) => tx.list({ ...range, limit: Math.min(range.limit, 250) }),
  })),
  "records survive a restart": () => createMemorySyncStorage(),
  "a transaction resolves with the result of its work": (storage) => ({
    ...storage,
    transaction: (async (mode: "read" | "write", work: (tx: Transaction) => Promise<unknown>) => {
      await storage.transaction(mode, work);
    }) as SyncStorage["transaction"],
  }),
  "reads of a transaction see its own writes": (storage) => ({
    ...storage,
    transaction: (mode, work) =>
      storage.transaction(mode, async (transaction) => {
        const writes: (() => void)[] = [];
        const result = await work({
          ...transaction,
          put: (key, value) => void writes.push(() => transaction.put(key, value)),
          delete: (key) => void writes.push(() => transaction.delete(key)),
        });
        for (const write of writes) write();
        return result;
      }),
  }),
  "work that throws changes nothing and rejects with its own error": (storage) => ({
    ...storage,
    transaction: async (mode, work) => {
      let failed: { error: unknown } | null = null;
      const result = await storage.transaction(mode, (transaction) =>
        work(transaction).catch((error: unknown) => {
          failed = { error };
          return undefined;
        }),
      );
      if (failed !== null) throw (failed as { error: unknown }).error;
      return result as never;
    },
  }),
  "of transactions at the same time, one that fails fails alone": (storage) => {
    let failure: unknown = null;
    return {
      ...storage,
      transaction: (mode, work) => {
        if (failure !== null) return Promise.reject(failure);
        return storage.transaction(mode, work).catch((error: unknown) => {
          failure = error;
          throw error;
        });
      },
    };
  },
  "many reads of one transaction can be asked for at once": changed((tx) => {
    let reads = 0;
    return { get: async (key) => (++reads > 100 ? undefined : tx.get(key)) };
  }),
  "transactions at the same time run one after the other, and no update is lost": unserialized,
  "a transaction sees nothing of another one that is in progress": unserialized,
  "no update is lost between two tabs": unserialized,
  "what one tab has written, another one reads": () => createMemorySyncStorage({ name: "own" }),
};

/** Transactions that see each other's writes at once. */
function unserialized(storage: SyncStorage): SyncStorage {
  const single = <T>(work: (transaction: Transaction) => Promise<T>) =>
    storage.transaction("write", work);
  return {
    ...storage,
    transaction: (_mode, work) =>
      work({
        get: (key) => single((transaction) => transaction.get(key)),
        list: (range) => single((transaction) => transaction.list(range)),
        put: (key, value) => void single(async (transaction) => transaction.put(key, value)),
        delete: (key) => void single(async (transaction) => transaction.delete(key)),
      }),
  };
}

async function runCase(name: string, change: Break): Promise<unknown> {
  const cases = createStorageCases({
    isShared: true,
    createPlace: async () => {
      const shared = createMemorySyncStorage({ name: "shared" });
      return { open: async () => change(shared), remove: async () => {} };
    },
  });
  const found = cases.find((storageCase) => storageCase.name === name);
  assert.ok(found, `no case "${name}"`);
  return found.run().then(
    () => null,
    (error: unknown) => error,
  );
}

for (const [name, change] of Object.entries(BREAKS)) {
  test(`a storage that breaks it fails: ${name}`, async () => {
    assert.ok((await runCase(name, change)) instanceof Error);
    assert.equal(await runCase(name, (storage) => storage), null);
  });
}

test("every case has a storage that breaks it", async () => {
  const names = createStorageCases({
    isShared: true,
    createPlace: () => Promise.reject(new Error("unused")),
  }).map(({ name }) => name);
  // A memory storage is never closed, so it breaks this one as it is.
  const closed = "a storage that is closed refuses, and closing it twice is no error";
  assert.ok((await runCase(closed, (storage) => storage)) instanceof Error);
  assert.deepEqual([...Object.keys(BREAKS), closed].sort(), names.sort());
});
