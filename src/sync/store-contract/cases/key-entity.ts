import assert from "node:assert/strict";
import { KEY_ENTITY_ID } from "../../../contract/sync/operation-limits.ts";
import { append, readAll } from "../read-store.ts";
import { NOW, sampleOperation, type SampleOperationOptions } from "../samples.ts";
import type { StoreCases } from "../store-case.ts";

const key = (sequence: number, options: SampleOperationOptions = {}) =>
  sampleOperation(sequence, { entityId: KEY_ENTITY_ID, ...options });

export const KEY_ENTITY_CASES: StoreCases = {
  "the key entity is created once, and its create may be repeated": async ({ store, reopen }) => {
    await append(store, [key(1), sampleOperation(2)]);
    const before = await readAll(store);
    const reopened = await reopen();
    const batch = [sampleOperation(3), key(1, { deviceId: "tablet" })];
    const refused = { kind: "key-exists", indexes: [1] };
    assert.deepEqual(await reopened.operations.append(batch, NOW), refused);
    const [receipt] = await append(reopened, [key(1)]);
    assert.equal(receipt?.duplicate, true);
    assert.deepEqual(await readAll(reopened), before);
  },
  "of two creates of the key entity at once, one is stored": async ({ store }) => {
    const creates = ["phone", "tablet", "laptop"].map((deviceId) => key(1, { deviceId }));
    const results = await Promise.all(
      creates.map((operation) => store.operations.append([operation], NOW)),
    );
    const kinds = results.map(({ kind }) => kind).toSorted();
    assert.deepEqual(kinds, ["key-exists", "key-exists", "stored"]);
  },
  "the create of the key entity may come after its patch": async ({ store }) => {
    await append(store, [key(2, { kind: "patch" })]);
    const [receipt] = await append(store, [key(1)]);
    assert.equal(receipt?.changed, true);
  },
};
