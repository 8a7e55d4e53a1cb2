/** What an app in JavaScript gets wrong is refused, with a sentence that says what and where. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  createIndexedDbStorage,
  createMemoryStorage,
  createMemorySyncStorage,
  type CollectionResult,
  type SyncClientOptions,
  type SyncStorage,
} from "../../../src/client/index.ts";
import { createWorld, syncAll } from "../sync/world.ts";
import { idOf, openTasks } from "./task.ts";

async function refusalOf(result: Promise<CollectionResult>): Promise<readonly unknown[]> {
  const settled = await result;
  assert.ok(settled.kind === "refused", JSON.stringify(settled));
  return [settled.reason, settled.path, settled.message];
}

test("a create of an id that the device has is refused, also for one that only the storage has", async (t) => {
  const world = await createWorld(t);
  const storage = createMemorySyncStorage();
  const [client, tab] = [await world.open({ storage }), await world.open({ storage })];
  const tasks = openTasks(client);
  await idOf(tasks.create({ title: "Milk", spent: 5 }, { id: "milk" }));
  await idOf(tasks.increment("milk", "spent", 2));
  await idOf(tasks.create({ title: "Bread" }, { id: "bread" }));
  const before = tasks.list();
  // The other tab is not told of what this one stores.
  for (const one of [tasks, openTasks(tab)]) {
    assert.deepEqual(await refusalOf(one.create({ title: "Milk", spent: 1 }, { id: "milk" })), [
      "entity_exists",
      undefined,
      '"task/milk" exists: use upsert or patch',
    ]);
  }
  const result = await client.transaction((edit) => {
    edit(tasks).create({ title: "Eggs" }, { id: "eggs" });
    edit(tasks).create({ title: "Eggs" }, { id: "eggs" });
  });
  assert.equal(result.kind === "refused" && result.reason, "entity_exists");
  assert.equal(tasks.list(), before);
  assert.equal(tasks.get("milk")?.spent, 7);
  await idOf(tasks.remove("milk"));
  await idOf(tasks.create({ title: "Milk again" }, { id: "milk" }));
});

test("two devices that create one id offline keep both", async (t) => {
  const world = await createWorld(t);
  const [phone, tablet] = [await world.device(), await world.device()];
  const [onPhone, onTablet] = [openTasks(phone), openTasks(tablet)];
  await idOf(onPhone.create({ title: "Milk", spent: 2, project: "home" }, { id: "milk" }));
  await idOf(onTablet.create({ title: "Milk", spent: 3, due: "2026-01-31" }, { id: "milk" }));
  await syncAll(phone, tablet);
  for (const tasks of [onPhone, onTablet]) {
    const { spent, project, due } = tasks.get("milk") ?? {};
    assert.deepEqual([spent, project, due], [5, "home", "2026-01-31"]);
  }
});

test("a collection lists what was removed as it shows it, for restore", async (t) => {
  const world = await createWorld(t);
  const client = await world.open();
  const tasks = openTasks(client);
  for (const id of ["bread", "milk"]) {
    await idOf(tasks.create({ title: id, spent: 5, tags: ["home"] }, { id }));
  }
  await client.create("note/1", {});
  await client.remove("note/1");
  assert.deepEqual(await tasks.deleted(), []);
  const milk = tasks.get("milk");
  await idOf(tasks.remove("milk"));
  const deleted = await tasks.deleted();
  assert.deepEqual(deleted, [milk]);
  await idOf(tasks.restore(deleted[0]?.id ?? ""));
  assert.deepEqual([tasks.get("milk"), await tasks.deleted()], [milk, []]);
});

test("objects of a class are refused with their path, also those with toJSON", async (t) => {
  const world = await createWorld(t);
  const notes = (await world.open()).collection("note");
  class Money {
    toJSON() {
      return 5;
    }
  }
  for (const [value, path, found] of [
    [new Date(0), "at", "an instance of Date"],
    [{ list: [1, new URL("https://example.com")] }, "at.list[1]", "an instance of URL"],
    [new Money(), "at", "an instance of Money"],
    [{ toJSON: () => 5 }, "at.toJSON", "a function"],
  ] as const) {
    const [reason, where, message] = await refusalOf(notes.create({ at: value }));
    assert.deepEqual([reason, where], ["not_json", path]);
    assert.ok(String(message).startsWith(`payload.${path} is ${found}: `), String(message));
  }
  assert.deepEqual(notes.list(), []);
});

test("a refusal speaks of the id, the field, the neighbour or the option that is wrong", async (t) => {
  const tasks = openTasks(await (await createWorld(t)).open());
  await idOf(tasks.create({ title: "Milk" }, { id: "milk" }));
  const { create, move } = tasks as unknown as Record<
    "create" | "move",
    (...given: readonly unknown[]) => Promise<CollectionResult>
  >;
  const encoded = "have each part encoded as by encodeURIComponent";
  const place =
    "a place is one of { first: true }, { last: true }, { before: id } and { after: id }";
  for (const [result, ...refusal] of [
    [tasks.patch("a b", { done: true }), "entity_id", "id", `the id "a b" must ${encoded}`],
    [tasks.remove("a b"), "entity_id", "id", `the id "a b" must ${encoded}`],
    [create({ title: "" }, { id: "" }), "schema", "title", "title: must be text"],
    [create({ title: "a" }, { id: "" }), "entity_id", "id", 'the id "" must have no empty part'],
    [create({ title: "a" }, { id: 5 }), "entity_id", "id", 'the id "5" must be text'],
    [create({ title: "a" }, null), "entity_id", undefined, 'expected { id }, not "null"'],
    [create({ title: "a" }, "milk"), "entity_id", undefined, 'expected { id }, not "milk"'],
    [create({ title: "a" }, { key: 1 }), "entity_id", undefined, 'expected { id }, not "key"'],
    [create({ titel: "a" }), "schema", "title", "title: must be text (given: titel)"],
    [create({}), "schema", "title", "title: must be text (given: nothing)"],
    [
      create({ title: "a", id: "b" }),
      "unknown_field",
      "id",
      "the id is no field: use create(fields, { id })",
    ],
    [
      move("milk", { after: "ghost" }),
      "order_place",
      "after",
      'there is no other entity "ghost": read the list again',
    ],
    [move("milk", { first: true, last: true }), "order_place", undefined, place],
    [move("milk", { first: false }), "order_place", undefined, place],
    [move("milk", { next: "milk" }), "order_place", undefined, place],
    [move("milk", null), "order_place", undefined, place],
  ] as const) {
    assert.deepEqual(await refusalOf(result), refusal);
  }
});

test("a query that is misspelt or ambiguous throws what is wrong", async (t) => {
  const tasks = openTasks(await (await createWorld(t)).open());
  const list = tasks.list as (query: unknown) => unknown;
  const options = "expected { where, orderBy, desc, limit, after }";
  const values = "text, a number, a date, true or false, or { from, to } of them";
  for (const [query, message] of [
    [{ index: "due" }, `${options}, not "index"`],
    [null, `${options}, not "null"`],
    [{ where: "due" }, "where must be an object of fields and their values"],
    [
      { where: { due: undefined } },
      `where.due has no value: leave the field out, or give it ${values}`,
    ],
    [{ where: { due: ["2026-01-01"] } }, `where.due must be ${values}`],
    [{ where: { due: { below: 5 } } }, 'where.due: expected { from, to }, not "below"'],
    [
      { where: { due: { from: NaN } } },
      "where.due.from must be text, a number, a date, true or false",
    ],
    [{ orderBy: 5 }, "orderBy must be a field, or a list of fields"],
    [{ desc: "yes" }, "desc must be true or false"],
    [{ limit: -1 }, "limit must be a whole number, at least 0"],
    [{ orderBy: "due", limit: 1.5 }, "limit must be a whole number, at least 0"],
    [{ limit: "5" }, "limit must be a whole number, at least 0"],
    [{ after: "milk" }, "after must be the last row of the page before"],
    [{ orderBy: "due", after: { id: "milk" } }, 'after has no value in "due", which orderBy names'],
  ] as const) {
    assert.throws(() => list(query), new TypeError(`Cannot list "task": ${message}`));
  }
  assert.deepEqual(tasks.list({ limit: 0 }), []);
});

test("a collection with wrong options, or without a type, throws what is wrong", async (t) => {
  const { collection } = await (await createWorld(t)).open();
  const make = collection as (...given: readonly unknown[]) => unknown;
  const start = "Cannot create the collection";
  const indexes = "indexes must be a list of fields, or of lists of different fields";
  const options = "expected { schema, indexes, kinds, evolve }, not";
  for (const [given, message] of [
    [[], `${start} "undefined": a type is 1 to 32 of a-z 0-9 -, a letter first`],
    [["task", { indexes: "name" }], `${start} "task": ${indexes}`],
    [["task", { indexes: [[]] }], `${start} "task": ${indexes}`],
    [["task", { indexes: [["due", "due"]] }], `${start} "task": ${indexes}`],
    [["task", { index: ["name"] }], `${start} "task": ${options} "index"`],
    [["task", null], `${start} "task": ${options} "null"`],
    [
      ["task", { kinds: null }],
      `${start} "task": each of kinds must be one of counter, set, order`,
    ],
    [
      ["task", { upgrade: () => ({}) }],
      `${start} "task": upgrade is gone: declare each field that changed in evolve`,
    ],
  ] as const) {
    assert.throws(() => make(...given), new TypeError(message));
  }
});

test("an evolve with wrong options, or one that goes in a circle, throws what is wrong", async (t) => {
  const { collection } = await (await createWorld(t)).open();
  const make = collection as (...given: readonly unknown[]) => unknown;
  const read = () => 1;
  const kinds = { spent: "counter" };
  for (const [options, message] of [
    [{ evolve: [] }, "evolve must be an object of fields"],
    [{ evolve: { a: null } }, 'evolve.a: expected { from, read, write }, not "null"'],
    [
      { evolve: { a: { from: ["b"], get: read } } },
      'evolve.a: expected { from, read, write }, not "get"',
    ],
    [{ evolve: { a: { from: "b", read } } }, "evolve.a: from must be a list of older fields"],
    [{ evolve: { a: { from: [], read } } }, "evolve.a: from must be a list of older fields"],
    [{ evolve: { a: { from: ["b"] } } }, "evolve.a: read must be a function"],
    [{ evolve: { a: { from: ["b"], read, write: 1 } } }, "evolve.a: write must be a function"],
    [
      { kinds, evolve: { spent: { from: ["b"], read } } },
      'evolve.spent: "spent" has a kind, so it cannot evolve',
    ],
    [
      { kinds, evolve: { a: { from: ["spent"], read } } },
      'evolve.a: "spent" has a kind, so it cannot evolve',
    ],
    [
      { indexes: [["due", "b"]], evolve: { a: { from: ["b"], read } } },
      'indexes has the older field "b": name the one that evolve reads from it',
    ],
    [
      { evolve: { a: { from: ["a"], read } } },
      "evolve goes in a circle (a reads a): give a new shape a new name",
    ],
    [
      {
        evolve: {
          x: { from: ["a"], read },
          a: { from: ["b"], read },
          b: { from: ["c", "a"], read },
        },
      },
      "evolve goes in a circle (a reads b reads a): give a new shape a new name",
    ],
  ]) {
    const text = `Cannot create the collection "task": ${String(message)}`;
    assert.throws(() => make("task", options), new TypeError(text));
  }
});

test("a second collection of one type is refused with what differs, and one of another run is not", async (t) => {
  const { collection } = await (await createWorld(t)).open();
  const make = collection as (...given: readonly unknown[]) => unknown;
  const optionsOf = (factor = 100) => ({
    indexes: ["due", "project"],
    kinds: { spent: "counter" },
    evolve: {
      cents: {
        from: ["amount"],
        read: ({ amount }: { amount: number }) => amount * factor,
        write: (cents: number) => ({ amount: cents / factor }),
      },
    },
  });
  const options = optionsOf();
  const { cents } = options.evolve;
  make("task", options);
  make("task", { ...optionsOf(), indexes: ["project", "due"] });
  for (const [given, difference] of [
    [{ ...options, indexes: ["due"] }, 'indexes was [["due"],["project"]], and is [["due"]]'],
    [{ ...options, kinds: {} }, 'kinds.spent was "counter", and is nothing'],
    [{ ...options, kinds: { spent: "set" } }, 'kinds.spent was "counter", and is "set"'],
    [{ ...options, evolve: {} }, 'evolve.cents.from was ["amount"], and is nothing'],
    [
      { ...options, evolve: { cents: { ...cents, from: ["sum"] } } },
      'evolve.cents.from was ["amount"], and is ["sum"]',
    ],
    [
      { ...options, evolve: { cents: { ...cents, read: () => 1 } } },
      `evolve.cents.read was ${String(cents.read)}, and is () => 1`,
    ],
    [
      { ...options, evolve: { cents: { ...cents, write: undefined } } },
      `evolve.cents.write was ${String(cents.write)}, and is nothing`,
    ],
  ] as const) {
    const text = `Cannot create the collection "task" once more: ${difference}; create it once, and import it`;
    assert.throws(() => make("task", given), new TypeError(text));
  }
  make("other", { indexes: [] });
});

test("a client with a wrong storage or address says which one to use", async (t) => {
  const world = await createWorld(t);
  const open = (given: Partial<SyncClientOptions>) => world.open(given);
  const storage = createMemoryStorage() as unknown as SyncStorage;
  await assert.rejects(open({ storage }), /storage must be of .+ createSqliteStorage/);
  const inNode = createIndexedDbStorage("notes");
  await assert.rejects(open({ storage: inNode }), /on Node use createSqliteStorage/);
  await assert.rejects(open({ baseUrl: "http://localhost:4811/v1/" }), /must not end in \/v1/);
});
