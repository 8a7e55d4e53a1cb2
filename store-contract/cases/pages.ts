import assert from "node:assert/strict";
import type { SyncStore } from "../../src/sync/store.ts";
import { append, offsetsOf, readLog, textsOf } from "../read-store.ts";
import { sampleOperation, sampleOperations } from "../samples.ts";
import type { StoreCases } from "../store-case.ts";

interface Logged {
  readonly push: number;
  readonly offset: number;
  readonly text: string;
}

/** Appends pushes of these sizes, each operation on an entity of its own. */
async function appendPushesOf(store: SyncStore, sizes: readonly number[]): Promise<Logged[]> {
  const logged: Logged[] = [];
  for (const [push, size] of sizes.entries()) {
    const batch = sampleOperations(size, `d${push}`);
    const offsets = offsetsOf(await append(store, batch));
    logged.push(...batch.map(({ text }, index) => ({ push, offset: offsets[index] ?? 0, text })));
  }
  return logged;
}

/** Reads pages of every size from everywhere; `logged` is what the log has. */
async function expectWholePushes({ operations }: SyncStore, logged: readonly Logged[]) {
  for (let start = 0; start < logged.length; start++) {
    const after = logged[start - 1]?.offset ?? 0;
    for (let limit = 1; limit <= logged.length - start + 1; limit++) {
      const isEnd = (count: number) =>
        logged[start + count]?.push !== logged[start + count - 1]?.push;
      let count = Math.min(limit, logged.length - start);
      while (count > 0 && !isEnd(count)) count--;
      const expected = logged.slice(start, start + (count === 0 ? limit : count));
      const page = await operations.page(after, limit);
      const { lastOffset, headOffset, endsInside } = page;
      const where = `after ${after}, at most ${limit}`;
      assert.deepEqual(
        textsOf(page),
        expected.map(({ text }) => text),
        where,
      );
      assert.equal(endsInside, count === 0, `whether it ends inside a push: ${where}`);
      const next = logged[start + expected.length]?.offset ?? headOffset + 1;
      const last = expected.at(-1)?.offset ?? 0;
      assert.ok(lastOffset >= last && lastOffset < next, `where it ends: ${where}`);
    }
  }
}

export const PAGE_CASES: StoreCases = {
  "a page begins after its offset, has at most `limit` operations, and names its last offset":
    async ({ store }) => {
      const batch = sampleOperations(5);
      const offsets = offsetsOf(await append(store, batch));
      const texts = batch.map(({ text }) => text);
      const { headOffset } = await store.operations.head();
      const page = async (after: number, limit: number) => {
        const read = await store.operations.page(after, limit);
        assert.equal(read.headOffset, headOffset);
        return { texts: textsOf(read), lastOffset: read.lastOffset };
      };
      assert.deepEqual(await page(0, 2), { texts: texts.slice(0, 2), lastOffset: offsets[1] });
      assert.deepEqual(await page(offsets[1]!, 2), {
        texts: texts.slice(2, 4),
        lastOffset: offsets[3],
      });
      for (const limit of [1, 2]) {
        const last = { texts: texts.slice(4), lastOffset: headOffset };
        assert.deepEqual(await page(offsets[3]!, limit), last);
      }
    },
  "a page at the head is empty and stays there; a page beyond it does not go back": async ({
    store,
  }) => {
    await append(store, sampleOperations(3));
    const head = await store.operations.head();
    const { headOffset, mark } = head;
    const marks = { lastMark: mark, afterMark: mark, endsInside: false };
    const atHead = { ...head, text: "", count: 0, lastOffset: headOffset, ...marks };
    assert.deepEqual(await store.operations.page(headOffset, 10), atHead);
    const beyond = { ...atHead, lastOffset: headOffset + 7, afterMark: null };
    assert.deepEqual(await store.operations.page(headOffset + 7, 10), beyond);
  },
  "a page ends at the end of a push where its limit allows, and says when it does not": async ({
    store,
  }) => {
    await expectWholePushes(store, await appendPushesOf(store, [3, 1, 4, 1, 2, 6]));
  },
  "a push of repetitions and of new operations is whole with its new ones": async ({ store }) => {
    const first = await appendPushesOf(store, [2, 2]);
    const batch = [...sampleOperations(2, "d0"), ...sampleOperations(2, "d9")];
    const receipts = await append(store, batch);
    const added = batch.slice(2).map(({ text }, index) => ({
      push: 2,
      offset: receipts[index + 2]?.offset ?? 0,
      text,
    }));
    await expectWholePushes(store, [...first, ...added]);
  },
  "pages of every size add up to the log": async ({ store }) => {
    const batch = sampleOperations(20);
    const offsets = offsetsOf(await append(store, batch));
    const texts = batch.map(({ text }) => text);
    for (const limit of [1, 3, 10, 19, 20, 21, 500]) {
      assert.deepEqual(await readLog(store.operations, { limit }), texts);
    }
    for (const [index, after] of offsets.entries()) {
      assert.deepEqual(await readLog(store.operations, { after }), texts.slice(index + 1));
    }
  },
};

export const COMPACTED_PAGE_CASES: StoreCases = {
  "what compaction leaves of a push is whole too": async ({ store, compact }) => {
    const logged = await appendPushesOf(store, [3, 2, 3, 1, 3]);
    // It replaces the last of one push, the whole of another, and the first of a third.
    const replaced = [2, 3, 4, 5].map((index) => logged[index]);
    const batch = replaced.map((one, index) => {
      assert.ok(one !== undefined);
      const { document } = JSON.parse(one.text) as { document: { entityId: string } };
      return sampleOperation(100 + index, { entityId: document.entityId, deviceId: "later" });
    });
    const offsets = offsetsOf(await append(store, batch));
    await compact(store);
    const kept = logged.filter((one) => !replaced.includes(one));
    const added = batch.map(({ text }, index) => ({ push: 9, offset: offsets[index] ?? 0, text }));
    await expectWholePushes(store, [...kept, ...added]);
  },
};
