import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { entityStateToText, parseEntityState } from "../../rules/sync/entity-state-text.ts";
import { mergeStates, type EntityState, type Register } from "../../rules/sync/merge.ts";
import { addToRows, entityIdOfRow, joinRows, listRowIds, rowIdOf } from "./entity-rows.ts";

type Rows = Map<number, string>;

/** The state of an operation that writes these fields. */
function stateOf(sequence: number, names: readonly string[], isDelete = false): EntityState {
  const revision = { deviceId: "phone", sequence };
  const register: Register = { json: String(sequence), revision };
  return {
    entityId: "note/1",
    lifecycleRevision: isDelete || sequence === 1 ? revision : null,
    deletedRevision: isDelete ? revision : null,
    deleted: isDelete,
    payloadFields: new Map(names.map((name) => [name, register])),
    metadataFields: new Map(names.slice(0, 3).map((name) => [name, register])),
  };
}

const fields = (count: number, first = 0) =>
  Array.from({ length: count }, (_, index) => `field-${first + index}`);

function add(rows: Rows, state: EntityState): boolean {
  const changed = addToRows((row) => rows.get(row), entityStateToText(state));
  for (const [row, text] of changed) rows.set(row, text);
  return changed.size > 0;
}

function fill(count: number): Rows {
  const rows: Rows = new Map();
  for (let first = 0; first < count; first += 250) {
    add(rows, stateOf(1 + first / 250, fields(Math.min(250, count - first), first)));
  }
  return rows;
}

test("rows add up to the merge of the states, in any number of fields and any order", () => {
  const step = fc.record({
    sequence: fc.integer({ min: 1, max: 40 }),
    first: fc.integer({ min: 0, max: 900 }),
    count: fc.integer({ min: 0, max: 250 }),
    isDelete: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), (steps) => {
      const rows: Rows = new Map();
      let merged: EntityState | null = null;
      for (const { sequence, first, count, isDelete } of steps) {
        const state = stateOf(sequence, isDelete ? [] : fields(count, first), isDelete);
        const result = mergeStates(merged, state);
        merged = result.state;
        assert.equal(add(rows, state), result.changed);
        assert.deepEqual(parseEntityState(joinRows([...rows.values()])), merged);
      }
    }),
    { numRuns: 20 },
  );
});

test("an entity of few fields has one row", () => {
  assert.deepEqual([...fill(500).keys()], [-1]);
  assert.ok(fill(750).size > 200);
});

test("what a change of one field reads and writes does not grow with the number of fields", () => {
  const cost = (count: number) => {
    const rows = fill(count);
    let characters = 0;
    const read = (row: number) => {
      const text = rows.get(row);
      characters += text?.length ?? 0;
      return text;
    };
    const changed = addToRows(read, entityStateToText(stateOf(10_000, ["field-7"])));
    for (const text of changed.values()) characters += text.length;
    return characters;
  };
  const [few, many] = [cost(500), cost(10_000)];
  assert.ok(many <= few, `${many} characters for 10,000 fields, ${few} for 500`);
});

test("the ids of rows belong to their entity, and stand between it and every other", () => {
  const ids = listRowIds("note/1");
  assert.equal(new Set(ids).size, ids.length);
  assert.ok(ids.every((id) => entityIdOfRow(id) === "note/1" && id > "note/1" && id < "note/1!"));
  assert.equal(entityIdOfRow(rowIdOf("note/1", -1)), "note/1");
});
