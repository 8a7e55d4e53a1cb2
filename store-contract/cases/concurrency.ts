import assert from "node:assert/strict";
import type { StoreCases } from "../store-case.ts";
import { append, mergeTexts, offsetsOf, readLog, readSnapshot, textsOf } from "../read-store.ts";
import { NOW, sampleOperation, sampleOperations } from "../samples.ts";
import { followLog, writeAtOnce } from "../write-at-once.ts";

export const CONCURRENCY_CASES: StoreCases = {
  "concurrent appends are all stored once, each in its order": async ({ store }) => {
    const written = await writeAtOnce([store, store, store, store], 12);
    const log = await readLog(store.operations);
    const byOffset = written.flat().sort((a, b) => a.offset - b.offset);
    assert.deepEqual(
      log,
      byOffset.map(({ text }) => text),
    );
    assert.equal(new Set(byOffset.map(({ offset }) => offset)).size, log.length);
    for (const ofOne of written) {
      const offsets = ofOne.map(({ offset }) => offset);
      assert.deepEqual(
        offsets,
        offsets.toSorted((a, b) => a - b),
        "a later append of the same writer has the greater offset",
      );
    }
    const { states } = await readSnapshot(store.operations);
    assert.deepEqual(states, mergeTexts(log));
  },
  "a reader beside writers pulls every operation once, in the order of offsets": async ({
    store,
  }) => {
    const writing = writeAtOnce([store, store, store], 15);
    const [seen] = await Promise.all([followLog(store, writing), writing]);
    assert.deepEqual(seen, await readLog(store.operations));
  },
  "an acknowledged append is visible at once": async ({ store }) => {
    for (let round = 1; round <= 10; round++) {
      const operation = sampleOperation(round, { entityId: `note/${round}` });
      const [receipt] = await append(store, [operation]);
      const [head, page, { states }] = await Promise.all([
        store.operations.head(),
        store.operations.page((receipt?.offset ?? 0) - 1, 1),
        readSnapshot(store.operations),
      ]);
      assert.equal(head.headOffset, receipt?.offset);
      assert.deepEqual(textsOf(page), [operation.text]);
      assert.equal(states.length, round);
    }
  },
  "a batch that is appended many times at once is stored once": async ({ store }) => {
    const batch = sampleOperations(10);
    const results = await Promise.all(Array.from({ length: 8 }, () => append(store, batch)));
    const firsts = results.filter((receipts) => receipts.every(({ duplicate }) => !duplicate));
    assert.equal(firsts.length, 1);
    const others = results.filter((receipts) => receipts.every(({ duplicate }) => duplicate));
    assert.equal(others.length, 7);
    for (const receipts of results) assert.deepEqual(offsetsOf(receipts), offsetsOf(results[0]!));
    assert.equal((await readLog(store.operations)).length, 10);
  },
  "of different contents for one id that are appended at once, one is stored and the others conflict":
    async ({ store }) => {
      const contents = Array.from({ length: 6 }, (_, index) => [
        sampleOperation(index + 1, { deviceId: `writer-${index}` }),
        sampleOperation(99, { payload: `{"text":"${index}"}` }),
      ]);
      const results = await Promise.all(
        contents.map((batch) => store.operations.append(batch, NOW)),
      );
      const stored = results.findIndex(({ kind }) => kind === "stored");
      assert.equal(results.filter(({ kind }) => kind === "conflict").length, 5);
      assert.deepEqual(
        await readLog(store.operations),
        contents[stored]?.map(({ text }) => text),
      );
    },
};
