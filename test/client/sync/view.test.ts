import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { changeView, EMPTY_VIEW } from "../../../src/client/sync/entity-view.ts";
import type { Entity } from "../../../src/client/index.ts";
import { createWorld, stored, syncNow } from "./world.ts";

const entityOf = (entityId: string, value: number): Entity => ({
  entityId,
  payload: { value },
  metadata: {},
});

test("a view shows what a plain map would, and earlier views stay as they were", () => {
  const ids = fc.constantFrom(..."abcdefghij".split("").flatMap((id) => [`note/${id}`, `n/${id}`]));
  const changes = fc.array(fc.tuple(ids, fc.option(fc.nat())), { maxLength: 8 });
  fc.assert(
    fc.property(fc.array(changes, { maxLength: 60 }), (steps) => {
      const model = new Map<string, Entity>();
      let view = EMPTY_VIEW;
      const history: [typeof view, Entity[]][] = [];
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

test("a change among ten thousand entities copies few of them", () => {
  const many = new Map(
    Array.from({ length: 10_000 }, (_, index) => {
      const id = `note/${index}`;
      return [id, entityOf(id, index)] as const;
    }),
  );
  let view = changeView(EMPTY_VIEW, many);
  const start = performance.now();
  for (let index = 0; index < 5000; index++) {
    const id = `note/${index * 2}`;
    view = changeView(view, new Map([[id, entityOf(id, -index)]]));
    assert.equal(view.size, 10_000);
  }
  const copyAll = performance.now();
  for (let index = 0; index < 50; index++) assert.equal(new Map(many).size, 10_000);
  const eachUs = ((copyAll - start) / 5000) * 1000;
  const wholeUs = ((performance.now() - copyAll) / 50) * 1000;
  assert.ok(eachUs < wholeUs / 4, `${eachUs} µs for a change, ${wholeUs} µs for a copy of all`);
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

test("a codec stands between the values of the app and the wire, and may take its time", async (t) => {
  const world = await createWorld(t);
  const bodies: string[] = [];
  world.network = async (send, { init }) => {
    bodies.push(String(init.body));
    return send();
  };
  const codec = {
    encode: async (
      value: unknown,
      { entityId, part, field }: { entityId: string; part: string; field: string },
    ) => ({
      sealed: Buffer.from(JSON.stringify([entityId, part, field, value])).toString("base64url"),
    }),
    decode: async (value: unknown, { field }: { field: string }) => {
      const { sealed } = value as { sealed: string };
      const [, , name, inner] = JSON.parse(
        Buffer.from(sealed, "base64url").toString(),
      ) as unknown[];
      assert.equal(name, field);
      return inner;
    },
  };
  const phone = await world.device({ codec });
  await stored(phone.create("note/1", { text: "private", other: 1 }, { mood: "private" }));
  await stored(phone.patch("note/1", { text: "more private" }));
  assert.deepEqual(phone.entities.get("note/1")?.payload, { text: "more private", other: 1 });
  await syncNow(phone);
  assert.ok(bodies.some((body) => body.includes("sealed")));
  assert.ok(bodies.every((body) => !body.includes("private")));
  const tablet = await world.device({ codec });
  assert.deepEqual(tablet.entities.get("note/1"), phone.entities.get("note/1"));
  const stranger = await world.device({
    codec: {
      encode: (value) => value,
      decode: () => {
        throw new Error("Wrong key");
      },
    },
  });
  assert.deepEqual(stranger.entities.get("note/1")?.payload, {});
  const refused = await (
    await world.open({
      codec: {
        encode: () => {
          throw new Error("No key");
        },
        decode: (value) => value,
      },
    })
  ).create("note/2", { a: 1 });
  assert.equal(refused.kind === "refused" && refused.reason, "codec_failed");
});
