import assert from "node:assert/strict";
import { test } from "node:test";
import { createMemorySyncStorage } from "../../../src/client/index.ts";
import { HABIT } from "../../fixtures/habit.ts";
import { createWorld, stored, syncAll } from "../sync/world.ts";
import { createSchema, idOf, openTasks } from "./task.ts";

test("a task is made, read, changed, removed and brought back by its short id", async (t) => {
  const world = await createWorld(t);
  const client = await world.open();
  const tasks = openTasks(client);
  const result = await tasks.create({ title: "Milk" });
  assert.ok(result.kind === "stored");
  const { id } = result;
  assert.match(id, /^[A-Za-z0-9_-]{16}$/);
  assert.equal(result.operationId, `operation/${client.deviceId}/1`);
  assert.deepEqual(tasks.get(id), {
    id,
    title: "Milk",
    done: false,
    spent: 0,
    tags: [],
    position: "a0",
  });
  assert.equal(client.entities.get(`task/${id}`)?.payload["title"], "Milk");
  await idOf(tasks.patch(id, { done: true, due: "2026-01-31" }));
  assert.deepEqual([tasks.get(id)?.done, tasks.get(id)?.due], [true, "2026-01-31"]);
  assert.equal(await idOf(tasks.create({ title: "Bread" }, { id: "bread" })), "bread");
  assert.deepEqual(
    tasks.list().map((task) => task.id),
    [id, "bread"],
  );
  await idOf(tasks.remove("bread"));
  assert.deepEqual([tasks.get("bread"), tasks.list().length], [undefined, 1]);
  await idOf(tasks.restore("bread"));
  assert.equal(tasks.get("bread")?.title, "Bread");
});

test("two devices add to one counter, one set and one order at the same time", async (t) => {
  const world = await createWorld(t);
  const [phone, tablet] = [await world.device(), await world.device()];
  const [onPhone, onTablet] = [openTasks(phone), openTasks(tablet)];
  const id = await idOf(onPhone.create({ title: "Milk", spent: 5, tags: ["home", "at work/2"] }));
  await syncAll(phone, tablet);
  await idOf(onPhone.increment(id, "spent", 1));
  await idOf(onTablet.increment(id, "spent", 1));
  await idOf(onPhone.addTo(id, "tags", "urgent"));
  await idOf(onTablet.addTo(id, "tags", "ä"));
  await idOf(onTablet.removeFrom(id, "tags", "home"));
  await syncAll(phone, tablet);
  for (const tasks of [onPhone, onTablet]) {
    assert.equal(tasks.get(id)?.spent, 7);
    assert.deepEqual(tasks.get(id)?.tags, ["at work/2", "urgent", "ä"]);
  }
});

test("increments count each, however many tabs of a device make them at once", async (t) => {
  const world = await createWorld(t);
  const storage = createMemorySyncStorage();
  const tabs = [await world.open({ storage }), await world.open({ storage })];
  const [one, other] = tabs.map(openTasks);
  assert.ok(one !== undefined && other !== undefined);
  const id = await idOf(one.create({ title: "Milk" }));
  // The other tab is not told of the new entity, which its storage has.
  const edits = [one, other, one, other].map((tasks) => idOf(tasks.increment(id, "spent", 2)));
  await Promise.all(edits);
  const reopened = openTasks(await world.open({ storage }));
  assert.equal(reopened.get(id)?.spent, 8);
});

test("a restore replaces an increment that it did not know, unless that counts higher", async (t) => {
  for (const [unknown, total] of [
    [1, 5],
    [3, 8],
  ] as const) {
    const world = await createWorld(t);
    const [phone, tablet] = [await world.device(), await world.device()];
    const [onPhone, onTablet] = [openTasks(phone), openTasks(tablet)];
    const id = await idOf(onTablet.create({ title: "Milk", spent: 5 }));
    await syncAll(tablet, phone);
    await idOf(onPhone.remove(id));
    await idOf(onPhone.restore(id));
    assert.equal(onPhone.get(id)?.spent, 5);
    for (let count = 0; count < unknown; count++) await idOf(onTablet.increment(id, "spent"));
    await syncAll(phone, tablet);
    assert.deepEqual([onPhone.get(id)?.spent, onTablet.get(id)?.spent], [total, total]);
    await idOf(onTablet.increment(id, "spent", 10));
    await syncAll(tablet, phone);
    assert.equal(onPhone.get(id)?.spent, total + 10);
  }
});

