import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { OrderPlace } from "../../../src/client/index.ts";
import { createWorld, stored, syncAll, syncNow } from "../sync/world.ts";
import { createSchema, idOf, openTasks } from "./task.ts";

const idsOf = (entities: readonly { readonly id: string }[]) => entities.map(({ id }) => id);

test("an entity moves to any place of the order, also by moves that are not waited for", async (t) => {
  const world = await createWorld(t);
  const tasks = openTasks(await world.open());
  // Made at once: each stands behind the one before it.
  const ids = ["d", "a", "c", "b"];
  await Promise.all(ids.map((id) => idOf(tasks.create({ title: id }, { id }))));
  assert.deepEqual(idsOf(tasks.list()), ids);
  await idOf(tasks.move("b", { first: true }));
  assert.deepEqual(idsOf(tasks.list()), ["b", "d", "a", "c"]);
  await idOf(tasks.move("b", { last: true }));
  await idOf(tasks.move("c", { before: "a" }));
  assert.deepEqual(idsOf(tasks.list()), ["d", "c", "a", "b"]);
  await Promise.all([
    idOf(tasks.move("b", { after: "d" })),
    idOf(tasks.move("a", { after: "b" })),
    idOf(tasks.move("d", { last: true })),
  ]);
  assert.deepEqual(idsOf(tasks.list()), ["b", "a", "c", "d"]);
  for (const place of [{ after: "a" }, { before: "nowhere" }, 5, {}]) {
    const result = await tasks.move("a", place as { after: string });
    assert.equal(result.kind === "refused" && result.reason, "order_place");
  }
});

test("what is made after a move stands behind it, in one transaction and without waiting", async (t) => {
  const world = await createWorld(t);
  const client = await world.open();
  const tasks = openTasks(client);
  for (const id of ["a", "b"]) await idOf(tasks.create({ title: id }, { id }));
  const result = await client.transaction((edit) => {
    edit(tasks).move("a", { last: true });
    // Were their keys the same, the ids would decide.
    edit(tasks).create({ title: "c" }, { id: "C" });
  });
  assert.equal(result.kind, "stored");
  assert.deepEqual(idsOf(tasks.list()), ["b", "a", "C"]);
  await Promise.all([
    idOf(tasks.move("b", { last: true })),
    idOf(tasks.upsert("D", { title: "d" })),
    idOf(tasks.move("a", { last: true })),
    idOf(tasks.create({ title: "e" }, { id: "E" })),
  ]);
  assert.deepEqual(idsOf(tasks.list()), ["C", "b", "D", "a", "E"]);
});

test("an order that is planned in one transaction is that of the same calls one by one", async (t) => {
  const world = await createWorld(t);
  await fc.assert(
    fc.asyncProperty(PLACINGS, async (placings) => {
      const orders = [];
      for (const isTogether of [true, false]) {
        const client = await world.open();
        const tasks = openTasks(client);
        for (const id of ["a", "b", "c"]) await idOf(tasks.create({ title: id }, { id }));
        if (isTogether) {
          const result = await client.transaction((edit) => {
            for (const [index, one] of placings.entries()) place(edit(tasks), one, index);
          });
          assert.equal(result.kind, "stored", JSON.stringify(result));
        } else {
          for (const [index, one] of placings.entries()) await place(tasks, one, index);
        }
        orders.push(idsOf(tasks.list()));
        await client.close();
      }
      assert.deepEqual(orders[0], orders[1]);
    }),
    { numRuns: 40 },
  );
});

/** Null makes a task, others move one. */
const PLACINGS = fc.array(
  fc.option(
    fc.record({
      id: fc.constantFrom("a", "b", "c"),
      neighbour: fc.constantFrom("a", "b", "c"),
      where: fc.constantFrom("first", "last", "before", "after"),
    }),
  ),
  { minLength: 2, maxLength: 6 },
);

type Placing = { readonly id: string; readonly neighbour: string; readonly where: string } | null;

