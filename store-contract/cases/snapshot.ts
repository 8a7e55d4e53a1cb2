import assert from "node:assert/strict";
import { parseEntityState } from "../../src/rules/sync/entity-state-text.ts";
import { append, mergeTexts, readLog, readSnapshot } from "../read-store.ts";
import { sampleOperation, sampleOperations } from "../samples.ts";
import type { StoreCases } from "../store-case.ts";

export const SNAPSHOT_CASES: StoreCases = {
  "a snapshot of an empty log yields its head, once": async ({ store }) => {
    const items = [];
    for await (const item of store.operations.snapshot()) items.push(item);
    assert.deepEqual(items, [{ head: await store.operations.head(), state: null }]);
  },
  "a snapshot has the states that the log adds up to, and the head of that log": async ({
    store,
  }) => {
    await append(store, sampleOperations(5));
    await append(store, [
      sampleOperation(9, { entityId: "note/phone-2", kind: "delete" }),
      sampleOperation(9, { deviceId: "b", entityId: "note/phone-3", kind: "patch" }),
      sampleOperation(8, { deviceId: "b", entityId: "note/awaited", kind: "patch" }),
    ]);
    const { head, states } = await readSnapshot(store.operations);
    assert.deepEqual(head, await store.operations.head());
    assert.deepEqual(states, mergeTexts(await readLog(store.operations)));
  },
  "a sealed snapshot has the operations that own a register, before and after compaction": async ({
    store,
    compact,
  }) => {
    for await (const item of store.operations.sealedSnapshot()) {
      assert.deepEqual(item, { head: await store.operations.head(), entity: null });
    }
    const create = sampleOperation(1, { payload: '{"a":1,"b":2}' });
    const [lost, kept] = [2, 3].map((sequence) =>
      sampleOperation(sequence, { kind: "patch", payload: '{"a":3}' }),
    );
    assert.ok(lost !== undefined && kept !== undefined);
    const removed = sampleOperation(5, { kind: "delete", entityId: "note/2" });
    const awaited = sampleOperation(2 ** 40, { kind: "patch", entityId: "note/3" });
    await append(store, [awaited, create, lost, removed, kept]);
    const expected = [[create.text, kept.text], [removed.text], [awaited.text]];
    for (const step of [async () => {}, () => compact(store)]) {
      await step();
      const owned: (readonly string[] | undefined)[] = [];
      for await (const { entity } of store.operations.sealedSnapshot()) {
        owned.push(entity?.operations);
      }
      assert.deepEqual(owned, expected);
    }
  },
  "a snapshot is ordered by the code units of entity ids": async ({ store }) => {
    const ids = ["a", "B", "_", "10", "2", "Z", "~", "%C3%A4", "a-b", "a.b", "ab", "A", "aB"];
    const operations = ids.map((id, index) =>
      sampleOperation(index + 1, { entityId: `note/${id}` }),
    );
    await append(store, operations);
    const { states } = await readSnapshot(store.operations);
    assert.deepEqual(
      states.map(({ entityId }) => entityId),
      // Without a comparison, sort is by code unit.
      ids.map((id) => `note/${id}`).sort(),
    );
  },
  "a snapshot is of one moment, and blocks no writer": async ({ store }) => {
    for (let first = 1; first <= 1101; first += 100) {
      await append(store, sampleOperations(100, "phone", first));
    }
    const before = await readLog(store.operations);
    const { headOffset } = await store.operations.head();
    const iterator = store.operations.snapshot()[Symbol.asyncIterator]();
    const items = [await iterator.next()];
    for (let round = 0; items.at(-1)?.done !== true; round++) {
      if (round % 100 === 0 && round < 1000) {
        const sequence = 5000 + round;
        await append(store, [
          sampleOperation(sequence, { deviceId: "b", entityId: "note/phone-999", kind: "patch" }),
          sampleOperation(sequence + 1, { deviceId: "b", entityId: `note/zzz-${round}` }),
        ]);
      }
      items.push(await iterator.next());
    }
    const read = items.filter((item) => item.done !== true).map((item) => item.value);
    const moment = read[0]?.head.headOffset;
    assert.equal(moment, headOffset, "the moment is that of its beginning");
    assert.ok(read.every(({ head }) => head.headOffset === moment));
    const states = read.map(({ state }) => parseEntityState(state ?? "null"));
    assert.deepEqual(states, mergeTexts(before));
  },
  "a snapshot may be abandoned early, any number of times": async ({ store }) => {
    await append(store, sampleOperations(50));
    for (let round = 0; round < 30; round++) {
      let count = 0;
      for await (const { state } of store.operations.snapshot()) {
        if (state !== null) count++;
        if (count > round % 5) break;
      }
    }
    await append(store, sampleOperations(1, "tablet"));
    assert.equal((await readSnapshot(store.operations)).states.length, 51);
  },
};