test("an increment that has no exact sum is refused", async (t) => {
  const world = await createWorld(t);
  const tasks = openTasks(await world.open());
  const id = await idOf(tasks.create({ title: "Milk", spent: Number.MAX_SAFE_INTEGER }));
  for (const by of [1, Infinity, NaN]) {
    const result = await tasks.increment(id, "spent", by);
    assert.equal(result.kind === "refused" && result.reason, "count");
  }
  await idOf(tasks.increment(id, "spent", -1));
  assert.equal(tasks.get(id)?.spent, Number.MAX_SAFE_INTEGER - 1);
});

test("an upsert makes an entity or changes only its fields, also when edits are not waited for", async (t) => {
  const world = await createWorld(t);
  const tasks = openTasks(await world.open());
  await idOf(tasks.create({ title: "First" }, { id: "first" }));
  const results = [
    tasks.upsert("milk", { title: "Milk", due: "2026-01-31" }),
    tasks.upsert("milk", { title: "Oat milk" }),
    tasks.patch("milk", { done: true }),
    tasks.addTo("milk", "tags", "home"),
  ];
  for (const result of results) await idOf(result);
  const { title, due, done, tags } = tasks.get("milk") ?? {};
  assert.deepEqual([title, due, done, tags], ["Oat milk", "2026-01-31", true, ["home"]]);
  assert.deepEqual(
    tasks.list().map(({ id }) => id),
    ["first", "milk"],
  );
  const refused = await tasks.upsert("other", { done: true });
  assert.deepEqual(refused.kind === "refused" && [refused.reason, refused.path], [
    "schema",
    "title",
  ]);
  const missing = await tasks.patch("other", { done: true });
  assert.equal(missing.kind === "refused" && missing.reason, "entity_not_found");
});

test("undefined removes a value, null is shown as absent, and unknown fields survive", async (t) => {
  const world = await createWorld(t);
  const client = await world.open();
  const tasks = openTasks(client);
  const id = await idOf(tasks.create({ title: "Milk", due: "2026-01-31" }));
  await stored(client.patch(`task/${id}`, { colour: "red" }));
  await idOf(tasks.patch(id, { due: undefined }));
  assert.ok(!("due" in (tasks.get(id) ?? {})) && !("colour" in (tasks.get(id) ?? {})));
  const payload = client.entities.get(`task/${id}`)?.payload;
  assert.deepEqual([payload?.["due"], payload?.["colour"]], [null, "red"]);
});

test("null is shown where the schema takes only null", async (t) => {
  const world = await createWorld(t);
  const schema = createSchema<{ note: string | null }, { note: string | null }>((fields) => {
    const { note } = fields;
    return note === null || typeof note === "string"
      ? { value: { note } }
      : { issues: [{ path: [{ key: "note" }], message: "must be text or null" }] };
  });
  const notes = (await world.open()).collection("note", { schema });
  const id = await idOf(notes.create({ note: null }));
  assert.deepEqual(notes.get(id), { id, note: null });
});

test("what the schema refuses is told and kept, never thrown, and can be mended", async (t) => {
  const world = await createWorld(t);
  const client = await world.open();
  const tasks = openTasks(client);
  await stored(client.create("task/old", { name: "Milk", due: 5, extra: 1 }));
  assert.deepEqual([tasks.list(), tasks.get("old")], [[], undefined]);
  assert.deepEqual(tasks.invalid(), [
    {
      id: "old",
      fields: { name: "Milk", due: 5, extra: 1 },
      issues: [
        { path: "title", message: "must be text" },
        { path: "due", message: "must be a date" },
      ],
    },
  ]);
  const wrong = await tasks.patch("old", { due: 6 as unknown as string });
  assert.deepEqual(wrong.kind === "refused" && [wrong.reason, wrong.path], ["schema", "due"]);
  await idOf(tasks.patch("old", { due: "2026-01-31" }));
  await idOf(tasks.patch("old", { title: "Milk" }));
  assert.deepEqual([tasks.list().length, tasks.invalid().length], [1, 0]);
});

