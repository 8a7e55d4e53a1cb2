/** What the types refuse is refused when it runs, too: an app in JavaScript has no types. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  createMemorySyncStorage,
  type Collection,
  type CollectionResult,
  type Entity,
  type SyncClient,
} from "../../../src/client/index.ts";
import { createWorld } from "../sync/world.ts";
import { Tx } from "./budget.ts";
import { openTasks, Task, type TaskInput } from "./task.ts";

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Compiles only for `true`. */
function holds<_Claim extends true>(): void {}

async function reasonOf(result: Promise<CollectionResult>): Promise<unknown> {
  const settled = await result;
  return settled.kind === "refused" ? [settled.reason, settled.path] : settled.kind;
}

test("a mistake of the app does not compile, and is refused in JavaScript", async (t) => {
  const client = await (await createWorld(t)).open();
  const tasks = openTasks(client);
  const id = "milk";
  await tasks.create({ title: "Milk" }, { id });
  const results = [
    // @ts-expect-error A typo
    tasks.patch(id, { titel: "Milk" }),
    // @ts-expect-error A wrong type
    tasks.patch(id, { done: "yes" }),
    // @ts-expect-error A field that every task has
    tasks.patch(id, { title: undefined }),
    // @ts-expect-error A counter
    tasks.patch(id, { spent: 5 }),
    // @ts-expect-error A set
    tasks.upsert(id, { tags: ["home"] }),
    // @ts-expect-error An order, which only move changes
    tasks.create({ title: "Bread", position: "a5" }),
    // @ts-expect-error A missing field
    tasks.create({ done: true }),
    // @ts-expect-error A wrong first value of a counter
    tasks.create({ title: "Bread", spent: "5" }),
    // @ts-expect-error No counter
    tasks.increment(id, "title", 1),
    // @ts-expect-error No set
    tasks.addTo(id, "title", "home"),
    // @ts-expect-error No text
    tasks.addTo(id, "tags", 5),
    // @ts-expect-error No number
    tasks.increment(id, "spent", "5"),
    // @ts-expect-error No place
    tasks.move(id, { behind: "bread" }),
  ];
  assert.deepEqual(await Promise.all(results.map(reasonOf)), [
    ["unknown_field", "titel"],
    ["schema", "done"],
    ["schema", "title"],
    ["field_kind", "spent"],
    ["field_kind", "tags"],
    ["field_kind", "position"],
    ["schema", "title"],
    ["field_kind", "spent"],
    ["field_kind", "title"],
    ["field_kind", "title"],
    ["set_element", "tags"],
    ["count", "spent"],
    ["order_place", undefined],
  ]);
  // @ts-expect-error An index that was not declared
  assert.throws(() => tasks.list({ orderBy: "title" }), /declare "title" in the indexes/);
  // @ts-expect-error A filter by a field without an index
  assert.throws(() => tasks.list({ where: { title: "Milk" } }), /declare "title" in the indexes/);
  // @ts-expect-error A value of another type than the field has
  assert.deepEqual(tasks.list({ where: { due: 5 } }), []);
  // @ts-expect-error A range of another type than the field has
  assert.deepEqual(tasks.list({ where: { due: { from: 5, to: 6 } } }), []);
  // @ts-expect-error A range with a bound that there is not
  assert.throws(() => tasks.list({ where: { due: { above: "2026" } } }), /expected { from, to }/);
  // @ts-expect-error Null, which no index has
  assert.throws(() => tasks.count({ where: { due: null } }), /where.due must be text/);
  // @ts-expect-error A compound index that was not declared
  assert.throws(() => tasks.query({ orderBy: ["due", "project"] }), /declare \["due","project"\]/);
  // @ts-expect-error No row, but its id
  assert.throws(() => tasks.list({ orderBy: "due", after: "milk" }), /must be the last row/);
  // @ts-expect-error A count has no order
  assert.throws(() => tasks.count({ orderBy: "due" }), /expected { where }, not "orderBy"/);
  // @ts-expect-error No number
  assert.equal(tasks.sum("title"), 0);
  // @ts-expect-error No asynchronous function: its later edits would not be in the transaction
  const late: Promise<unknown> = client.transaction(async () => {});
  await assert.rejects(late, /must not be asynchronous/);
});

test("options that contradict the types do not compile, and throw", async (t) => {
  const client = await (await createWorld(t)).open();
  const make = client.collection;
  // @ts-expect-error A type must be lower-case
  assert.throws(() => make("Task", { schema: {} }), /Cannot create the collection "Task"/);
  // @ts-expect-error No Standard Schema
  assert.throws(() => make("task", { schema: {} }), /is not a Standard Schema/);
  // @ts-expect-error A kind that does not exist
  assert.throws(() => make("task", { schema: Task, kinds: { spent: "sum" } }), /must be one of/);
  const orders = { title: "order", due: "order" } as const;
  assert.throws(() => make("task", { schema: Task, kinds: orders }), /only one of title and due/);
  // @ts-expect-error A text is no counter
  make("task-1", { schema: Task, kinds: { title: "counter" } });
  // @ts-expect-error An index of no field
  make("task-2", { schema: Task, indexes: ["projekt"] });
  // @ts-expect-error A kind of no field
  make("task-3", { schema: Task, kinds: { spent: "counter", spend: "counter" } });
});

interface Note {
  text: string;
  stars?: number;
}

