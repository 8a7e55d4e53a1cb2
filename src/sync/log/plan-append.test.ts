import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { histories } from "../../../test/fixtures/sync-history.ts";
import { entityStateToText } from "../../rules/sync/entity-state-text.ts";
import { EMPTY_LOG_CLOCK } from "../../rules/sync/log-clock.ts";
import { applyOperation, type EntityState } from "../../rules/sync/merge.ts";
import { contentHash, createAppendPlanner, findEntities, planAppend } from "./plan-append.ts";
import { toNewOperation } from "./read-push.ts";
import type { NewOperation } from "../store.ts";

/** Two entities' histories in one list, as pushes of a few operations each. */
const pushes = fc
  .tuple(histories, histories, fc.integer({ min: 1, max: 6 }))
  .map(([first, second, size]) => {
    const operations = [
      ...first,
      ...second.map((operation) => ({
        ...operation,
        operationId: `${operation.operationId}/2`,
        entityId: "note/2",
      })),
    ].toSorted((a, b) => a.revision.sequence - b.revision.sequence);
    return Array.from({ length: Math.ceil(operations.length / size) }, (_, index) =>
      operations.slice(index * size, (index + 1) * size),
    );
  });

const PLACE = { headOffset: 7, clock: EMPTY_LOG_CLOCK, mark: "new" };

test("pushes of any size write the states of merging one by one, and report the changes", () => {
  fc.assert(
    fc.property(pushes, (list) => {
      const merged = new Map<string, EntityState>();
      const texts = new Map<string, string>();
      let headOffset = 0;
      for (const operations of list) {
        const changed = operations.map((operation) => {
          const result = applyOperation(merged.get(operation.entityId) ?? null, operation);
          merged.set(operation.entityId, result.state);
          return result.changed;
        });
        const place = { headOffset, clock: EMPTY_LOG_CLOCK, mark: `mark ${headOffset}` };
        const plan = planAppend(operations.map(toNewOperation), new Map(), texts, place);
        assert.ok(plan.kind === "plan");
        assert.deepEqual(
          plan.receipts,
          changed.map((moved, index) => ({
            offset: headOffset + index + 1,
            mark: place.mark,
            duplicate: false,
            changed: moved,
          })),
        );
        headOffset = plan.headOffset;
        for (const [id, text] of plan.states) texts.set(id, text);
        for (const [id, state] of merged) assert.equal(texts.get(id), entityStateToText(state));
      }
    }),
  );
});

test("a repeated operation in a push is written once, and with other content a conflict", () => {
  const operation = sample();
  const plan = planAppend([operation, operation], new Map(), new Map(), PLACE);
  assert.ok(plan.kind === "plan");
  assert.deepEqual(plan.receipts, [
    { offset: 8, mark: "new", duplicate: false, changed: true },
    { offset: 8, mark: "new", duplicate: true, changed: false },
  ]);
  assert.equal(plan.added.length, 1);
  const other = { ...operation, text: '{"other":1}' };
  assert.deepEqual(planAppend([operation, other], new Map(), new Map(), PLACE), {
    kind: "conflict",
    indexes: [1],
  });
});

test("pushes of a group see each other, and one that conflicts writes nothing", () => {
  const operation = sample();
  const conflicting = { ...operation, text: '{"other":1}' };
  const other = { ...operation, operationId: "operation/phone/99", entityId: "note/other" };
  const pushes = [[operation], [other, conflicting], [other, operation]];
  const operations = pushes.flat();
  const stored = operations.map(() => ({ entry: undefined, readRow: () => undefined }));
  const planner = createAppendPlanner(operations, findEntities(operations), stored, PLACE);
  const results = pushes.map((push, index) => planner.append(push.length, `mark ${index}`));
  const first = { offset: 8, mark: "mark 0", duplicate: false, changed: true };
  assert.deepEqual(results, [
    { kind: "planned", receipts: [first], lastOffset: 8 },
    { kind: "conflict", indexes: [1] },
    {
      kind: "planned",
      receipts: [
        { offset: 9, mark: "mark 2", duplicate: false, changed: true },
        { ...first, duplicate: true, changed: false },
      ],
      lastOffset: 9,
    },
  ]);
  const { added, states, headOffset } = planner.writes();
  assert.deepEqual(
    added.map(({ operationId, offset }) => [operationId, offset]),
    [
      [operation.operationId, 8],
      [other.operationId, 9],
    ],
  );
  assert.deepEqual(states, [
    [operation.entityId, operation.state],
    [other.entityId, other.state],
  ]);
  assert.equal(headOffset, 9);
});

test("a conflict names every operation whose id was used before with other content", () => {
  const operations = [1, 2, 3, 4].map((sequence) => ({
    ...sample(),
    operationId: `operation/phone/${sequence}`,
  }));
  const entry = { offset: 3, mark: "old", text: '{"other":1}', contentHash: "" };
  const ledger = new Map([1, 3].map((sequence) => [`operation/phone/${sequence}`, entry]));
  assert.deepEqual(planAppend(operations, ledger, new Map(), PLACE), {
    kind: "conflict",
    indexes: [0, 2],
  });
});

test("a replay in another order of its changed fields is a duplicate, also by its digest", () => {
  const text = '{"changedFields":["b","a"],"changedMetadataFields":["n","m"]}';
  const replay = {
    ...sample(),
    text: '{"changedFields":["a","b"],"changedMetadataFields":["m","n"]}',
  };
  for (const entry of [
    { text, contentHash: "" },
    { text: null, contentHash: contentHash(text) },
  ]) {
    const ledger = new Map([[replay.operationId, { ...entry, offset: 3, mark: "old" }]]);
    assert.equal(planAppend([replay], ledger, new Map(), PLACE).kind, "plan");
  }
});

test("a digest from when the order of changed fields counted still recognises its replay", () => {
  const text = '{"changedFields":["b","a"],"changedMetadataFields":[]}';
  const digest = hash("sha256", text, "base64url");
  assert.notEqual(digest, contentHash(text));
  const replay = { ...sample(), text };
  const ledger = new Map([
    [replay.operationId, { offset: 3, mark: "old", text: null, contentHash: digest }],
  ]);
  assert.equal(planAppend([replay], ledger, new Map(), PLACE).kind, "plan");
});

test("a replay has the mark of its first commit, beside new operations with the new one", () => {
  const replay = sample();
  const entry = { offset: 3, mark: "old", text: replay.text, contentHash: "" };
  const added = { ...sample(), operationId: "operation/phone/2" };
  const ledger = new Map([[replay.operationId, entry]]);
  const plan = planAppend([replay, added], ledger, new Map(), PLACE);
  assert.ok(plan.kind === "plan");
  assert.deepEqual(
    plan.receipts.map(({ offset, mark }) => ({ offset, mark })),
    [
      { offset: 3, mark: "old" },
      { offset: 8, mark: "new" },
    ],
  );
});

function sample(): NewOperation {
  return {
    text: "{}",
    operationId: "operation/phone/1",
    entityId: "note/1",
    state: '[1,"note/1",[[1,"phone"]],0,0,["title","\\"x\\"",0],[]]',
  };
}
