import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createChecker } from "../../contract/check.ts";
import { SnapshotEntity } from "../../contract/sync/operation.ts";
import { expectedView, histories } from "../../../test/fixtures/sync-history.ts";
import { createParsedOperation } from "../../../test/fixtures/sync-operation.ts";
import { applyOperation, mergeStates, type EntityState } from "./merge.ts";
import { parseOperation, type ParsedOperation } from "./operation-text.ts";
import { restorableEntity, snapshotEntityToText, visibleEntity } from "./visible-entity.ts";

const mergeAll = (operations: readonly ParsedOperation[], from: EntityState | null = null) =>
  operations.reduce<EntityState | null>(
    (state, operation) => applyOperation(state, operation).state,
    from,
  );
const view = (state: EntityState | null) => (state === null ? null : visibleEntity(state));

test("visible fields are those written with or after the last delete", () => {
  fc.assert(
    fc.property(histories, (operations) => {
      const seen = view(mergeAll(operations));
      assert.deepEqual(toComparable(seen), toComparable(expectedView(operations)));
    }),
    { numRuns: 1000 },
  );
});

test("a device that starts from a snapshot has the same as one that pulled everything", () => {
  fc.assert(
    fc.property(histories, fc.nat(10), (operations, moment) => {
      const before = mergeAll(operations.slice(0, moment));
      const snapshot = before === null ? null : fromSnapshot(before);
      const later = operations.slice(moment);
      const expected = mergeAll(operations);
      assert.deepEqual(mergeAll(later, snapshot), expected);
      // A device that already held something merges the snapshot into it.
      for (let held = 0; held <= operations.length; held++) {
        const own = mergeAll(operations.slice(0, held));
        const joined = snapshot === null ? own : mergeStates(own, snapshot).state;
        assert.deepEqual(mergeAll(later, joined), expected);
      }
    }),
  );
});

const checker = createChecker(SnapshotEntity);

test("a snapshot's entity obeys its schema and has every register, hidden ones included", () => {
  fc.assert(
    fc.property(histories, (operations) => {
      const state = mergeAll(operations);
      if (state === null) return;
      const entry: unknown = JSON.parse(snapshotEntityToText(state));
      assert.deepEqual(checker.errors(entry), []);
      assert.ok(checker.is(entry));
      assert.deepEqual(readSnapshotEntity(entry), state);
    }),
  );
});

test("a snapshot carries values exactly as they were pushed", () => {
  const text = createParsedOperation({ entityId: "note/1", payload: { big: 0 } }).text;
  const state = mergeAll([parseOperation(text.replace('"big":0', '"big": 9007199254740993'))]);
  assert.equal(
    snapshotEntityToText(state as EntityState),
    '{"entityId":"note/1","lifecycleRevision":{"deviceId":"phone","sequence":1},"deletedRevision":null,"deleted":false,"payloadFields":{"big":{"value":9007199254740993,"revision":{"deviceId":"phone","sequence":1}}},"metadataFields":{}}',
  );
});

test("what a restore brings back shows every field that the entity ever had", () => {
  fc.assert(
    fc.property(histories, (operations) => {
      const state = mergeAll(operations);
      const restorable = state === null ? null : restorableEntity(state);
      // Without its deletes, an entity hides nothing.
      const lives = operations.filter(({ kind }) => kind !== "delete");
      const isThere = operations.some(({ kind }) => kind !== "patch");
      assert.equal(restorable !== null, isThere);
      const payload = new Map(
        [...(mergeAll(lives)?.payloadFields ?? [])].map(([name, { json }]) => [name, json]),
      );
      if (restorable !== null)
        assert.deepEqual(sortByName(restorable.payload), sortByName(payload));
    }),
  );
});

/** The state as a device reads it from a snapshot. */
function fromSnapshot(state: EntityState): EntityState {
  const entry: unknown = JSON.parse(snapshotEntityToText(state));
  assert.ok(checker.is(entry));
  return readSnapshotEntity(entry);
}

function readSnapshotEntity(entity: SnapshotEntity): EntityState {
  const toRegisters = (fields: SnapshotEntity["payloadFields"]) =>
    new Map(
      Object.entries(fields).map(([name, { value, revision }]) => [
        name,
        { json: JSON.stringify(value), revision },
      ]),
    );
  return {
    ...entity,
    payloadFields: toRegisters(entity.payloadFields),
    metadataFields: toRegisters(entity.metadataFields),
  };
}

function toComparable(view: unknown): unknown {
  return view === null
    ? null
    : Object.entries(view as object).map(([name, value]) => [
        name,
        value instanceof Map ? sortByName(value as Map<string, string>) : (value as unknown),
      ]);
}

function sortByName(map: ReadonlyMap<string, string>): [string, string][] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1));
}
