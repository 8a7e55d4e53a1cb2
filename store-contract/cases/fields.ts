import assert from "node:assert/strict";
import type { NewOperation, SyncStore } from "../../src/sync/store.ts";
import { append, mergeTexts, readLog, readSnapshot } from "../read-store.ts";
import { sampleOperation, type SampleOperationOptions } from "../samples.ts";
import type { StoreCases } from "../store-case.ts";

/** Fields of one operation. */
const FIELDS = 250;
const WIDE = "note/wide";

/** An operation that writes these fields of the wide entity, or of another one. */
function writeFields(
  sequence: number,
  fields: readonly number[],
  options: SampleOperationOptions = {},
): NewOperation {
  const payload = Object.fromEntries(fields.map((field) => [`field ${field}`, sequence]));
  return sampleOperation(sequence, {
    entityId: WIDE,
    kind: "patch",
    ...options,
    payload: JSON.stringify(payload),
  });
}

function range(first: number, count = FIELDS): number[] {
  return Array.from({ length: count }, (_, index) => first + index);
}

/** More fields than one operation can have, from the second of a push on. */
async function appendWide(store: SyncStore): Promise<void> {
  await append(store, [writeFields(1, range(0), { kind: "create" })]);
  await append(store, [
    writeFields(2, range(250)),
    sampleOperation(3, { entityId: "note/wide!" }),
    sampleOperation(4, { entityId: "note/wid" }),
    writeFields(5, range(500)),
    writeFields(6, range(250, 3)),
  ]);
  await append(store, [writeFields(7, range(750)), writeFields(8, [0, 999, 2000])]);
}

async function expectStates(store: SyncStore): Promise<void> {
  const { states } = await readSnapshot(store.operations);
  assert.deepEqual(states, mergeTexts(await readLog(store.operations)));
}

export const FIELD_CASES: StoreCases = {
  "the state of an entity with many fields is what its operations add up to": async ({
    store,
    reopen,
  }) => {
    await appendWide(store);
    await expectStates(store);
    const restarted = await reopen();
    const write = async (sequence: number) => {
      const operation = writeFields(sequence, [5, 700], { deviceId: "a" });
      return (await append(restarted, [operation])).map(({ changed }) => changed);
    };
    assert.deepEqual(await write(9), [true]);
    assert.deepEqual(await write(3), [false], "no register moved");
    await expectStates(restarted);
  },
  "an entity with many fields is deleted and brought back as a whole": async ({ store }) => {
    await appendWide(store);
    const [deleted] = await append(store, [
      sampleOperation(10, { entityId: WIDE, kind: "delete" }),
    ]);
    assert.equal(deleted?.changed, true);
    await expectStates(store);
    await append(store, [
      writeFields(11, [3, 3000], { kind: "restore" }),
      sampleOperation(11, { entityId: WIDE, kind: "delete", deviceId: "a" }),
    ]);
    await expectStates(store);
    const { states } = await readSnapshot(store.operations);
    const wide = states.find(({ entityId }) => entityId === WIDE);
    assert.equal(wide?.deleted, false);
    assert.equal(wide?.payloadFields.size, 1002);
  },
  "an entity with many fields is one of a sealed snapshot, with each operation once": async ({
    store,
  }) => {
    await appendWide(store);
    const texts = await readLog(store.operations);
    const found: (readonly string[])[] = [];
    for await (const { entity } of store.operations.sealedSnapshot()) {
      if (entity !== null) found.push(entity.operations);
    }
    const isWide = (text: string) => text.includes(`"${WIDE}"`);
    assert.equal(found.length, 3);
    assert.deepEqual(
      found.find(([text = ""]) => isWide(text)),
      texts.filter(isWide),
    );
  },
};

export const COMPACTED_FIELD_CASES: StoreCases = {
  "compaction keeps what owns one of many fields": async ({ store, compact }) => {
    await appendWide(store);
    await append(store, [writeFields(20, range(0)), writeFields(21, range(250, 3))]);
    const before = await readSnapshot(store.operations);
    const { length } = await readLog(store.operations);
    await compact(store);
    const log = await readLog(store.operations);
    assert.equal(length - log.length, 1, "an operation of three fields owns none any more");
    assert.deepEqual(await readSnapshot(store.operations), before);
    await expectStates(store);
  },
};
