/** A store that is rolled back to an earlier state, with everything beside it, and written to again. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { compactLog } from "../../../src/sync/maintenance/compact.ts";
import type { SqlSyncStore } from "../../../src/sync/sql/open-sql-store.ts";
import { createOperation } from "../../fixtures/sync-operation.ts";
import { pullFrom, pushTo } from "./device.ts";
import { testOnBothStores, type SyncPlace } from "./on-both-stores.ts";
import { copyEverything, copyTables, putTablesBack } from "./put-tables-back.ts";

/** A cursor that a device has, and the ids of all operations that it has seen by then. */
interface SeenHistory {
  readonly cursor: string;
  readonly ids: readonly string[];
}

const sizes = fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 5 });

testOnBothStores("every cursor of a lost history starts anew, and no other", async (place) => {
  const store = await place.open();
  let sequence = 0;

  async function push(log: string[], size: number): Promise<SeenHistory[]> {
    const operations = Array.from({ length: size }, () =>
      createOperation({ sequence: ++sequence, entityId: `note/${sequence}` }),
    );
    const { receipts } = await pushTo(store, operations);
    return receipts.map(({ cursor }, index) => {
      log.push(operations[index]?.operationId ?? "");
      return { cursor, ids: [...log] };
    });
  }

  await fc.assert(
    fc.asyncProperty(sizes, sizes, sizes, async (before, lost, after) => {
      const log = await readIds(store);
      const seen: SeenHistory[] = [
        { cursor: (await pullFrom(store, undefined, 500)).cursor, ids: [...log] },
      ];
      for (const size of before) seen.push(...(await push(log, size)));
      const rollBack = await copyEverything(store, place);
      const lostLog = [...log];
      for (const size of lost) seen.push(...(await push(lostLog, size)));
      seen.push(...(await readPages(store, 2)));
      await rollBack();
      for (const size of after) seen.push(...(await push(log, size)));
      for (const { cursor, ids } of seen) {
        const page = await pullFrom(store, cursor, 500);
        const isPart = ids.every((id, index) => log[index] === id);
        assert.equal(page.requiresSnapshot, !isPart, page.recoveryReason);
        if (isPart) assert.deepEqual(idsOf(page.operations), log.slice(ids.length));
      }
    }),
    { numRuns: 15 },
  );
});

testOnBothStores("compaction before or after does not change what is noticed", async (place) => {
  const store = await place.open();
  const edit = (sequence: number) => createOperation({ sequence, entityId: "note/1" });
  await pushTo(store, [edit(1), edit(2), edit(3)]);
  const rollBack = await copyEverything(store, place);
  const lost = await pushTo(store, [edit(4), edit(5), edit(6)]);
  await compactLog(store.database);
  for (const { cursor } of lost.receipts) {
    assert.equal((await pullFrom(store, cursor, 1)).recoveryReason, "none");
  }
  await rollBack();
  await pushTo(store, [edit(14), edit(15), edit(16), edit(17)]);
  await compactLog(store.database);
  for (const { cursor } of lost.receipts) {
    assert.equal((await pullFrom(store, cursor, 1)).recoveryReason, "generation_changed");
  }
});

testOnBothStores("a log from before there were marks counts as one commit", async (place) => {
  const store = await place.open();
  const edit = (sequence: number) => createOperation({ sequence, entityId: `note/${sequence}` });
  const { receipts } = await pushTo(store, [edit(1), edit(2), edit(3)]);
  await store.database.transaction((tx) => tx.script("DELETE FROM sync_marks;"));
  const [old = "", unmarked = ""] = receipts.map(({ cursor }) => cursor);
  await store.close();
  const migrated = await place.open();
  assert.equal((await pullFrom(migrated, old, 1)).recoveryReason, "generation_changed");
  const without = withoutMark(unmarked);
  assert.equal((await pullFrom(migrated, without, 1)).recoveryReason, "generation_changed");
  for (const { cursor } of await readPages(migrated, 1)) {
    assert.equal((await pullFrom(migrated, cursor, 1)).recoveryReason, "none");
  }
  const again = await pushTo(migrated, [edit(2), edit(4)]);
  for (const { cursor } of again.receipts) {
    assert.equal((await pullFrom(migrated, cursor, 1)).recoveryReason, "none");
  }
});