test("the types of a collection are those of its schema, or the one that is given", async (t) => {
  const world = await createWorld(t);
  const storage = createMemorySyncStorage();
  const client: SyncClient = await world.open({ storage });
  const tasks = openTasks(client);
  holds<Equal<ReturnType<typeof tasks.get>, Entity<Task> | undefined>>();
  holds<Equal<ReturnType<typeof tasks.list>, readonly Entity<Task>[]>>();
  const task = tasks.list()[0];
  holds<Equal<typeof task, Entity<Task> | undefined>>();
  const input: TaskInput = { title: "Milk", spent: 0, tags: [], position: "" };
  const { position: _, ...first } = input;
  assert.equal((await tasks.create(first)).kind, "stored");
  const [done = true] = tasks.list().map((one) => one.done);
  holds<Equal<typeof done, boolean>>();
  assert.equal(done, false);
  // An interface has no index signature.
  const notes: Collection<Note> = client.collection<Note>("note");
  assert.equal((await notes.create({ text: "Hello" }, { id: "1" })).kind, "stored");
  assert.equal((await notes.patch("1", { stars: undefined })).kind, "stored");
  // @ts-expect-error A typo
  void notes.create({ txt: "Hello" });
  // @ts-expect-error A field that every note has
  void notes.patch("1", { text: undefined });
  // @ts-expect-error No order
  assert.equal((await notes.move("1", { first: true })).kind, "refused");
  // @ts-expect-error No index
  assert.throws(() => notes.list({ orderBy: "stars" }), /declare "stars"/);
  const tab = await world.open({ storage });
  const counted = tab.collection<Note, { stars: "counter" }, "stars">("note", {
    kinds: { stars: "counter" },
    indexes: ["stars"],
  });
  assert.equal(counted.list({ orderBy: "stars", limit: 1 }).length, 1);
  assert.equal((await counted.increment("1", "stars")).kind, "stored");
  // @ts-expect-error A counter
  assert.equal((await counted.patch("1", { stars: 5 })).kind, "refused");
  assert.equal(counted.get("1")?.stars, 1);
  const plain = (await world.open({ storage })).collection("note", {
    indexes: ["text"],
    kinds: { stars: "counter" },
  });
  holds<Equal<ReturnType<typeof plain.list>[number]["text"], unknown>>();
  assert.equal((await plain.increment("1", "stars")).kind, "stored");
  assert.deepEqual(plain.list({ orderBy: "text" }), []);
  // @ts-expect-error An index that was not declared
  assert.throws(() => plain.list({ orderBy: "stars" }), /declare "stars"/);
  assert.equal((await plain.patch("1", { stars: 5 })).kind, "refused");
  // @ts-expect-error No order
  assert.equal((await plain.move("1", { first: true })).kind, "refused");
  // TypeScript infers all type parameters or none, so a type is named together with kinds and indexes.
  // @ts-expect-error A kind that the type parameters leave out
  client.collection<Note>("note-1", { kinds: { stars: "counter" } });
  // @ts-expect-error An index that the type parameters leave out
  client.collection<Note>("note-2", { indexes: ["stars"] });
});

test("what evolve reads and writes is typed by the names of the fields", async (t) => {
  const client = await (await createWorld(t)).open();
  let types = 0;
  const make: typeof client.collection = (_type: string, ...given: readonly unknown[]) =>
    (client.collection as (...given: readonly unknown[]) => never)(`tx-${++types}`, ...given);
  const read = ({ amount }: { amount: number }) => amount;
  const from = ["amount"] as const;
  const tx = make("tx", {
    schema: Tx,
    indexes: ["cents"],
    evolve: {
      cents: {
        from: ["amount"],
        read: ({ amount }) => Math.round(amount * 100),
        write: (cents) => ({ amount: cents / 100 }),
      },
      payee: { from: ["who", "to"], read: ({ who, to }) => who ?? to },
    },
  });
  holds<Equal<ReturnType<typeof tx.get>, Entity<Tx> | undefined>>();
  // A step between two shapes is no field of today.
  make("tx", {
    schema: Tx,
    evolve: {
      cents: { from: ["money"], read: ({ money }) => money.cents },
      money: { from: ["amount"], read: ({ amount }) => ({ cents: amount * 100 }) },
    },
  });
  // With a type in the place of a schema, older fields have any name, or those that are given.
  make<Tx>("tx", { evolve: { cents: { from: ["amount"], read: ({ amount }) => amount * 100 } } });
  make<Tx, {}, "cents", { cents: "amount" }>("tx", { evolve: { cents: { from, read } } });
  make("tx", { evolve: { cents: { from: ["amount"], read: ({ amount }) => amount } } });
  // @ts-expect-error A typo in what is read
  make("tx", { schema: Tx, evolve: { cents: { from: ["amount"], read: ({ amuont }) => amuont } } });
  // @ts-expect-error Another type than the field has
  make("tx", { schema: Tx, evolve: { cents: { from: ["amount"], read: String } } });
  // @ts-expect-error A typo in what is written
  make("tx", { schema: Tx, evolve: { cents: { from, read, write: (amuont) => ({ amuont }) } } });
  // @ts-expect-error A method that the value does not have
  make("tx", { schema: Tx, evolve: { cents: { from, read, write: (n) => ({ amount: n.x }) } } });
  // @ts-expect-error A field that the schema does not have
  make("tx", { schema: Tx, evolve: { cent: { from, read } } });
  // @ts-expect-error A field that the type does not have
  make<Tx>("tx", { evolve: { cent: { from: ["amount"], read: ({ amount }) => amount } } });
  // @ts-expect-error A field of today
  make("tx", { schema: Tx, evolve: { cents: { from: ["note"], read: ({ note }) => note } } });
  // @ts-expect-error No list
  assert.throws(() => make("tx", { schema: Tx, evolve: { cents: { from: "amount", read } } }));
  // @ts-expect-error Nothing to read it by
  assert.throws(() => make("tx", { schema: Tx, evolve: { cents: { from } } }));
  // @ts-expect-error It is evolve now
  assert.throws(() => make("tx", { schema: Tx, upgrade: (fields: object) => fields }));
});
