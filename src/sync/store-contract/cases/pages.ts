import assert from "node:assert/strict";
import { append, offsetsOf, readLog } from "../read-store.ts";
import { sampleOperations } from "../samples.ts";
import type { StoreCases } from "../store-case.ts";

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
        return { texts: read.texts, lastOffset: read.lastOffset };
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
    const marks = { lastMark: mark, afterMark: mark };
    const atHead = { ...head, texts: [], lastOffset: headOffset, ...marks };
    assert.deepEqual(await store.operations.page(headOffset, 10), atHead);
    const beyond = { ...atHead, lastOffset: headOffset + 7, afterMark: null };
    assert.deepEqual(await store.operations.page(headOffset + 7, 10), beyond);
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
