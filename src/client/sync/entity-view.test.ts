import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { StoredEntity } from "./entity.ts";
import { changeView, EMPTY_VIEW, type EntityChanges, type EntityView } from "./entity-view.ts";

const entityOf = (entityId: string, value = 0): StoredEntity => ({
  entityId,
  payload: { value },
  metadata: {},
});

const viewOf = (...entityIds: string[]): EntityView =>
  changeView(EMPTY_VIEW, new Map(entityIds.map((entityId) => [entityId, entityOf(entityId)])));

test("any changes give the view that a map of all entities gives", () => {
  const entityId = fc
    .tuple(fc.constantFrom("habit", "note"), fc.nat(60))
    .map(([type, number]) => `${type}/${number}`);
  const change = fc.tuple(entityId, fc.option(fc.nat(9), { nil: undefined }));
  // Enough of them for the overlay to become the base several times.
  const history = fc.array(fc.array(change, { maxLength: 40 }), { maxLength: 12 });
  fc.assert(
    fc.property(history, fc.boolean(), (steps, isListed) => {
      const expected = new Map<string, StoredEntity>();
      let view = EMPTY_VIEW;
      for (const step of steps) {
        const changes: EntityChanges = new Map(
          step.map(([id, value]) => [id, value === undefined ? undefined : entityOf(id, value)]),
        );
        for (const [id, entity] of changes) {
          if (entity === undefined) expected.delete(id);
          else expected.set(id, entity);
        }
        // A list that was asked for is stored, and must not outlive its entities.
        if (isListed) for (const type of [undefined, "habit"]) view.list(type);
        view = changeView(view, changes);
      }
      const sorted = [...expected].sort(([one], [other]) => (one < other ? -1 : 1));
      assert.equal(view.size, expected.size);
      assert.deepEqual([...view], sorted);
      assert.deepEqual([...view.entries()], sorted);
      assert.deepEqual(
        [...view.keys()],
        sorted.map(([id]) => id),
      );
      assert.deepEqual(
        [...view.values()],
        sorted.map(([, entity]) => entity),
      );
      const habits = sorted.filter(([id]) => id.startsWith("habit/")).map(([, entity]) => entity);
      assert.deepEqual(view.list("habit"), habits);
      for (const [id, entity] of expected) assert.equal(view.get(id), entity);
      for (const id of ["habit/61", "habit"]) assert.equal(view.has(id), false);
    }),
  );
});

test("a change leaves earlier views as they were", () => {
  const before = viewOf("note/1", "note/2");
  const after = changeView(before, new Map([["note/1", undefined]]));
  assert.deepEqual([before.size, before.has("note/1")], [2, true]);
  assert.deepEqual([after.size, after.has("note/1"), after.get("note/1")], [1, false, undefined]);
});

test("a list is the same until an entity of its type changes", () => {
  const before = viewOf("habit/1", "note/1");
  const [habits, notes, all] = [before.list("habit"), before.list("note"), before.list()];
  assert.equal(before.list("habit"), habits);
  const after = changeView(before, new Map([["note/2", entityOf("note/2")]]));
  assert.equal(after.list("habit"), habits);
  assert.notEqual(after.list("note"), notes);
  assert.notEqual(after.list(), all);
});

test("a view and its lists cannot be changed", () => {
  const view = viewOf("note/1");
  assert.ok(Object.isFrozen(view) && Object.isFrozen(view.list()));
});