function withoutMark(cursor: string): string {
  const text = Buffer.from(cursor, "base64url").toString();
  return Buffer.from(text.replace(/,"mark":"[^"]*"/, "")).toString("base64url");
}

async function readPages(store: SqlSyncStore, limit: number): Promise<SeenHistory[]> {
  const pages: SeenHistory[] = [];
  const ids: string[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await pullFrom(store, cursor, limit);
    ids.push(...idsOf(page.operations));
    pages.push({ cursor: page.cursor, ids: [...ids] });
    if (page.operations.length === 0) return pages;
    cursor = page.cursor;
  }
}

async function readIds(store: SqlSyncStore): Promise<string[]> {
  return [...((await readPages(store, 500)).at(-1)?.ids ?? [])];
}

function idsOf(operations: readonly unknown[]): string[] {
  return operations.map((operation) => (operation as { operationId: string }).operationId);
}

/** Two processes whose database is rolled back under them; the high-water file stays. */
async function rollBackUnderTwo(place: SyncPlace) {
  const stores = [await place.open(), await place.open()] as const;
  const [one, two] = stores;
  const edit = (sequence: number) => createOperation({ sequence, entityId: `note/${sequence}` });
  await pushTo(one, [edit(1), edit(2)]);
  await copyTables(one.database);
  await pushTo(two, [edit(3), edit(4), edit(5)]);
  const before = await one.operations.head();
  await putTablesBack(one.database);
  return { one, two, edit, before };
}

const countRollbacks = async (store: SqlSyncStore) => {
  const counts = await store.transaction(({ identity }) => identity.listSecurityCounts());
  return counts.map(({ kind, total }) => [kind, total]);
};

testOnBothStores("a database that is rolled back under its processes is noticed", async (place) => {
  const { one, two, before } = await rollBackUnderTwo(place);
  await Promise.all([one.prune(0), two.prune(0), one.prune(0)]);
  const head = await two.operations.head();
  assert.notEqual(head.generation, before.generation);
  assert.ok(head.headOffset >= before.headOffset, "no offset is used twice");
  assert.deepEqual(await countRollbacks(one), [["store-restored", 1]]);
  assert.equal(one.highWater.read()?.generation, head.generation);
});

testOnBothStores("a push that does not reach the high-water mark tells of it", async (place) => {
  const { one, two, edit, before } = await rollBackUnderTwo(place);
  await pushTo(one, [edit(6)]);
  assert.equal(two.highWater.read()?.headOffset, before.headOffset, "the mark stays");
  const deadline = performance.now() + 10_000;
  while ((await two.operations.head()).generation === before.generation) {
    assert.ok(performance.now() < deadline, "it was not noticed");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const { headOffset } = await two.operations.head();
  assert.ok(headOffset >= before.headOffset, "no offset is used twice");
  assert.deepEqual(idsOf((await pullFrom(two, undefined, 9)).operations).length, 3);
});

testOnBothStores("processes that overtake each other tell of nothing", async (place) => {
  const [one, two] = [await place.open(), await place.open()];
  const edit = (sequence: number) => createOperation({ sequence, entityId: `note/${sequence}` });
  await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      pushTo(index % 2 === 0 ? one : two, [edit(index + 1)]),
    ),
  );
  for (const store of [one, two]) await store.prune(0);
  assert.deepEqual(await countRollbacks(one), []);
  const { generation, headOffset } = await one.operations.head();
  const clock = { greatestSequence: 40, takesAnySequence: false };
  assert.deepEqual(one.highWater.read(), { generation, headOffset, clock });
});
