import assert from "node:assert/strict";
import { readNewOperation } from "../../../src/sync/log/read-push.ts";
import { checkStore } from "../../../src/sync/maintenance/check-store.ts";
import { compactLog } from "../../../src/sync/maintenance/compact.ts";
import { planPurge, purgeTombstones } from "../../../src/sync/maintenance/purge-tombstones.ts";
import { readSyncStatus } from "../../../src/sync/maintenance/read-status.ts";
import type { SqlSyncStore } from "../../../src/sync/sql/open-sql-store.ts";
import { mergeTexts, readLog, readSnapshot } from "../../../store-contract/read-store.ts";
import { createOperation } from "../../fixtures/sync-operation.ts";
import { createDevice, pullFrom, pushTo } from "./device.ts";
import { testOnBothStores } from "./on-both-stores.ts";

const edit = (sequence: number, entity: number, title = "x".repeat(2000)) =>
  createOperation({ sequence, entityId: `note/${entity}`, payload: { title, sequence } });
const remove = (sequence: number, entity: number) =>
  createOperation({ kind: "delete", sequence, entityId: `note/${entity}` });

testOnBothStores(
  "superseded operations are removed, and their replays are still recognised",
  async (place) => {
    const store = await place.open();
    const operations = Array.from({ length: 90 }, (_, index) => edit(index + 1, index % 3));
    await pushTo(store, operations);
    const before = await readSyncStatus(store.database);
    const report = await compactLog(store.database, 7);
    assert.deepEqual([report.examined, report.removed], [90, 87]);
    assert.ok(report.removedBytes > 87 * 2000);
    if (store.database.dialect === "sqlite") {
      const after = await readSyncStatus(store.database);
      assert.equal(report.freedBytes, before.databaseBytes - after.databaseBytes);
      assert.ok(report.freedBytes > 80 * 2000);
    }
    assert.equal((await compactLog(store.database)).removed, 0);
    const { receipts } = await pushTo(store, operations);
    assert.ok(receipts.every(({ duplicate, changed }) => duplicate && !changed));
    assert.deepEqual(
      receipts.map(({ offset }) => offset),
      operations.map((_, index) => index + 1),
    );
    const reordered = operations.map((operation) => ({
      ...operation,
      changedFields: operation.changedFields.toReversed(),
    }));
    const again = await pushTo(store, reordered);
    assert.deepEqual(again, { receipts });
    const { operations: left, ledger } = await readSyncStatus(store.database);
    assert.deepEqual([left, ledger], [3, 90]);
  },
);

testOnBothStores("compaction beside concurrent pushes loses nothing", async (place) => {
  const [store, beside] = [await place.open(), await place.open()];
  const watching = createDevice(store);
  let isDone = false;
  const pushing = (async () => {
    for (let batch = 0; batch < 30; batch++) {
      await pushTo(
        store,
        Array.from({ length: 20 }, (_, index) => edit(batch * 20 + index + 1, index % 5, "y")),
      );
      await watching.sync(7);
    }
    isDone = true;
  })();
  let removed = 0;
  while (!isDone) removed += (await compactLog(beside.database, 11)).removed;
  await pushing;
  removed += (await compactLog(beside.database)).removed;
  assert.equal(removed, 595);
  const fresh = createDevice(store);
  await fresh.sync(2);
  assert.deepEqual(watching.view(), fresh.view());
});

testOnBothStores(
  "a purge removes old tombstones, and every device reaches the head",
  async (place) => {
    const store = await place.open();
    await pushTo(store, [edit(1, 1), edit(2, 2), edit(3, 3), edit(4, 4)], () => 1000);
    const away = createDevice(store);
    await away.sync(2);
    await pushTo(store, [remove(5, 1), remove(6, 2)], () => 2000);
    await pushTo(store, [remove(7, 3), edit(8, 2)], () => 3000);
    const synced = createDevice(store);
    await synced.sync(3);
    const headBefore = (await readSyncStatus(store.database)).headOffset;

    // Only the first was deleted before 2500 and not again since.
    const plan = await planPurge(store.database, 2500);
    assert.deepEqual([[...plan.tombstones.keys()], plan.remaining], [["note/1"], 3]);
    const report = await purgeTombstones(store, plan);
    assert.deepEqual(
      [report.removedTombstones, report.removedOperations, report.remaining],
      [1, 2, 3],
    );
    const { headOffset, compactionFloor, entities } = await readSyncStatus(store.database);
    assert.equal(compactionFloor, headBefore);
    assert.ok(headOffset > headBefore);
    assert.deepEqual(entities, { live: 2, deleted: 1, awaiting: 0 });
    assert.equal(store.highWater.read()?.headOffset, headOffset);

    const fresh = createDevice(store);
    for (const limit of [1, 2, 500]) {
      fresh.cursor = undefined;
      assert.deepEqual(await fresh.sync(limit), []);
    }
    assert.deepEqual(await synced.sync(1), []);
    assert.deepEqual(await away.sync(1), ["missing_compacted_history"]);
    assert.deepEqual(await away.sync(1), []);

    // The receipt of a replay has a cursor from which the device can continue.
    const { receipts } = await pushTo(store, [edit(1, 1), remove(5, 1), edit(4, 4)]);
    for (const { cursor, duplicate } of receipts) {
      assert.equal(duplicate, true);
      assert.equal((await pullFrom(store, cursor, 500)).recoveryReason, "none");
    }
    assert.deepEqual((await readSyncStatus(store.database)).entities, entities);
  },
);

