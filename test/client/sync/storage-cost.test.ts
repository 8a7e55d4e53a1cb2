/** How much of its storage the client uses at a time, counted in steps and not in seconds. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createMemorySyncStorage, type SyncStorage } from "../../../src/client/index.ts";
import { createWorld, stored, syncNow } from "./world.ts";

interface Cost {
  reads: number;
  writes: number;
  /** Records that a list returned. */
  listed: number;
}

/** Records the cost of each transaction. */
function meter(storage: SyncStorage, costs: Cost[]): SyncStorage {
  return {
    ...storage,
    transaction: (mode, work) => {
      const cost: Cost = { reads: 0, writes: 0, listed: 0 };
      costs.push(cost);
      return storage.transaction(mode, (transaction) =>
        work({
          get: (key) => {
            cost.reads++;
            return transaction.get(key);
          },
          list: async (range) => {
            const records = await transaction.list(range);
            cost.listed += records.length;
            return records;
          },
          put: (key, value) => {
            cost.writes++;
            transaction.put(key, value);
          },
          delete: (key) => {
            cost.writes++;
            transaction.delete(key);
          },
        }),
      );
    },
  };
}

test("an edit costs the same few steps among few and among many entities", async (t) => {
  const world = await createWorld(t);
  const costs: Cost[] = [];
  const phone = await world.open({ storage: meter(createMemorySyncStorage(), costs) });
  const costOf = async (edit: Promise<{ readonly kind: string }>) => {
    costs.length = 0;
    await stored(edit);
    assert.equal(costs.length, 1, "one transaction");
    return costs[0];
  };
  const first = await costOf(phone.create("note/first", { a: 1 }));
  const patch = await costOf(phone.patch("note/first", { a: 2 }));
  await Promise.all(
    Array.from({ length: 2000 }, (_, index) => stored(phone.create(`note/${index}`, { index }))),
  );
  assert.deepEqual(await costOf(phone.create("note/last", { a: 1 })), first);
  assert.deepEqual(await costOf(phone.patch("note/last", { a: 2 })), patch);
  assert.ok((first?.reads ?? 9) <= 3 && first?.writes === 3 && first.listed === 0);
});

test("edits that are made at once share transactions", async (t) => {
  const world = await createWorld(t);
  const costs: Cost[] = [];
  const phone = await world.open({ storage: meter(createMemorySyncStorage(), costs) });
  costs.length = 0;
  const edits = Array.from({ length: 300 }, (_, index) => phone.create(`note/${index}`, { index }));
  const ids = await Promise.all(edits.map((edit) => stored(edit)));
  assert.equal(new Set(ids).size, 300);
  assert.ok(costs.length <= 5, `${costs.length} transactions`);
});

test("a first pull stores page by page and keeps no history", async (t) => {
  const world = await createWorld(t, { limits: { maxPullOperations: 50 } });
  const tablet = await world.device();
  await Promise.all(
    Array.from({ length: 400 }, (_, index) =>
      stored(tablet.create(`note/${index % 40}`, { index })),
    ),
  );
  await syncNow(tablet);
  const costs: Cost[] = [];
  const records = createMemorySyncStorage();
  const phone = await world.device({ storage: meter(records, costs) });
  assert.equal(phone.entities.list("note").length, 40);
  for (const { reads, writes, listed } of costs) {
    assert.ok(
      reads <= 110 && writes <= 60 && listed <= 50,
      JSON.stringify({ reads, writes, listed }),
    );
  }
  const all = await records.transaction("read", (tx) =>
    tx.list({ from: "entity/", below: "entity0", limit: 1000 }),
  );
  assert.equal(all.length, 40);
  for (const [key, text] of all) {
    const { operations } = JSON.parse(text) as { operations: unknown[] };
    assert.equal(operations.length, 1, key);
  }
});

test("opening reads the entities in pages", async (t) => {
  const world = await createWorld(t);
  const records = createMemorySyncStorage();
  const phone = await world.open({ storage: records });
  await Promise.all(
    Array.from({ length: 1200 }, (_, index) => stored(phone.create(`note/${index}`, { index }))),
  );
  await phone.close();
  const costs: Cost[] = [];
  const reopened = await world.open({ storage: meter(records, costs) });
  assert.equal(reopened.entities.list("note").length, 1200);
  assert.ok(costs.every(({ listed, writes }) => listed <= 500 && writes === 0));
});
