import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { histories, shuffledHistories } from "../../../test/fixtures/sync-history.ts";
import { createNoteOperation as operation } from "../../../test/fixtures/sync-operation.ts";
import { createEntityMerge, applyOperation, mergeStates, type EntityState } from "./merge.ts";
import type { ParsedOperation } from "./operation-text.ts";
import { visibleEntity } from "./visible-entity.ts";

function mergeAll(operations: readonly ParsedOperation[], state: EntityState | null = null) {
  return operations.reduce<EntityState | null>(
    (merged, operation) => applyOperation(merged, operation).state,
    state,
  );
}

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, index) =>
    permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]),
  );
}

test("any order gives the same state", () => {
  fc.assert(
    fc.property(shuffledHistories, ([operations, shuffled]) => {
      assert.deepEqual(mergeAll(shuffled), mergeAll(operations));
    }),
    { numRuns: 1000 },
  );
});

test("operations that are added in place give the state of a merge", () => {
  fc.assert(
    fc.property(shuffledHistories, ([operations, shuffled]) => {
      const state = mergeAll(operations);
      const merge = createEntityMerge(state?.entityId ?? "");
      for (const operation of shuffled) merge.add(operation);
      if (state !== null) assert.deepEqual(merge.state(), state);
    }),
  );
});

test("a repeated operation changes nothing, and says so", () => {
  fc.assert(
    fc.property(shuffledHistories, ([operations, again]) => {
      const state = mergeAll(operations);
      for (const operation of again) {
        const result = applyOperation(state, operation);
        assert.equal(result.changed, false);
        assert.equal(result.state, state);
      }
    }),
  );
});

test("states that were merged separately join to the state of all", () => {
  fc.assert(
    fc.property(histories, fc.nat(10), fc.nat(10), (operations, end, start) => {
      // The two parts overlap, or miss each other, as they like; the rest is added to make all.
      const left = mergeAll(operations.slice(0, end));
      const right = mergeAll(operations.slice(Math.min(start, end)));
      if (left === null || right === null) return;
      const all = mergeAll(operations);
      assert.deepEqual(mergeStates(left, right).state, all);
      assert.deepEqual(mergeStates(right, left).state, all);
    }),
  );
});

test("changed says whether any register moved, visible or not", () => {
  fc.assert(
    fc.property(histories, (operations) => {
      let state: EntityState | null = null;
      for (const operation of operations) {
        const before: EntityState | null = state;
        const result = applyOperation(state, operation);
        assert.equal(result.changed, !isDeepEqual(before, result.state));
        state = result.state;
      }
    }),
  );
  const deleted = mergeAll([operation(1), operation(5, { kind: "delete" })]);
  const stale = applyOperation(deleted, operation(3, { kind: "patch" }));
  assert.ok(stale.changed);
  assert.equal(visibleEntity(stale.state)?.payload.size, 0);
});

test("create, delete and a later create live in every order, with patches in between", () => {
  const cases: [ParsedOperation[], string | null][] = [
    [[operation(1), operation(3, { kind: "delete" }), operation(5)], '"5"'],
    [
      [
        operation(1),
        operation(2, { kind: "patch" }),
        operation(3, { kind: "delete" }),
        operation(4, { kind: "patch" }),
        operation(5),
      ],
      '"5"',
    ],
    [
      [
        operation(1),
        operation(3, { kind: "delete" }),
        operation(5),
        operation(6, { kind: "patch" }),
      ],
      '"6"',
    ],
    [[operation(1), operation(3, { kind: "delete" }), operation(2)], null],
    [[operation(1), operation(3, { kind: "delete" }), operation(4, { kind: "patch" })], null],
    [[operation(1), operation(3, { kind: "delete" }), operation(4, { kind: "restore" })], '"4"'],
  ];
  for (const [operations, text] of cases) {
    for (const order of permutations(operations)) {
      const state = mergeAll(order);
      assert.ok(state !== null);
      const view = visibleEntity(state);
      assert.equal(view?.deleted, text === null);
      assert.equal(view?.payload.get("text") ?? null, text);
    }
  }
});

test("two creates of one id keep the fields of both, down to the last delete", () => {
  const both = [
    operation(1, { deviceId: "phone", payload: { a: 1, b: 1 }, metadata: { m: 1 } }),
    operation(5, { deviceId: "laptop", payload: { a: 5 } }),
  ];
  const remove = operation(3, { kind: "delete" });
  const late = operation(4, { deviceId: "tablet", payload: { c: 4 } });
  const cases: [ParsedOperation[], Record<string, string>][] = [
    [both, { a: "5", b: "1" }],
    [[...both, remove], { a: "5" }],
    [[...both, remove, late], { a: "5", c: "4" }],
  ];
  for (const [operations, expected] of cases) {
    for (const order of permutations(operations)) {
      const view = visibleEntity(mergeAll(order) as EntityState);
      assert.equal(view?.deleted, false);
      assert.deepEqual(Object.fromEntries(view?.payload ?? []), expected);
      assert.equal(view?.metadata.has("m"), "b" in expected);
    }
  }
});

test("a patch writes only the fields it names", () => {
  const create = operation(1, { payload: { a: 1, b: 1 }, metadata: { m: 1 } });
  const patch = operation(2, {
    kind: "patch",
    payload: { a: 2, b: 2 },
    changedFields: ["b"],
    metadata: { m: 2 },
    changedMetadataFields: [],
  });
  const view = visibleEntity(mergeAll([create, patch]) as EntityState);
  assert.deepEqual(
    [...(view?.payload ?? [])],
    [
      ["a", "1"],
      ["b", "2"],
    ],
  );
  assert.deepEqual([...(view?.metadata ?? [])], [["m", "1"]]);
});

test("a delete writes the lifecycle and the metadata it names, and no payload", () => {
  const state = mergeAll([
    operation(1, { metadata: { by: "me", at: 1 } }),
    operation(2, { kind: "delete", metadata: { by: "you", at: 2 }, changedMetadataFields: ["by"] }),
  ]) as EntityState;
  assert.deepEqual(state.payloadFields.get("text")?.revision.sequence, 1);
  assert.deepEqual([...(visibleEntity(state)?.metadata ?? [])], [["by", '"you"']]);
});

test("equal sequences are decided by the device, by code unit", () => {
  const [upper, lower] = ["B", "a"].map((deviceId) =>
    operation(1, { deviceId, payload: { text: deviceId } }),
  );
  assert.ok(upper !== undefined && lower !== undefined);
  for (const order of [
    [upper, lower],
    [lower, upper],
  ]) {
    assert.equal(mergeAll(order)?.payloadFields.get("text")?.json, '"a"');
  }
});

test("should one revision ever carry two values, every device still takes the same one", () => {
  const forged = [
    operation(1, { payload: { text: "x" } }),
    operation(1, { payload: { text: "y" } }),
    operation(1, { kind: "delete" }),
  ];
  for (const order of permutations(forged)) {
    const state = mergeAll(order);
    assert.equal(state?.payloadFields.get("text")?.json, '"y"');
    assert.equal(state?.deleted, true);
    assert.deepEqual(state.deletedRevision, state.lifecycleRevision);
  }
});

function isDeepEqual(a: unknown, b: unknown): boolean {
  try {
    assert.deepEqual(a, b);
    return true;
  } catch {
    return false;
  }
}
