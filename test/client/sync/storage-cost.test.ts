/** How much of its storage the client uses at a time, counted in steps and not in seconds. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createMemorySyncStorage, type SyncStorage } from "../../../src/client/index.ts";
import { createWorld, online, stored, syncAll, syncNow } from "./world.ts";

interface Cost {
  reads: number;
  writes: number;
  /** Records that a list returned. */
  listed: number;
  /** Characters that were read and written. */
  characters: number;
}

/** Records the cost of each transaction. */
function meter(storage: SyncStorage, costs: Cost[]): SyncStorage {
  return {
    ...storage,
    transaction: (mode, work) => {
      const cost: Cost = { reads: 0, writes: 0, listed: 0, characters: 0 };
      costs.push(cost);
      return storage.transaction(mode, (transaction) =>
        work({
          get: async (key) => {
            cost.reads++;
            const value = await transaction.get(key);
            cost.characters += value?.length ?? 0;
            return value;
          },
          list: async (range) => {
            const records = await transaction.list(range);
            cost.listed += records.length;
            return records;
          },
          put: (key, value) => {
            cost.writes++;
            cost.characters += value.length;
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
    return costs[0] as Cost;
  };
  const first = await costOf(phone.create("note/first", { a: 1 }));
  const patch = await costOf(phone.patch("note/first", { a: 2 }));
  await Promise.all(
    Array.from({ length: 2000 }, (_, index) => stored(phone.create(`note/${index}`, { index }))),
  );
  const steps = ({ reads, writes, listed }: Cost) => ({ reads, writes, listed });
  assert.deepEqual(steps(await costOf(phone.create("note/last", { a: 1 }))), steps(first));
  assert.deepEqual(steps(await costOf(phone.patch("note/last", { a: 2 }))), steps(patch));
  assert.ok(first.reads <= 3 && first.writes === 3 && first.listed === 0);
});

test("an edit costs the same however many of its entity are not sent", async (t) => {
  const world = await createWorld(t);
  const costs: Cost[] = [];
  const phone = await world.device({ storage: meter(createMemorySyncStorage(), costs) });
  const type = async (from: number, to: number) => {
    await stored(phone.create("note/1", { title: "Typed", text: from }));
    for (let text = from; text < to; text++) {
      costs.length = 0;
      await stored(phone.patch("note/1", { text }));
    }
    assert.equal(costs.length, 1, "one transaction");
    return costs[0] as Cost;
  };
  // Texts and sequences have four digits at the end of each, so that the sizes can be compared.
  const few = await type(1000, 1003);
  const many = await type(1003, 1600);
  assert.ok(many.characters <= few.characters + 40, JSON.stringify({ few, many }));
  // Also when they have receipts that follow another device's, and the connection is lost before the pages.
  const tablet = await world.device();
  await stored(tablet.create("note/2", {}));
  let isPushed = false;
  world.network = async (send, { path }) => {
    if (path !== "/v1/push") {
      return isPushed ? Promise.reject(new TypeError("fetch failed")) : send();
    }
    world.network = online;
    if (!isPushed) await syncNow(tablet);
    isPushed = true;
    world.network = failing;
    return send();
  };
  const failing = world.network;
  assert.equal((await phone.sync()).kind, "not-synced");
  assert.equal(phone.status.pending, 0);
  costs.length = 0;
  await stored(phone.patch("note/1", { text: 1600 }));
  assert.ok((costs[0]?.characters ?? Infinity) <= few.characters + 40, JSON.stringify(costs));
  world.network = online;
  await syncAll(phone, tablet);
  assert.deepEqual(tablet.entities.get("note/1")?.payload, { title: "Typed", text: 1600 });
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
    Array.from({ length: 2400 }, (_, index) => stored(phone.create(`note/${index}`, { index }))),
  );
  await phone.close();
  const costs: Cost[] = [];
  const reopened = await world.open({ storage: meter(records, costs) });
  await reopened.loaded;
  assert.equal(reopened.entities.list("note").length, 2400);
  assert.ok(costs.every(({ listed }) => listed <= 2000));
});