function place(
  tasks: {
    create(fields: { title: string }, options: { id: string }): unknown;
    move(id: string, place: OrderPlace): unknown;
  },
  placing: Placing,
  index: number,
): unknown {
  if (placing === null) return tasks.create({ title: "new" }, { id: `A${index}` });
  const { id, neighbour, where } = placing;
  if (where === "first" || where === "last") return tasks.move(id, { [where]: true } as OrderPlace);
  return id === neighbour ? undefined : tasks.move(id, { [where]: neighbour } as OrderPlace);
}

test("an entity moves between two that were made at the same time on two devices", async (t) => {
  const world = await createWorld(t);
  const [phone, tablet] = [await world.device(), await world.device()];
  const [onPhone, onTablet] = [openTasks(phone), openTasks(tablet)];
  await idOf(onPhone.create({ title: "First" }, { id: "first" }));
  await syncAll(phone, tablet);
  await idOf(onPhone.create({ title: "Phone" }, { id: "p" }));
  await idOf(onTablet.create({ title: "Tablet" }, { id: "t" }));
  await syncAll(phone, tablet);
  assert.equal(onPhone.get("p")?.position, onPhone.get("t")?.position);
  assert.deepEqual(idsOf(onPhone.list()), ["first", "p", "t"]);
  await idOf(onPhone.move("first", { after: "p" }));
  await syncAll(phone, tablet);
  for (const tasks of [onPhone, onTablet])
    assert.deepEqual(idsOf(tasks.list()), ["p", "first", "t"]);
});

test("an entity without a key stands last, and those that follow stand behind it once it is moved", async (t) => {
  const world = await createWorld(t);
  const client = await world.open();
  const tasks = openTasks(client);
  for (const id of ["x", "y"]) await stored(client.create(`task/${id}`, { title: id }));
  await idOf(tasks.create({ title: "a" }, { id: "a" }));
  assert.deepEqual(idsOf(tasks.list()), ["a", "x", "y"]);
  await idOf(tasks.move("a", { after: "y" }));
  assert.deepEqual(idsOf(tasks.list()), ["x", "y", "a"]);
});

test("an index lists by value and then by id, within bounds, and leaves out entities without one", async (t) => {
  const world = await createWorld(t);
  const tasks = openTasks(await world.open());
  const dues = ["2026-03-01", "2026-01-01", undefined, "2026-02-01", "2026-01-01"];
  for (const [index, due] of dues.entries()) {
    await idOf(
      tasks.create({ title: "t", ...(due !== undefined && { due }) }, { id: `t${index}` }),
    );
  }
  assert.deepEqual(idsOf(tasks.list({ orderBy: "due" })), ["t1", "t4", "t3", "t0"]);
  assert.deepEqual(idsOf(tasks.list({ where: { due: { from: "2026-01-02" } }, orderBy: "due" })), [
    "t3",
    "t0",
  ]);
  assert.deepEqual(
    idsOf(tasks.list({ orderBy: "due", where: { due: { from: "2026-01-01", to: "2026-02-01" } } })),
    ["t1", "t4", "t3"],
  );
  assert.deepEqual(idsOf(tasks.list({ orderBy: "due", limit: 1 })), ["t1"]);
  assert.deepEqual(idsOf(tasks.list({ limit: 2 })), ["t0", "t1"]);
  await idOf(tasks.patch("t1", { due: "2026-12-31" }));
  await idOf(tasks.patch("t4", { due: undefined }));
  await idOf(tasks.remove("t0"));
  assert.deepEqual(idsOf(tasks.list({ orderBy: "due" })), ["t3", "t1"]);
});

test("a list and an entity are the same objects until something in them changes", async (t) => {
  const world = await createWorld(t);
  const client = await world.device();
  const tasks = openTasks(client);
  await idOf(tasks.create({ title: "a", due: "2026-01-01" }, { id: "a" }));
  await idOf(tasks.create({ title: "b" }, { id: "b" }));
  const [all, one] = [tasks.list(), tasks.get("a")];
  const due = () => tasks.list({ where: { due: { from: "2026-01-01" } } });
  const listed = due();
  // Pushed and pulled back, and another type.
  await syncNow(client);
  await stored(client.create("note/1", {}));
  assert.equal(tasks.list(), all);
  assert.equal(tasks.get("a"), one);
  assert.equal(due(), listed);
  await idOf(tasks.patch("b", { done: true }));
  assert.notEqual(tasks.list(), all);
  assert.equal(all[1]?.done, false);
  assert.equal(due(), listed);
  assert.equal(tasks.get("a"), one);
  await idOf(tasks.patch("a", { title: "A" }));
  assert.notEqual(due(), listed);
});