test("an asynchronous schema is refused with a sentence", async (t) => {
  const world = await createWorld(t);
  const schema = {
    "~standard": {
      version: 1,
      vendor: "test",
      validate: async () => Promise.reject(new Error("Not waited for")),
    },
  } as const;
  const notes = (await world.open()).collection("note", { schema });
  const result = await notes.create({});
  assert.match(
    result.kind === "refused" ? result.message : "",
    /^the schema must not be asynchronous/,
  );
});

test("a collection of habits obeys the rules of their profile", async (t) => {
  const world = await createWorld(t, { profile: "habits" });
  const client = await world.device({ profile: "habits" });
  const habits = client.collection<HabitFields, { tags: "set" }>("habit", {
    kinds: { tags: "set" },
  });
  const refused = await habits.create({ ...HABIT, color: "" }, { id: "water" });
  assert.equal(refused.kind === "refused" && refused.reason, "payload_field_type");
  await idOf(habits.create(HABIT, { id: "water" }));
  await idOf(habits.addTo("water", "tags", "health"));
  await idOf(habits.patch("water", { name: "Drink" }));
  // An entry has an id of its own as a field.
  const date = "2026-01-31";
  const entry = { completed: true, count: 1, timestamp: HABIT.createdAt };
  const fields = { id: "any", habitId: "water", date, ...entry };
  await idOf(client.collection("entry").create(fields, { id: `water/${date}` }));
  const other = await world.device({ profile: "habits" });
  await syncAll(client, other);
  const shown = other.collection<HabitFields, { tags: "set" }>("habit", { kinds: { tags: "set" } });
  const water = shown.get("water");
  assert.deepEqual(
    [water?.name, water?.tags, "description" in (water ?? {})],
    ["Drink", ["health"], false],
  );
});

type HabitFields = typeof HABIT & { tags?: string[] };

test("what is no plain object is refused as fields, and not stored as an empty entity", async (t) => {
  const world = await createWorld(t);
  const notes = (await world.open()).collection("note");
  const things = [new Map([["title", "Milk"]]), new Date(0), new Blob(), [], null];
  for (const thing of things) {
    const fields = thing as unknown as Record<string, unknown>;
    for (const result of [notes.create(fields), notes.upsert("1", fields)]) {
      const settled = await result;
      assert.equal(settled.kind === "refused" && settled.reason, "not_json");
    }
  }
  assert.deepEqual(notes.list(), []);
});

test("an entity is frozen with its values, so that an app cannot show what is not stored", async (t) => {
  const world = await createWorld(t);
  const client = await world.open();
  const schema = createSchema<
    { tags: string[] },
    { tags: string[]; at: Date; place: { rooms: string[] } }
  >(({ tags }) => ({
    value: { tags: [...(tags as string[])], at: new Date(0), place: { rooms: ["kitchen"] } },
  }));
  await stored(client.create("note/1", { "tags/home": true }));
  const kinds = { tags: "set" } as const;
  const bare = client.collection<{ tags: string[] }, typeof kinds>("note", { kinds }).get("1");
  const read = client.collection("note", { schema, kinds }).get("1");
  const changes = [
    () => bare?.tags.push("work"),
    () => read?.tags.push("work"),
    () => read?.place.rooms.push("bath"),
  ];
  for (const change of changes) assert.throws(change, TypeError);
  // Objects of a class may need to change themselves.
  assert.equal(read?.at.setTime(5), 5);
  assert.ok(!Object.isFrozen(read.at));
});
