import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { changeView, EMPTY_VIEW } from "../../../src/client/sync/entity-view.ts";
import type { StoredEntity } from "../../../src/client/index.ts";
import { createWorld, stored, syncNow } from "./world.ts";

const entityOf = (entityId: string, value: number): StoredEntity => ({
  entityId,
  payload: { value },
  metadata: {},
});

test("a view shows what a plain map would, and earlier views stay as they were", () => {
  const ids = fc.constantFrom(..."abcdefghij".split("").flatMap((id) => [`note/${id}`, `n/${id}`]));
  const changes = fc.array(fc.tuple(ids, fc.option(fc.nat())), { maxLength: 8 });
  fc.assert(
    fc.property(fc.array(changes, { maxLength: 60 }), (steps) => {
      const model = new Map<string, StoredEntity>();
      let view = EMPTY_VIEW;
      const history: [typeof view, StoredEntity[]][] = [];
      for (const step of steps) {
        for (const [id, value] of step) {
          if (value === null) model.delete(id);
          else model.set(id, entityOf(id, value));
        }
        const change = new Map(
          step.map(([id, value]) => [id, value === null ? undefined : entityOf(id, value)]),
        );
        view = changeView(view, change);
        const expected = [...model.values()].sort((a, b) => (a.entityId < b.entityId ? -1 : 1));
        history.push([view, expected]);
      }
      for (const [earlier, expected] of history) {
        assert.deepEqual(earlier.list(), expected);
        assert.equal(earlier.size, expected.length);
        assert.deepEqual(
          earlier.list("note"),
          expected.filter(({ entityId }) => entityId.startsWith("note/")),
        );
        assert.deepEqual(
          [...earlier.keys()],
          [...expected].map(({ entityId }) => entityId),
        );
        assert.deepEqual(
          [...earlier].map(([, entity]) => entity),
          [...earlier.values()],
        );
        for (const entity of expected) assert.deepEqual(earlier.get(entity.entityId), entity);
        assert.equal(earlier.has("other/1"), false);
      }
    }),
    { numRuns: 60 },
  );
});

test("the snapshot is the same object until something changes, and is frozen", async (t) => {
  const world = await createWorld(t);
  const phone = await world.device();
  await stored(phone.create("note/1", { tags: ["a"] }));
  await syncNow(phone);
  const first = phone.getSnapshot();
  assert.equal(phone.getSnapshot(), first);
  assert.equal(phone.status, first.status);
  let calls = 0;
  const stop = phone.subscribe(() => calls++);
  await stored(phone.patch("note/1", { tags: ["b"] }));
  assert.ok(calls > 0);
  const second = phone.getSnapshot();
  assert.notEqual(second, first);
  assert.deepEqual(first.entities.get("note/1")?.payload, { tags: ["a"] });
  assert.deepEqual(second.entities.get("note/1")?.payload, { tags: ["b"] });
  const tags = second.entities.get("note/1")?.payload["tags"] as string[];
  assert.throws(() => tags.push("c"), TypeError);
  assert.equal(first.status.pending, 0);
  assert.equal(second.status.pending, 1);
  stop();
  calls = 0;
  await stored(phone.patch("note/1", { tags: [] }));
  assert.equal(calls, 0);
});

test("a list is the same object while nothing of its type changes", async (t) => {
  const world = await createWorld(t);
  const phone = await world.open();
  await stored(phone.create("note/1", {}));
  await stored(phone.create("task/1", {}));
  const notes = phone.entities.list("note");
  await stored(phone.create("task/2", {}));
  assert.equal(phone.entities.list("note"), notes);
  assert.deepEqual(
    phone.entities.list().map(({ entityId }) => entityId),
    ["note/1", "task/1", "task/2"],
  );
  assert.deepEqual(phone.entities.list("none"), []);
});

test("a listener may subscribe and unsubscribe while it is called, and subscribe twice", async (t) => {
  const world = await createWorld(t);
  const phone = await world.open();
  const calls: string[] = [];
  let stopSelf = () => {};
  let stopLast = () => {};
  const again = () => {
    if (calls.push("again") > 20) return;
    stopSelf();
    stopSelf = phone.subscribe(again);
    stopLast();
  };
  stopSelf = phone.subscribe(again);
  stopLast = phone.subscribe(() => calls.push("last"));
  await stored(phone.create("note/1", {}));
  assert.deepEqual(calls, ["again"]);
  stopSelf();
  const twice = () => calls.push("twice");
  const stops = [phone.subscribe(twice), phone.subscribe(twice)];
  stops[0]?.();
  stops[0]?.();
  calls.length = 0;
  await stored(phone.create("note/2", {}));
  assert.deepEqual(calls, ["twice"]);
});

test("edits keep their order, and the values that they were given", async (t) => {
  const world = await createWorld(t);
  const phone = await world.open();
  const fields = { text: "first", other: 1 };
  const edits = [phone.create("note/1", fields)];
  fields.other = 2;
  edits.push(phone.patch("note/1", { text: "second" }));
  await Promise.all(edits.map(stored));
  assert.deepEqual(phone.entities.get("note/1")?.payload, { text: "second", other: 1 });
});
