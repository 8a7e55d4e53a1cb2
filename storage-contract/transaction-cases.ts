import { expectEqual, listAll, putAll, type StorageCases } from "./storage-case.ts";

export const STORAGE_TRANSACTION_CASES: StorageCases = {
  "a transaction resolves with the result of its work": async ({ storage }) => {
    expectEqual(await storage.transaction("read", async () => "read"), "read");
    expectEqual(await storage.transaction("write", async () => "written"), "written");
  },
  "reads of a transaction see its own writes": async ({ storage }) => {
    await putAll(storage, { a: "1", b: "2" });
    const seen = await storage.transaction("write", async (transaction) => {
      transaction.put("a", "3");
      transaction.delete("b");
      transaction.put("c", "4");
      const listed = await transaction.list({ from: "!", below: "~", limit: 100 });
      return [await transaction.get("a"), (await transaction.get("b")) ?? null, listed];
    });
    expectEqual(seen, [
      "3",
      null,
      [
        ["a", "3"],
        ["c", "4"],
      ],
    ]);
  },
  "work that throws changes nothing and rejects with its own error": async ({
    storage,
    reopen,
  }) => {
    await putAll(storage, { a: "1", b: "2" });
    const error = new Error("half way");
    const thrown = await storage
      .transaction("write", async (transaction) => {
        transaction.put("a", "3");
        transaction.delete("b");
        transaction.put("c", "4");
        await transaction.get("a");
        throw error;
      })
      .then(
        () => null,
        (reason: unknown) => reason,
      );
    expectEqual(thrown === error, true);
    expectEqual(await listAll(storage), [
      ["a", "1"],
      ["b", "2"],
    ]);
    await putAll(storage, { d: "5" });
    expectEqual((await listAll(storage)).length, 3);
    await reopen();
  },
  "of transactions at the same time, one that fails fails alone": async ({ storage }) => {
    const results = await Promise.allSettled(
      Array.from({ length: 12 }, (_, index) =>
        storage.transaction("write", async (transaction) => {
          transaction.put(`k${index + 10}`, "v");
          await transaction.get("k10");
          if (index % 3 === 0) throw new Error("not this one");
        }),
      ),
    );
    const failed = results.map(({ status }) => status === "rejected");
    expectEqual(
      failed,
      Array.from({ length: 12 }, (_, index) => index % 3 === 0),
    );
    expectEqual((await listAll(storage)).length, 8);
  },
  "many reads of one transaction can be asked for at once": async ({ storage }) => {
    const records = Array.from({ length: 500 }, (_, index) => [`k${index}`, `v${index}`] as const);
    await putAll(storage, Object.fromEntries(records));
    const values = await storage.transaction("write", async (transaction) => {
      const keys = Array.from({ length: 500 }, (_, index) => `k${index}`);
      const found = await Promise.all(keys.map((key) => transaction.get(key)));
      for (const key of keys) transaction.put(key, "new");
      return found;
    });
    expectEqual(
      values,
      Array.from({ length: 500 }, (_, index) => `v${index}`),
    );
    expectEqual(
      (await listAll(storage)).every(([, value]) => value === "new"),
      true,
    );
  },
};

export const DURABLE_TRANSACTION_CASES: StorageCases = {
  "a storage that is closed refuses, and closing it twice is no error": async ({ storage }) => {
    await storage.close();
    const isRefused = await putAll(storage, { a: "1" }).then(
      () => false,
      () => true,
    );
    expectEqual(isRefused, true);
    await storage.close();
  },
};
