import assert from "node:assert/strict";
import { readNewOperation } from "../../src/sync/log/read-push.ts";
import { append, mergeTexts, offsetsOf, readAll, readLog, readSnapshot } from "../read-store.ts";
import { NOW, sampleOperation, sampleOperations } from "../samples.ts";
import type { StoreCases } from "../store-case.ts";

export const APPEND_CASES: StoreCases = {
  "an empty log has a generation and begins at 0": async ({ store }) => {
    const head = await store.operations.head();
    assert.match(head.generation, /^[A-Za-z0-9_-]{1,128}$/);
    const { generation, mark } = head;
    const empty = { generation, headOffset: 0, compactionFloor: 0, mark, keyId: null };
    assert.deepEqual(head, empty);
    const marks = { lastMark: mark, afterMark: mark, endsInside: false };
    const page = { ...head, text: "", count: 0, lastOffset: 0, ...marks };
    assert.deepEqual(await store.operations.page(0, 10), page);
  },
  "operations keep their order, and the head is the offset of the last one": async ({ store }) => {
    const batches = [sampleOperations(3), sampleOperations(1, "tablet"), sampleOperations(5, "c")];
    const offsets: number[] = [];
    for (const batch of batches) {
      const receipts = await append(store, batch);
      assert.ok(receipts.every(({ duplicate, changed }) => !duplicate && changed));
      offsets.push(...offsetsOf(receipts));
      const { headOffset } = await store.operations.head();
      assert.equal(headOffset, offsets.at(-1));
    }
    assert.ok(offsets.every((offset, index) => offset > (offsets[index - 1] ?? 0)));
    const texts = batches.flat().map(({ text }) => text);
    assert.deepEqual(await readLog(store.operations), texts);
  },
  "the result of an append has the generation of the log": async ({ store }) => {
    const result = await store.operations.append(sampleOperations(1), NOW);
    const { generation } = await store.operations.head();
    assert.equal(result.kind === "stored" && result.generation, generation);
  },
  "texts and values are stored exactly, also numbers beyond doubles": async ({ store }) => {
    const payload =
      '{ "big":9007199254740993, "huge":1e400,\t"exact":0.10, "neg":-0, "text":"\\u00e4\\n\\"🌱 \\ud800 \\u0000", "__proto__":{"a":[1,{}]} }';
    const operation = sampleOperation(1, { payload });
    await append(store, [operation]);
    assert.deepEqual(await readLog(store.operations), [operation.text]);
    const { states } = await readSnapshot(store.operations);
    assert.deepEqual(states, mergeTexts([operation.text]));
    assert.equal(states[0]?.payloadFields.get("big")?.json, "9007199254740993");
  },
  "a replay is a duplicate at its old offset and changes nothing": async ({ store }) => {
    const batch = sampleOperations(4);
    const receipts = await append(store, batch);
    const before = await readAll(store);
    const replayed = await append(store, batch.toReversed());
    assert.deepEqual(
      replayed,
      receipts.toReversed().map((receipt) => ({ ...receipt, duplicate: true, changed: false })),
    );
    assert.deepEqual(await readAll(store), before);
  },
  "the same content in another spelling is a duplicate, and the first text is kept": async ({
    store,
  }) => {
    const operation = sampleOperation(1, { payload: '{"a":1,"b":"x"}' });
    const respelled = readNewOperation(operation.text.replace('{"a":1,', '{ "a": 1.0, '));
    await append(store, [operation]);
    const [receipt] = await append(store, [respelled]);
    assert.equal(receipt?.duplicate, true);
    assert.deepEqual(await readLog(store.operations), [operation.text]);
  },
  "a batch may repeat an operation, and mix new operations with replays": async ({ store }) => {
    const [first, second, third] = sampleOperations(3);
    await append(store, [second!]);
    const receipts = await append(store, [first!, second!, third!, first!]);
    assert.deepEqual(
      receipts.map(({ duplicate }) => duplicate),
      [false, true, false, true],
    );
    assert.equal(receipts[3]?.offset, receipts[0]?.offset);
    const texts = [second, first, third].map((operation) => operation?.text);
    assert.deepEqual(await readLog(store.operations), texts);
  },
  "an id with other content is a conflict, and nothing of the batch is stored": async ({
    store,
  }) => {
    await append(store, sampleOperations(3));
    const before = await readAll(store);
    const wrong = sampleOperation(2, { entityId: "note/phone-2", payload: '{"text":"other"}' });
    const batch = [...sampleOperations(2, "tablet"), wrong, ...sampleOperations(2, "watch")];
    assert.deepEqual(await store.operations.append([...batch, wrong], NOW), {
      kind: "conflict",
      indexes: [2, 5],
    });
    assert.deepEqual(await readAll(store), before);
    const within = [sampleOperation(9), sampleOperation(9, { payload: '{"text":"other"}' })];
    assert.deepEqual(await store.operations.append(within, NOW), {
      kind: "conflict",
      indexes: [1],
    });
    assert.deepEqual(await readAll(store), before);
    const receipts = await append(store, sampleOperations(2, "tablet"));
    assert.ok(receipts.every(({ duplicate }) => !duplicate));
  },
  "an operation that changes no register is stored, with a receipt that says so": async ({
    store,
  }) => {
    const newer = sampleOperation(5, { deviceId: "b" });
    const older = sampleOperation(4, { deviceId: "a" });
    await append(store, [newer]);
    const before = await readSnapshot(store.operations);
    const [receipt] = await append(store, [older]);
    assert.equal(receipt?.duplicate, false);
    assert.equal(receipt?.changed, false);
    assert.deepEqual(await readLog(store.operations), [newer.text, older.text]);
    const after = await readSnapshot(store.operations);
    assert.deepEqual(after.states, before.states);
    assert.equal(after.head.headOffset, receipt?.offset);
  },
  "a batch merges like its operations one by one": async ({ store }) => {
    const batch = [
      sampleOperation(2, { kind: "patch", payload: '{"text":"early"}' }),
      sampleOperation(1, { payload: '{"text":"created","more":1}' }),
      sampleOperation(3, { kind: "delete" }),
      sampleOperation(5, { kind: "restore", payload: '{"text":"back"}' }),
      sampleOperation(4, { kind: "patch", deviceId: "b", payload: '{"more":2}' }),
      sampleOperation(1, { deviceId: "b", entityId: "note/2" }),
    ];
    const receipts = await append(store, batch);
    assert.ok(receipts.every(({ changed }) => changed));
    const { states } = await readSnapshot(store.operations);
    assert.deepEqual(states, mergeTexts(batch.map(({ text }) => text)));
  },
  "a hundred operations fit into one append": async ({ store }) => {
    const batch = sampleOperations(100);
    await append(store, batch);
    const texts = batch.map(({ text }) => text);
    assert.deepEqual(await readLog(store.operations, { limit: 33 }), texts);
  },
};
