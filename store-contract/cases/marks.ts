import assert from "node:assert/strict";
import type { StoredReceipt, SyncStore } from "../../src/sync/store.ts";
import { append, readSnapshot } from "../read-store.ts";
import { sampleOperation, sampleOperations } from "../samples.ts";
import type { StoreCases } from "../store-case.ts";

/** Three appends of several operations each. */
async function appendThrice(store: SyncStore): Promise<StoredReceipt[][]> {
  return [
    await append(store, sampleOperations(3)),
    await append(store, sampleOperations(1, "tablet")),
    await append(store, sampleOperations(4, "watch")),
  ];
}

/** Pages of every size, from everywhere, name the marks of the receipts. */
async function expectMarks({ operations }: SyncStore, receipts: readonly StoredReceipt[]) {
  const marks = new Map(receipts.map(({ offset, mark }) => [offset, mark]));
  for (const { offset: after, mark } of receipts) {
    for (const limit of [1, 2, 5]) {
      const page = await operations.page(after, limit);
      assert.equal(page.afterMark, mark, "the mark where a page begins");
      assert.equal(page.lastMark, marks.get(page.lastOffset), "the mark where a page ends");
    }
  }
  const last = receipts.at(-1)?.mark;
  assert.equal((await operations.head()).mark, last, "the mark of the head");
  assert.equal((await readSnapshot(operations)).head.mark, last, "the mark of a snapshot");
}

export const MARK_CASES: StoreCases = {
  "every append has a mark of its own, which all of its offsets have": async ({ store }) => {
    const { mark: first } = await store.operations.head();
    const appends = await appendThrice(store);
    const marks = appends.map((receipts) => [...new Set(receipts.map(({ mark }) => mark))]);
    assert.ok(
      marks.every(({ length }) => length === 1),
      "one mark for all operations of an append",
    );
    const all = [first, ...marks.flat()];
    assert.equal(new Set(all).size, all.length, "no mark is used twice");
    for (const mark of all) assert.match(mark, /^[A-Za-z0-9_-]{11}$/);
    await expectMarks(store, appends.flat());
    assert.equal((await store.operations.page(0, 1)).afterMark, first, "the mark of offset 0");
  },
  "replays have the marks of their first append, and make none": async ({ store }) => {
    const receipts = (await appendThrice(store)).flat();
    const replayed = await append(store, [
      ...sampleOperations(3),
      ...sampleOperations(1, "tablet"),
      ...sampleOperations(4, "watch"),
    ]);
    const marksOf = (list: readonly StoredReceipt[]) => list.map(({ mark }) => mark);
    assert.deepEqual(marksOf(replayed), marksOf(receipts));
    await expectMarks(store, receipts);
  },
  "marks survive a restart": async ({ store, reopen }) => {
    const { mark: first } = await store.operations.head();
    const receipts = (await appendThrice(store)).flat();
    const restarted = await reopen();
    await expectMarks(restarted, receipts);
    assert.equal((await restarted.operations.page(0, 1)).afterMark, first);
  },
};

export const COMPACTED_MARK_CASES: StoreCases = {
  "compaction changes no mark": async ({ store, compact }) => {
    const receipts = [
      ...(await append(store, [sampleOperation(1), sampleOperation(2)])),
      ...(await append(store, [
        sampleOperation(3),
        sampleOperation(1, { deviceId: "b", entityId: "note/2" }),
      ])),
      ...(await append(store, [sampleOperation(9)])),
    ];
    await compact(store);
    const { count } = await store.operations.page(0, 10);
    assert.equal(count, 2, "superseded operations are removed");
    await expectMarks(store, receipts);
  },
};