test("listeners are called when their collection or entity changes, and never for a status", async (t) => {
  const world = await createWorld(t);
  const [client, other] = [await world.device(), await world.device()];
  const [tasks, notes] = [openTasks(client), client.collection("note")];
  const calls: string[] = [];
  let statuses = 0;
  tasks.subscribe(() => calls.push(`tasks ${tasks.list().length} ${notes.list().length}`));
  notes.subscribe(() => calls.push(`notes ${tasks.list().length} ${notes.list().length}`));
  const end = tasks.subscribeTo("a", () => calls.push(`a ${tasks.get("a")?.title}`));
  client.subscribe(() => statuses++);
  await idOf(tasks.create({ title: "A" }, { id: "a" }));
  await idOf(tasks.create({ title: "B" }, { id: "b" }));
  assert.deepEqual(calls.splice(0), ["tasks 1 0", "a A", "tasks 2 0"]);
  const before = statuses;
  await syncNow(client);
  assert.ok(statuses > before);
  assert.deepEqual(calls, []);
  await syncAll(client, other);
  await stored(other.create("note/1", {}));
  await idOf(openTasks(other).patch("a", { title: "AA" }));
  await syncAll(other, client);
  assert.deepEqual(calls.splice(0), ["tasks 2 1", "a AA", "notes 2 1"]);
  end();
  await idOf(tasks.patch("a", { title: "AAA" }));
  assert.deepEqual(calls, ["tasks 2 1"]);
});

test("a list after an edit costs what changed", async (t) => {
  const world = await createWorld(t);
  const client = await world.open();
  let reads = 0;
  const schema = createSchema<{ n: number }, { n: number }>(({ n }) => {
    reads++;
    return { value: { n: n as number } };
  });
  const notes = client.collection("note", {
    indexes: ["n"],
    schema,
  });
  for (let at = 0; at < 10; at++) {
    const edits = Array.from({ length: 100 }, (_, i) =>
      notes.create({ n: at * 100 + i }, { id: `${at}-${i}` }),
    );
    for (const edit of edits) await idOf(edit);
  }
  assert.equal(notes.list().length, 1000);
  reads = 0;
  await idOf(notes.patch("3-7", { n: -1 }));
  assert.equal(notes.list({ orderBy: "n", limit: 1 })[0]?.id, "3-7");
  assert.equal(notes.list().length, 1000);
  // The check of the edit, and the entity as it is then.
  assert.ok(reads <= 2, String(reads));
});

test("a sign-out that erases empties the lists, and tells", async (t) => {
  const world = await createWorld(t);
  const client = await world.device();
  const tasks = openTasks(client);
  await idOf(tasks.create({ title: "A" }, { id: "a" }));
  await syncNow(client);
  let calls = 0;
  tasks.subscribeTo("a", () => calls++);
  await client.signOut({ erase: true });
  assert.deepEqual([tasks.list(), tasks.get("a"), calls], [[], undefined, 1]);
});

test("an app cannot sort a list in place, which would lose entities at the next change", async (t) => {
  const world = await createWorld(t);
  const tasks = openTasks(await world.open());
  for (const id of ["a", "b", "c"]) await idOf(tasks.create({ title: id, project: "p" }, { id }));
  const lists = [
    tasks.list(),
    tasks.list({ limit: 3 }),
    tasks.list({ orderBy: "project" }),
    tasks.invalid(),
  ];
  for (const list of lists) assert.throws(() => (list as unknown[]).reverse().push(1), TypeError);
  await idOf(tasks.remove("a"));
  assert.deepEqual(idsOf(tasks.list()), ["b", "c"]);
});
