import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { shuffledHistories } from "../../../test/fixtures/sync-history.ts";
import { createNoteOperation as operation } from "../../../test/fixtures/sync-operation.ts";
import { isSuperseded } from "./superseded.ts";
import { applyOperation, type EntityState } from "./merge.ts";
import type { ParsedOperation } from "./operation-text.ts";

const mergeAll = (operations: readonly ParsedOperation[], from: EntityState | null = null) =>
  operations.reduce<EntityState | null>(
    (state, operation) => applyOperation(state, operation).state,
    from,
  );

function compact(operations: readonly ParsedOperation[]): ParsedOperation[] {
  const state = mergeAll(operations);
  return operations.filter((operation) => state === null || !isSuperseded(state, operation));
}

test("a compacted history gives the same state, and cannot be compacted further", () => {
  fc.assert(
    fc.property(shuffledHistories, ([operations]) => {
      const retained = compact(operations);
      assert.deepEqual(mergeAll(retained), mergeAll(operations));
      assert.deepEqual(compact(retained), retained);
      // None of the retained operations can be spared.
      for (const [index] of retained.entries()) {
        assert.notDeepEqual(mergeAll(retained.toSpliced(index, 1)), mergeAll(operations));
      }
    }),
    { numRuns: 500 },
  );
});

/** What can happen while a log grows. */
const steps = fc.array(
  fc.oneof(
    fc.constant({ do: "push" as const }),
    fc.record({ do: fc.constant("drop" as const), mask: fc.nat(1023) }),
    fc.record({ do: fc.constant("pull" as const), device: fc.nat(2), limit: fc.nat(4) }),
  ),
  { maxLength: 40 },
);

test("after any compaction at any time, pulling gives the same state", () => {
  fc.assert(
    fc.property(shuffledHistories, steps, ([, operations], script) => {
      const queue = [...operations];
      let log: { offset: number; operation: ParsedOperation }[] = [];
      let state: EntityState | null = null;
      let head = 0;
      const devices = [0, 1, 2].map(() => ({ offset: 0, state: null as EntityState | null }));

      const push = () => {
        const operation = queue.shift();
        if (operation === undefined) return;
        log.push({ offset: ++head, operation });
        ({ state } = applyOperation(state, operation));
      };
      const pull = (device: { offset: number; state: EntityState | null }, limit: number) => {
        const page = log.filter(({ offset }) => offset > device.offset).slice(0, limit);
        device.state = mergeAll(
          page.map(({ operation }) => operation),
          device.state,
        );
        device.offset = page.at(-1)?.offset ?? head;
      };

      for (const step of script) {
        if (step.do === "push") push();
        else if (step.do === "pull") {
          const device = devices[step.device];
          if (device !== undefined && step.limit > 0) pull(device, step.limit);
        } else {
          // A store works in batches, so any part of what may go can be gone.
          log = log.filter(
            ({ operation }, index) =>
              (step.mask & (1 << index)) === 0 || state === null || !isSuperseded(state, operation),
          );
        }
      }
      while (queue.length > 0) push();
      const fresh = { offset: 0, state: null as EntityState | null };
      const expected = mergeAll(operations);
      for (const device of [...devices, fresh]) {
        while (device.offset < head) pull(device, 3);
        assert.deepEqual(device.state, expected);
      }
    }),
    { numRuns: 1000 },
  );
});

test("a create is kept while it owns the lifecycle, even if every field was patched", () => {
  const history = [operation(1), operation(2, { kind: "patch" }), operation(3, { kind: "patch" })];
  assert.deepEqual(
    compact(history).map(({ revision }) => revision.sequence),
    [1, 3],
  );
});

test("of a hundred creates and deletes, only the last of each is kept", () => {
  const history = Array.from({ length: 101 }, (_, index) =>
    operation(index + 1, { kind: index % 2 === 0 ? "create" : "delete" }),
  );
  assert.deepEqual(
    compact(history).map(({ revision }) => revision.sequence),
    [100, 101],
  );
});

test("an operation that is not merged into the state is kept", () => {
  const state = mergeAll([operation(1)]) as EntityState;
  assert.equal(isSuperseded(state, operation(2)), false);
  assert.equal(isSuperseded(state, operation(0, { kind: "patch", payload: { other: 1 } })), false);
});
