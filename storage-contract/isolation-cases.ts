import type { SyncStorage } from "../src/client/sync/storage.ts";
import { expectEqual, listAll, putAll, type StorageCases } from "./storage-case.ts";

const COUNT = 20;

/** Reads, waits for another read, and writes one more. */
function increase(storage: SyncStorage): Promise<number> {
  return storage.transaction("write", async (transaction) => {
    const next = Number((await transaction.get("counter")) ?? 0) + 1;
    await transaction.list({ from: "!", below: "~", limit: 10 });
    transaction.put("counter", String(next));
    return next;
  });
}

function expectCounted(results: readonly number[]): void {
  const sorted = results.toSorted((a, b) => a - b);
  expectEqual(
    sorted,
    Array.from(sorted, (_, index) => index + 1),
  );
}

export const ISOLATION_CASES: StorageCases = {
  "transactions at the same time run one after the other, and no update is lost": async ({
    storage,
  }) => {
    expectCounted(await Promise.all(Array.from({ length: COUNT }, () => increase(storage))));
  },
  "a transaction sees nothing of another one that is in progress": async ({ storage }) => {
    await putAll(storage, { a: "1", b: "1" });
    const writing = storage.transaction("write", async (transaction) => {
      transaction.put("a", "2");
      await transaction.get("a");
      await transaction.get("b");
      transaction.put("b", "2");
    });
    const reading = storage.transaction("read", async (transaction) => [
      await transaction.get("a"),
      await transaction.get("b"),
    ]);
    const [a, b] = await reading;
    await writing;
    expectEqual(a === b, true);
  },
};

export const SHARED_ISOLATION_CASES: StorageCases = {
  "no update is lost between two tabs": async ({ storage, openBeside }) => {
    const other = await openBeside();
    const tabs = [storage, other];
    expectCounted(
      await Promise.all(
        Array.from({ length: COUNT }, (_, index) => increase(tabs[index % 2] ?? storage)),
      ),
    );
  },
  "what one tab has written, another one reads": async ({ storage, openBeside }) => {
    const other = await openBeside();
    await putAll(storage, { a: "1" });
    expectEqual(await listAll(other), [["a", "1"]]);
    await putAll(other, { a: "2" });
    expectEqual(await listAll(storage), [["a", "2"]]);
    expectEqual(storage.name !== undefined && storage.name === other.name, true);
  },
};
