import { expectEqual, listAll, putAll, type StorageCases } from "./storage-case.ts";

/** A value of every kind of character, among them half a surrogate pair. */
const ANY_TEXT = `a"\\\n\u0000é漢😀\ud800`;

export const RECORD_CASES: StorageCases = {
  "an empty storage has no records": async ({ storage }) => {
    expectEqual(await listAll(storage), []);
    const found = await storage.transaction("read", (transaction) => transaction.get("a"));
    expectEqual(found === undefined, true);
  },
  "a record is read as it was written, and replaced as a whole": async ({ storage }) => {
    await putAll(storage, { a: "1", b: "" });
    await putAll(storage, { a: "2" });
    expectEqual(await listAll(storage), [
      ["a", "2"],
      ["b", ""],
    ]);
    expectEqual(await storage.transaction("read", (transaction) => transaction.get("b")), "");
  },
  "a value keeps every character that JSON texts have": async ({ storage }) => {
    const value = JSON.stringify(ANY_TEXT) + "é漢😀".repeat(100_000);
    await putAll(storage, { a: value });
    const found = await storage.transaction("read", (transaction) => transaction.get("a"));
    expectEqual(found === value, true);
  },
  "a deleted record is gone, and deleting none is no error": async ({ storage }) => {
    await putAll(storage, { a: "1", b: "2" });
    await storage.transaction("write", async (transaction) => {
      transaction.delete("a");
      transaction.delete("never");
    });
    expectEqual(await listAll(storage), [["b", "2"]]);
  },
  "a range is ordered by the codes of the characters and ends where it says": async ({
    storage,
  }) => {
    const keys = ["a/1", "a", "a/~x", "a0", "A/1", "a/10", "a/9", "a/%20", "b"];
    await putAll(storage, Object.fromEntries(keys.map((key) => [key, key])));
    const list = (from: string, below: string, limit: number) =>
      storage.transaction("read", async (transaction) =>
        (await transaction.list({ from, below, limit })).map(([key]) => key),
      );
    expectEqual(await list("a/", "a0", 100), ["a/%20", "a/1", "a/10", "a/9", "a/~x"]);
    expectEqual(await list("a/", "a0", 2), ["a/%20", "a/1"]);
    expectEqual(await list("a/1 ", "a0", 2), ["a/10", "a/9"]);
    expectEqual(await list("!", "~", 100), [...keys].sort());
    expectEqual(await list("c", "d", 100), []);
  },
  "a thousand records are listed in pages": async ({ storage }) => {
    const keys = Array.from({ length: 1000 }, (_, index) => `k/${String(index).padStart(4, "0")}`);
    await putAll(storage, Object.fromEntries(keys.map((key) => [key, "v"])));
    const found: string[] = [];
    for (let from = "k/"; ;) {
      const page = await storage.transaction("read", (transaction) =>
        transaction.list({ from, below: "k0", limit: 300 }),
      );
      found.push(...page.map(([key]) => key));
      if (page.length < 300) break;
      from = `${found.at(-1) ?? ""} `;
    }
    expectEqual(found, keys);
  },
};

export const DURABLE_RECORD_CASES: StorageCases = {
  "records survive a restart": async ({ storage, reopen }) => {
    await putAll(storage, { a: "1", b: "2" });
    expectEqual(await listAll(await reopen()), [
      ["a", "1"],
      ["b", "2"],
    ]);
  },
};