testOnBothStores(
  "a purge of nothing moves nothing, and a purge of everything leaves an empty log",
  async (place) => {
    const store = await place.open();
    await pushTo(store, [edit(1, 1), remove(2, 1)], () => 2000);
    const before = await readSyncStatus(store.database);
    await purgeTombstones(store, await planPurge(store.database, 2000));
    assert.deepEqual(await readSyncStatus(store.database), before);

    await purgeTombstones(store, await planPurge(store.database, 2001));
    const { headOffset, compactionFloor, operations, ledger } = await readSyncStatus(
      store.database,
    );
    assert.deepEqual([headOffset, compactionFloor, operations, ledger], [2, 2, 0, 2]);
    assert.deepEqual(await createDevice(store).sync(1), []);
    const { receipts } = await pushTo(store, [edit(3, 2)]);
    assert.equal(receipts[0]?.offset, 3);
  },
);

testOnBothStores("an entity that is restored between plan and purge is kept", async (place) => {
  const store = await place.open();
  await pushTo(store, [edit(1, 1), remove(2, 1)], () => 1000);
  const plan = await planPurge(store.database, 2000);
  await pushTo(store, [edit(3, 1)]);
  assert.equal((await purgeTombstones(store, plan)).removedTombstones, 0);
  assert.equal((await readSyncStatus(store.database)).entities.live, 1);
});

testOnBothStores(
  "an id with other content is a conflict, also after compaction or a purge",
  async (place) => {
    const store = await place.open();
    // More operations, and more of one entity, than any batch.
    for (let first = 1; first <= 600; first += 100) {
      await pushTo(
        store,
        Array.from({ length: 100 }, (_, index) => edit(first + index, 1, "x")),
        () => 1000,
      );
    }
    assert.equal((await checkStore(store.database)).kind, "sound");
    await pushTo(store, [remove(601, 1)], () => 1000);
    const refuses = async (sequence: number) => {
      const batch = [edit(700, 2), edit(sequence, 1, "other"), edit(701, 2)].map((operation) =>
        readNewOperation(JSON.stringify(operation)),
      );
      assert.equal((await store.operations.append(batch, 0)).kind, "conflict");
      const { receipts } = await pushTo(store, [edit(sequence, 1, "x")]);
      assert.deepEqual(
        receipts.map(({ duplicate }) => duplicate),
        [true],
      );
      assert.equal((await checkStore(store.database)).kind, "sound");
    };
    await refuses(300);
    assert.ok((await compactLog(store.database)).removed > 500);
    await refuses(300);
    const { removedOperations } = await purgeTombstones(
      store,
      await planPurge(store.database, 2000),
    );
    assert.ok(removedOperations > 0);
    await refuses(300);
    await refuses(600);
  },
);

testOnBothStores("a deleted entity keeps all its registers until it is purged", async (place) => {
  const store = await place.open();
  const patch = { kind: "patch", entityId: "note/1", payload: { title: "later" } } as const;
  await pushTo(store, [edit(1, 1, "first"), createOperation({ ...patch, sequence: 2 })]);
  await pushTo(store, [remove(3, 1)]);
  await compactLog(store.database);
  const [state] = await readStates(store);
  assert.ok(state?.deleted);
  const values = [...state.payloadFields].map(([name, { json }]) => [name, json]);
  assert.deepEqual(values, [
    ["title", '"later"'],
    ["sequence", "1"],
  ]);
  // A device that comes later learns them too, from the operations that own them.
  assert.deepEqual(await readStates(store), mergeTexts(await readLog(store.operations)));
  await purgeTombstones(store, await planPurge(store.database, Date.now() + 1));
  assert.deepEqual(await readStates(store), []);
});

const readStates = async (store: SqlSyncStore) => (await readSnapshot(store.operations)).states;
