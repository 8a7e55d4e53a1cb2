/** Fields whose shape changed: older and newer apps of one account side by side. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { createMemorySyncStorage, type SyncClient } from "../../../src/client/index.ts";
import { createSealedWorld } from "../sync/sealed-device.ts";
import { createWorld, stored, syncAll, syncNow } from "../sync/world.ts";
import { openNew, openOld } from "./budget.ts";
import { idOf } from "./task.ts";

type Pair = readonly [older: SyncClient, newer: SyncClient];

async function openClear(t: TestContext): Promise<Pair> {
  const world = await createWorld(t);
  return [await world.device(), await world.device()];
}

async function openSealed(t: TestContext): Promise<Pair> {
  const world = await createSealedWorld(t);
  const [client, recoveryKey] = await world.first();
  return [client, await world.second(recoveryKey)];
}

for (const [account, open] of [
  ["an account", openClear],
  ["an encrypted account", openSealed],
] as const) {
  test(`an older and a newer app of ${account} see each other's edits`, async (t) => {
    const [older, newer] = await open(t);
    const [old, tx] = [openOld(older), openNew(newer)];
    await idOf(old.create({ amount: 1.5, who: "Ada", note: "Milk" }, { id: "1" }));
    await syncAll(older, newer);
    assert.deepEqual(tx.get("1"), { id: "1", cents: 150, payee: "Ada", note: "Milk" });
    assert.deepEqual(tx.list({ where: { cents: { from: 150 } } }), tx.list());

    await idOf(tx.patch("1", { cents: 275 }));
    await idOf(tx.patch("1", { payee: "Bob" }));
    await syncAll(newer, older);
    // A field without `write` leaves the older app its own value.
    assert.deepEqual(old.get("1")?.amount, 2.75);
    assert.deepEqual(old.get("1")?.who, "Ada");
    assert.deepEqual([tx.get("1")?.cents, tx.get("1")?.payee], [275, "Bob"]);

    // The edit of the older app is the later one, also where the value is that of before.
    await idOf(old.patch("1", { amount: 3 }));
    await idOf(old.patch("1", { who: "Ada" }));
    await syncAll(older, newer);
    assert.deepEqual([tx.get("1")?.cents, tx.get("1")?.payee], [300, "Ada"]);
    assert.deepEqual(tx.list({ where: { cents: 300 } }), tx.list());

    await idOf(tx.create({ cents: 42 }, { id: "2" }));
    await syncAll(newer, older);
    assert.deepEqual(newer.entities.get("tx/2")?.payload, { amount: 0.42, cents: 42 });
    assert.equal(old.get("2")?.amount, 0.42);
  });
}

test("a second look changes nothing, and an edit of another field leaves evolved ones to be read", async (t) => {
  const [older, newer] = await openClear(t);
  const [old, tx] = [openOld(older), openNew(newer)];
  await idOf(old.create({ amount: 1.5 }, { id: "1" }));
  await syncAll(older, newer);
  const first = tx.get("1");
  assert.equal(tx.list()[0], first);
  assert.equal(newer.status.pending, 0);
  await idOf(tx.patch("1", { note: "Milk" }));
  assert.deepEqual(newer.entities.get("tx/1")?.payload, { amount: 1.5, note: "Milk" });
  assert.deepEqual(tx.get("1"), { id: "1", cents: 150, note: "Milk" });
});

test("subscribers hear of an edit that writes an older field", async (t) => {
  const [older, newer] = await openClear(t);
  const [old, tx] = [openOld(older), openNew(newer)];
  await idOf(old.create({ amount: 1 }, { id: "1" }));
  await syncAll(older, newer);
  await idOf(tx.patch("1", { cents: 100 }));
  await stored(newer.patch("tx/1", { cents: 70 }));
  let calls = 0;
  tx.subscribeTo("1", () => calls++);
  assert.equal(tx.get("1")?.cents, 70);
  await syncAll(newer, older);
  // The very value that is stored, written later.
  await idOf(old.patch("1", { amount: 1 }));
  await syncAll(older, newer);
  assert.deepEqual([tx.get("1")?.cents, calls], [100, 1]);
});

test("`read` runs for no create and for no field that the app itself wrote", async (t) => {
  const client = await (await createWorld(t)).open();
  let reads = 0;
  const names = client.collection<{ first: string; last?: string }>("name", {
    evolve: {
      first: {
        from: ["full"],
        read: ({ full }) => (reads++, String(full).split(" ")[0]),
        write: (first) => ({ full: first }),
      },
      last: { from: ["full"], read: ({ full }) => (reads++, String(full).split(" ")[1]) },
    },
  });
  await idOf(names.create({ first: "Ada" }, { id: "1" }));
  // The older field of one must not be read into another.
  assert.deepEqual(names.get("1"), { id: "1", first: "Ada" });
  await idOf(names.patch("1", { last: "King" }));
  await idOf(names.patch("1", { first: "Augusta" }));
  assert.deepEqual(names.get("1"), { id: "1", first: "Augusta", last: "King" });
  assert.equal(reads, 0);
  assert.equal(client.entities.get("name/1")?.payload["full"], "Augusta");
});

test("a chain of shapes is followed, and written back through each `write`", async (t) => {
  const [older, newer] = await openClear(t);
  const old = openOld(older);
  const tx = newer.collection<
    { money: { cents: number } },
    {},
    never,
    { cents: "amount"; money: "cents" }
  >("tx", {
    evolve: {
      money: {
        from: ["cents"],
        read: ({ cents }) => ({ cents: cents as number }),
        write: ({ cents }) => ({ cents }),
      },
      cents: {
        from: ["amount"],
        read: ({ amount }) => Math.round(amount * 100),
        write: (cents) => ({ amount: cents / 100 }),
      },
    },
  });
  await idOf(old.create({ amount: 1 }, { id: "1" }));
  await syncAll(older, newer);
  assert.deepEqual(tx.get("1"), { id: "1", money: { cents: 100 } });
  await idOf(tx.patch("1", { money: { cents: 250 } }));
  assert.deepEqual(newer.entities.get("tx/1")?.payload, {
    amount: 2.5,
    cents: 250,
    money: { cents: 250 },
  });
  await syncAll(newer, older);
  await idOf(old.patch("1", { amount: 4 }));
  await syncAll(older, newer);
  assert.deepEqual(tx.get("1"), { id: "1", money: { cents: 400 } });
  await idOf(tx.patch("1", { money: undefined as never }));
  assert.deepEqual(newer.entities.get("tx/1")?.payload, { amount: null, cents: null, money: null });
});

test("null is absent for `read`, and what an older app removed shows as removed", async (t) => {
  const [older, newer] = await openClear(t);
  const old = openOld(older);
  const seen: unknown[] = [];
  const tx = newer.collection<{ title: string }>("tx", {
    evolve: {
      title: {
        from: ["who", "note"],
        read({ ...fields }) {
          seen.push(fields);
          return Object.values(fields).join(": ");
        },
      },
    },
  });
  await idOf(old.create({ amount: 1, who: "Ada", note: "Milk" }, { id: "1" }));
  await syncAll(older, newer);
  assert.equal(tx.get("1")?.title, "Ada: Milk");
  await idOf(tx.patch("1", { title: "Cheese" }));
  await syncAll(newer, older);
  await idOf(old.patch("1", { note: undefined }));
  await syncAll(older, newer);
  assert.equal(tx.get("1")?.title, "Ada");
  assert.deepEqual(seen, [{ who: "Ada", note: "Milk" }, { who: "Ada" }]);
});

test("what `read` cannot make is an invalid entity, whose other fields can be edited", async (t) => {
  const [older, newer] = await openClear(t);
  const [old, tx] = [openOld(older), openNew(newer)];
  const strict = newer.collection<{ at: string; note?: string }>("day", {
    evolve: { at: { from: ["date"], read: ({ date }) => new Date(date).toISOString() } },
  });
  await stored(older.create("day/1", { date: "soon" }));
  await idOf(old.create({ amount: Number.MAX_VALUE, note: "Milk" }, { id: "1" }));
  await idOf(old.create({ amount: "much" as never }, { id: "2" }));
  await syncAll(older, newer);
  const noJson = "read gave Infinity for cents, which is not JSON";
  assert.deepEqual(
    tx.invalid().map(({ id, issues }) => [id, issues]),
    [
      ["1", [{ path: "cents", message: noJson }]],
      ["2", [{ path: "cents", message: noJson.replace("Infinity", "NaN") }]],
    ],
  );
  assert.deepEqual(strict.invalid()[0]?.issues, [{ path: "at", message: "Invalid time value" }]);
  await idOf(strict.patch("1", { note: "later" }));
  await idOf(tx.patch("1", { note: "Bread" }));
  const refused = await tx.patch("1", { note: 5 as never });
  assert.deepEqual(refused.kind === "refused" && refused.path, "note");
  assert.equal(newer.entities.get("tx/1")?.payload["note"], "Bread");
  // To name the field mends it.
  await idOf(tx.patch("1", { cents: 5 }));
  assert.deepEqual(tx.get("1"), { id: "1", cents: 5, note: "Bread" });
});

test("a restore shows what was shown, whichever field was written last", async (t) => {
  const [older, newer] = await openClear(t);
  const [old, tx] = [openOld(older), openNew(newer)];
  for (const id of ["1", "2", "3"]) await idOf(tx.create({ cents: 100 }, { id }));
  await syncAll(newer, older);
  await idOf(old.patch("2", { amount: 2 }));
  await idOf(old.patch("3", { amount: "much" as never }));
  await syncAll(older, newer);
  const before = tx.list();
  assert.deepEqual(before, [
    { id: "1", cents: 100 },
    { id: "2", cents: 200 },
  ]);
  const [invalid] = tx.invalid();
  for (const id of ["1", "2", "3"]) await idOf(tx.remove(id));
  assert.deepEqual(await tx.deleted(), before);
  for (const id of ["1", "2", "3"]) await idOf(tx.restore(id));
  assert.deepEqual(tx.list(), before);
  assert.deepEqual(tx.invalid()[0]?.issues, invalid?.issues);
  await syncAll(newer, older);
  assert.deepEqual([old.get("1")?.amount, old.get("2")?.amount], [1, 2]);
});

test("a restore of more fields than an operation has shows what was shown", async (t) => {
  const [older, newer] = await openClear(t);
  const tx = openNew(newer);
  const extra = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`field${i}`, i]));
  await stored(newer.create("tx/1", { amount: 1, cents: 1234, ...extra }));
  await stored(newer.patch("tx/1", { more: "x".repeat(30_000), even: "x".repeat(30_000) }));
  const before = tx.get("1");
  assert.equal(before?.cents, 1234);
  await idOf(tx.remove("1"));
  await idOf(tx.restore("1"));
  assert.ok(newer.status.pending > 3, "in several operations");
  assert.deepEqual(tx.get("1"), before);
  await syncAll(newer, older);
  assert.deepEqual(openNew(older).get("1"), before);
});

test("settle writes what is read once, with its progress, and evolve can go", async (t) => {
  const [older, newer] = await openClear(t);
  const [old, tx] = [openOld(older), openNew(newer)];
  for (let at = 0; at < 120; at++)
    await idOf(old.create({ amount: at, who: "Ada" }, { id: `${at}` }));
  await idOf(old.create({ amount: "much" as never, who: "Bob" }, { id: "wrong" }));
  await idOf(old.create({ amount: 1, who: "Ada" }, { id: "removed" }));
  await idOf(old.patch("7", { who: undefined }));
  await syncAll(older, newer);
  await idOf(tx.create({ cents: 1 }, { id: "new" }));
  await idOf(tx.remove("removed"));
  const before = tx.list();
  const progress: (readonly number[])[] = [];
  const onProgress = (settled: number, total: number) => progress.push([settled, total]);
  assert.deepEqual(await tx.settle({ onProgress }), { settled: 121 });
  assert.deepEqual(progress, [
    [100, 121],
    [121, 121],
  ]);
  assert.deepEqual(tx.list(), before);
  assert.deepEqual(newer.entities.get("tx/5")?.payload, {
    amount: 5,
    who: "Ada",
    cents: 500,
    payee: "Ada",
  });
  // What can be read of an entity that is wrong elsewhere is not lost.
  assert.equal(newer.entities.get("tx/wrong")?.payload["payee"], "Bob");
  assert.deepEqual(await tx.settle(), { settled: 0 });
  await syncAll(newer, older);
  const plain = older.collection<{ cents: number; payee: string }>("plain-tx");
  assert.deepEqual(await plain.settle(), { settled: 0 });
  for (const { id, cents } of before)
    assert.equal(older.entities.get(`tx/${id}`)?.payload["cents"], cents);
});

test("two devices that settle at once agree, and a later edit of an older app still shows", async (t) => {
  const world = await createWorld(t);
  const [older, phone, tablet] = [await world.device(), await world.device(), await world.device()];
  const [old, onPhone, onTablet] = [openOld(older), openNew(phone), openNew(tablet)];
  await idOf(old.create({ amount: 1, who: "Ada" }, { id: "1" }));
  await syncAll(older, phone, tablet);
  assert.deepEqual(await onPhone.settle(), { settled: 1 });
  assert.deepEqual(await onTablet.settle(), { settled: 1 });
  await syncAll(phone, tablet, older);
  assert.deepEqual(onPhone.list(), onTablet.list());
  await idOf(old.patch("1", { amount: 9 }));
  await syncAll(older, phone, tablet);
  assert.deepEqual([onPhone.get("1")?.cents, onTablet.get("1")?.cents], [900, 900]);
});

test("a settle writes over no edit that another tab stored meanwhile", async (t) => {
  const world = await createWorld(t);
  const storage = createMemorySyncStorage();
  const [one, other] = [await world.open({ storage }), await world.open({ storage })];
  await stored(one.create("tx/1", { amount: 1 }));
  await stored(one.create("tx/2", { amount: 2 }));
  const [tx] = [openNew(await world.open({ storage }))];
  assert.equal(tx.get("1")?.cents, 100);
  await idOf(openNew(other).upsert("1", { cents: 7 }));
  assert.deepEqual(await tx.settle(), { settled: 1 });
  const reopened = openNew(await world.open({ storage }));
  assert.deepEqual([reopened.get("1")?.cents, reopened.get("2")?.cents], [7, 200]);
});

test("a settle goes around what is refused, and rejects on a closed client", async (t) => {
  const client = await (await createWorld(t)).device();
  const texts = client.collection<{ text: string }>("text", {
    evolve: { text: { from: ["part"], read: ({ part }) => String(part).repeat(20_000) } },
  });
  for (const part of ["a", "b", "much too long", "c"]) {
    await stored(client.create(`text/${part[0]}`, { part }));
  }
  assert.deepEqual(await texts.settle(), { settled: 3 });
  assert.equal(client.entities.get("text/c")?.payload["text"], "c".repeat(20_000));
  await syncNow(client);
  await client.close();
  await assert.rejects(texts.settle(), /Cannot settle "text": the sync client is closed/);
});

test("a `write` that fails refuses the edit with the field, and stores nothing", async (t) => {
  const client = await (await createWorld(t)).open();
  const make = (type: string, write: (value: number) => unknown) =>
    client.collection<{ n: number }>(type, {
      evolve: { n: { from: ["m"], read: ({ m }) => m, write: write as never } },
    });
  for (const [index, [write, message]] of (
    [
      [() => null, "n: write must return an object of older fields"],
      [() => ({ k: 1 }), 'n: write gave "k", which is not in from'],
      [() => ({ m: NaN }), "n: write gave NaN for m, which is not JSON"],
      [
        () => {
          throw new Error("no such rate");
        },
        "n: no such rate",
      ],
    ] as const
  ).entries()) {
    const result = await make(`type${index}`, write).create({ n: 1 }, { id: "1" });
    assert.deepEqual(result, { kind: "refused", reason: "evolve", path: "n", message });
  }
  assert.deepEqual(client.entities.list(), []);
});

test("an older field is no field of today, in edits and in transactions", async (t) => {
  const client = await (await createWorld(t)).open();
  const tx = openNew(client);
  const patch = { amount: 5 } as never;
  const refusal = {
    kind: "refused",
    reason: "unknown_field",
    path: "amount",
    message: '"amount" is an older field: write the one that evolve reads from it',
  } as const;
  await idOf(tx.create({ cents: 5 }, { id: "1" }));
  assert.deepEqual(await tx.patch("1", patch), refusal);
  assert.deepEqual(await client.transaction((edit) => edit(tx).patch("1", patch)), refusal);
  const result = await client.transaction((edit) => {
    edit(tx).patch("1", { cents: 7 });
    edit(tx).patch("1", { payee: "Ada" });
  });
  assert.equal(result.kind, "stored");
  assert.deepEqual(tx.get("1"), { id: "1", cents: 7, payee: "Ada" });
});
