import assert from "node:assert/strict";
import type { StoredReceipt, SyncStore } from "../../src/sync/store.ts";
import { append, mergeTexts, offsetsOf, readLog, readSnapshot } from "../read-store.ts";
import { sampleOperation } from "../samples.ts";
import type { StoreCases } from "../store-case.ts";

/** The fourth operation supersedes the first and the last. A later create does not supersede the last delete. */
const BATCH = [
  sampleOperation(1),
  sampleOperation(2, { kind: "delete" }),
  sampleOperation(3, { entityId: "note/2" }),
  sampleOperation(9),
  sampleOperation(4, { deviceId: "b" }),
];

async function appendAndCompact(
  store: SyncStore,
  compact: (store: SyncStore) => Promise<void>,
): Promise<StoredReceipt[]> {
  const receipts = await append(store, BATCH);
  await compact(store);
  const kept = [BATCH[1]?.text, BATCH[2]?.text, BATCH[3]?.text];
  assert.deepEqual(await readLog(store.operations), kept, "superseded operations are removed");
  return receipts;
}

export const COMPACTION_CASES: StoreCases = {
  "pages lead across compacted operations to the head": async ({ store, compact }) => {
    const offsets = offsetsOf(await appendAndCompact(store, compact));
    const head = await store.operations.head();
    assert.equal(head.headOffset, offsets.at(-1));
    assert.equal(head.compactionFloor, 0, "only a purge moves the floor");
    for (const after of [0, ...offsets]) {
      for (const limit of [1, 2, 10]) await readLog(store.operations, { after, limit });
    }
    const atGap = await store.operations.page(offsets[3]!, 10);
    const marks = { lastMark: head.mark, afterMark: head.mark, endsInside: false };
    assert.deepEqual(atGap, { ...head, text: "", count: 0, lastOffset: head.headOffset, ...marks });
  },
  "compacted operations still count in the states, and their replays are recognised": async ({
    store,
    compact,
  }) => {
    const receipts = await appendAndCompact(store, compact);
    const { states } = await readSnapshot(store.operations);
    assert.deepEqual(states, mergeTexts(BATCH.map(({ text }) => text)));
    assert.deepEqual(
      await append(store, BATCH),
      receipts.map((receipt) => ({ ...receipt, duplicate: true, changed: false })),
    );
  },
  "offsets of compacted operations are not reused, not even after a restart": async ({
    store,
    compact,
    reopen,
  }) => {
    const offsets = offsetsOf(await appendAndCompact(store, compact));
    const [receipt] = await append(await reopen(), [sampleOperation(20)]);
    assert.ok((receipt?.offset ?? 0) > Math.max(...offsets));
  },
};
