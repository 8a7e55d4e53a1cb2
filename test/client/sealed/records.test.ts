/** What a device with encryption stores, and what it shows. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createMemorySyncStorage } from "../../../src/client/index.ts";
import type { Operation } from "../../../src/contract/sync/operation.ts";
import { requireDevice } from "../../../src/client/sync/device-record.ts";
import { DEVICE_KEY, INDEX_PREFIX, writeRecord } from "../../../src/client/sync/records.ts";
import { readBatch } from "../../../src/client/sync/push-batch.ts";
import { pushQueue } from "../../../src/client/sync/push.ts";
import type { SyncResponse } from "../../../src/client/sync/request.ts";
import { GREATEST_LIMITS } from "../../../src/client/sync/transfer-limits.ts";
import { HABIT } from "../../fixtures/habit.ts";
import { Task } from "../collections/task.ts";
import { createAccount, dump, idOf, openDevice, refusalOf, type Device } from "./account.ts";

const WORDS = ["wanderung", "Wanderlust", "heimlich", "Stimmung", "vergnügt", "Zugspitze"];

async function writeWords(device: Device): Promise<void> {
  await idOf(
    device.edit(
      "create",
      "wanderung/Wanderlust",
      { heimlich: "Zugspitze", other: 1 },
      { Stimmung: "vergnügt" },
    ),
  );
  await idOf(device.edit("patch", "wanderung/Wanderlust", { heimlich: ["Zugspitze", 2] }));
}

test("edits from before the key are sealed with it, under the same revisions", async (t) => {
  const account = createAccount();
  const phone = await openDevice(t, account, { form: null });
  const first = await idOf(phone.edit("create", "wanderung/Wanderlust", { heimlich: "Zugspitze" }));
  const second = await idOf(
    phone.edit("patch", "wanderung/Wanderlust", { other: 2 }, { Stimmung: 1 }),
  );
  const third = await idOf(phone.edit("create", "habit/2", {}));
  await idOf(phone.edit("delete", "habit/2"));
  const before = phone.shown();
  await phone.unlock();
  assert.deepEqual(phone.shown(), before);
  assert.deepEqual(phone.store.facts().pending, 4);
  const pushed = (await phone.push()).map((text) => JSON.parse(text) as Operation);
  assert.deepEqual(
    pushed.slice(0, 3).map(({ operationId }) => operationId),
    [first, second, third],
  );
  assert.ok(pushed.every(({ document }) => document.entityId.startsWith("sealed/")));
  const tablet = await openDevice(t, account);
  await tablet.pull();
  assert.deepEqual(tablet.shown(), before);
  assert.deepEqual(tablet.store.facts().entities.list()[0]?.metadata, { Stimmung: 1 });
});

test("a transaction from before the key is still pushed whole", async (t) => {
  const account = createAccount();
  const phone = await openDevice(t, account, { form: null });
  const edits = ["note/1", "note/2"].map((entityId) => ({
    kind: "create" as const,
    entityId,
    payload: {},
    metadata: {},
  }));
  assert.equal((await phone.submit(edits, true)).kind, "stored");
  await phone.unlock();
  const batch = await phone.store.read((tx) => readBatch(tx, GREATEST_LIMITS, 1));
  assert.deepEqual([batch.operations.length, batch.isSmallest], [2, true]);
});

test("nothing of the app is in the records of a device that has sent it", async (t) => {
  for (const isLocked of [true, false]) {
    const account = createAccount();
    const phone = await openDevice(t, account, isLocked ? { form: null } : {});
    await writeWords(phone);
    if (isLocked) {
      const clear = await dump(phone.storage);
      assert.ok(WORDS.every((word) => clear.includes(word)));
      await phone.unlock();
    }
    await phone.refuse("too_large");
    await idOf(phone.edit("patch", "wanderung/Wanderlust", { heimlich: "Zugspitze" }));
    await phone.sync();
    await idOf(phone.edit("delete", "wanderung/Wanderlust"));
    await phone.sync();
    const records = `${await dump(phone.storage)}\n${account.log.join("\n")}`;
    for (const word of WORDS) assert.ok(!records.includes(word), `${word} in ${records}`);
    assert.match(records, /^entity\/sealed\//m);
  }
});

test("edits of two devices that did not know each other merge by field", async (t) => {
  const account = createAccount();
  const [phone, tablet] = [await openDevice(t, account), await openDevice(t, account)];
  await idOf(phone.edit("create", "note/1", { a: 0, b: 0, c: 0 }, { m: 0 }));
  await phone.sync();
  await tablet.sync();
  await idOf(phone.edit("patch", "note/1", { a: "phone", c: "phone" }));
  await idOf(tablet.edit("patch", "note/1", { b: "tablet" }, { m: "tablet" }));
  await idOf(tablet.edit("patch", "note/1", { c: "later" }));
  for (const device of [phone, tablet, phone]) await device.sync();
  const expected = { a: "phone", b: "tablet", c: "later" };
  for (const device of [phone, tablet]) {
    assert.deepEqual(device.payloadOf("note/1"), expected);
    assert.deepEqual(device.store.facts().entities.get("note/1")?.metadata, { m: "tablet" });
    assert.deepEqual(device.unreadable(), []);
  }
  const restarted = await openDevice(t, account, { storage: phone.storage });
  assert.deepEqual(restarted.shown(), { "note/1": expected });
});

test("counters, sets, order and transactions work sealed, before and after the key", async (t) => {
  const account = createAccount();
  const open = ({ collection }: Device) =>
    collection("task", {
      schema: Task,
      kinds: { spent: "counter", tags: "set", position: "order" },
    });
  const phone = await openDevice(t, account, { form: null });
  const onPhone = open(phone);
  await onPhone.create({ title: "Milk", spent: 1, tags: ["home"] }, { id: "a" });
  await onPhone.create({ title: "Bread" }, { id: "b" });
  await onPhone.increment("a", "spent", 2);
  await phone.unlock();
  await onPhone.increment("a", "spent", 4);
  await phone.sync();
  const tablet = await openDevice(t, account);
  await tablet.sync();
  const onTablet = open(tablet);
  await onTablet.increment("a", "spent", 10);
  await onTablet.addTo("a", "tags", "shop");
  await onTablet.move("b", { first: true });
  await onPhone.increment("a", "spent", 100);
  await onPhone.removeFrom("a", "tags", "home");
  const together = await phone.transaction((edit) => {
    edit(onPhone).patch("a", { title: "Oat milk" });
    edit(onPhone).increment("b", "spent", 7);
  });
  assert.equal(together.kind, "stored");
  for (const device of [phone, tablet, phone]) await device.sync();
  for (const tasks of [onPhone, onTablet]) {
    const list = tasks.list().map(({ id, title, spent, tags }) => ({ id, title, spent, tags }));
    assert.deepEqual(list, [
      { id: "b", title: "Bread", spent: 7, tags: [] },
      { id: "a", title: "Oat milk", spent: 117, tags: ["shop"] },
    ]);
  }
});

test("a transaction whose sealed bytes are too many for a push is sent in parts, also before there is a key", async (t) => {
  const account = createAccount();
  // The clear bytes of all edits would fit one push.
  const payload = { text: "x".repeat(4500) };
  for (const isLocked of [true, false]) {
    const phone = await openDevice(t, account, isLocked ? { form: null } : {});
    const edits = Array.from({ length: 45 }, (_, index) => ({
      kind: "create" as const,
      entityId: `note/${index}`,
      payload,
      metadata: {},
    }));
    assert.equal((await phone.submit(edits, true)).kind, "stored");
    if (isLocked) await phone.unlock();
    const parts = [await phone.push(), await phone.push()];
    const bytes = parts.map((texts) => Buffer.byteLength(`{"operations":[${texts.join(",")}]}`));
    assert.ok(
      bytes.every((one) => one <= GREATEST_LIMITS.pushBytes),
      String(bytes),
    );
    assert.deepEqual(
      [parts.flat().length, phone.store.facts().pending],
      [45, 0],
      String(parts.map(({ length }) => length)),
    );
  }
});

test("an edit that cannot be sealed is refused, also before there is a key", async (t) => {
  const account = createAccount();
  const metadata = Object.fromEntries(Array.from({ length: 256 }, (_, index) => [`m${index}`, 1]));
  for (const isLocked of [true, false]) {
    const phone = await openDevice(t, account, isLocked ? { form: null } : {});
    await idOf(phone.edit("create", "note/0", {}, metadata));
    const more = { ...metadata, more: 1 };
    assert.equal(await refusalOf(phone.edit("create", "note/1", {}, more)), "too_many_fields");
    for (const [kind, id, payload, more, reason] of [
      ["create", "sealed/1", {}, {}, "entity_id"],
      ["create", "note/1", { "\ud800": 1 }, {}, "not_json"],
      ["create", "note/1", { password: 1 }, {}, "secret_name"],
    ] as const) {
      assert.equal(await refusalOf(phone.edit(kind, id, payload, more)), reason);
    }
    const text = "ü".repeat(32_000);
    await idOf(phone.edit("create", "note/1", { text, "": 1 }, { "": 2, sealed: 3 }));
    await phone.unlock();
    assert.deepEqual(phone.payloadOf("note/1"), { text, "": 1 });
    await phone.push();
  }
});

test("the rules of an app's own profile judge the fields in the clear", async (t) => {
  const account = createAccount();
  const phone = await openDevice(t, account, { profile: "habits" });
  await idOf(phone.edit("create", "habit/water", HABIT));
  assert.equal(
    await refusalOf(phone.edit("patch", "habit/water", { targetCount: "eight" })),
    "payload_field_type",
  );
  await idOf(phone.edit("patch", "habit/water", { name: "More water" }));
  const [, patch = ""] = await phone.push();
  assert.equal(Object.keys((JSON.parse(patch) as Operation).document.payload ?? {}).length, 1);
  assert.deepEqual(phone.payloadOf("habit/water"), { ...HABIT, name: "More water" });
});

test("what was deleted is listed by the app's ids and restored with every field", async (t) => {
  const account = createAccount();
  const [phone, tablet] = [await openDevice(t, account), await openDevice(t, account)];
  const many = Object.fromEntries(Array.from({ length: 256 }, (_, index) => [`m${index}`, index]));
  for (const id of ["note/2", "note/1", "task/1"]) {
    await idOf(phone.edit("create", id, { text: id }, { mood: id }));
    // More metadata than one operation can have.
    await idOf(phone.edit("patch", id, {}, many));
    await idOf(phone.edit("delete", id));
  }
  await phone.sync();
  await tablet.sync();
  const deleted = await tablet.deleted("note");
  assert.deepEqual(
    deleted.map(({ entityId }) => entityId),
    ["note/1", "note/2"],
  );
  assert.equal((await tablet.deleted()).length, 3);
  await idOf(tablet.edit("restore", "note/1", null));
  assert.equal(await refusalOf(tablet.edit("restore", "note/1", null)), "not_deleted");
  await tablet.sync();
  await phone.sync();
  assert.deepEqual(phone.store.facts().entities.get("note/1"), {
    entityId: "note/1",
    payload: { text: "note/1" },
    metadata: { mood: "note/1", ...many },
  });
});

test("quarantine names the app's ids, and a retry under a new revision is sealed again", async (t) => {
  const account = createAccount();
  const [phone, tablet] = [await openDevice(t, account), await openDevice(t, account)];
  await idOf(phone.edit("create", "note/1", { a: 1 }));
  await phone.sync();
  const operationId = await idOf(phone.edit("patch", "note/1", { a: 2 }));
  await phone.refuse("id_reused");
  const [listed] = phone.quarantine.list();
  assert.deepEqual([listed?.operationId, listed?.entityId], [operationId, "note/1"]);
  assert.deepEqual(phone.store.facts().entities.get("note/1"), {
    entityId: "note/1",
    payload: { a: 2 },
    metadata: {},
    refused: true,
  });
  await phone.quarantine.retry(operationId);
  assert.equal(phone.quarantine.list().length, 0);
  const [pushed = ""] = await phone.push();
  assert.notEqual((JSON.parse(pushed) as Operation).operationId, operationId);
  await tablet.sync();
  assert.deepEqual(tablet.shown(), { "note/1": { a: 2 } });
  assert.deepEqual(tablet.unreadable(), []);
});

test("a retry under the same revision pushes the same text, and a discard shows what was before", async (t) => {
  const account = createAccount();
  const phone = await openDevice(t, account);
  await idOf(phone.edit("create", "note/1", { a: 1 }));
  await phone.sync();
  const operationId = await idOf(phone.edit("patch", "note/1", { a: 2 }));
  await phone.refuse("too_large");
  const before = await dump(phone.storage);
  await phone.quarantine.retry(operationId);
  const [pushed = ""] = await phone.push();
  assert.ok(before.includes(pushed));
  await phone.pull();
  const second = await idOf(phone.edit("patch", "note/1", { a: 3 }));
  await phone.refuse("too_large");
  assert.equal((await phone.quarantine.discard(second)).kind, "discarded");
  assert.deepEqual(phone.payloadOf("note/1"), { a: 2 });
});

test("a change that the clock cannot reach stays visible, and is sealed anew where it is shown", async (t) => {
  const account = createAccount();
  const phone = await openDevice(t, account);
  await idOf(phone.edit("create", "note/1", { a: 1 }));
  await phone.sync();
  await phone.store.write(async (transaction) => transaction.observe(2 ** 30));
  const operationId = await idOf(phone.edit("patch", "note/1", { a: 2 }));
  await phone.refuse("sequence_jump");
  assert.deepEqual(phone.payloadOf("note/1"), { a: 2 });
  await idOf(phone.edit("patch", "note/1", { b: 3 }));
  assert.deepEqual(phone.payloadOf("note/1"), { a: 2, b: 3 });
  assert.deepEqual(phone.unreadable(), []);
  await phone.quarantine.retry(operationId);
  await phone.sync();
  const tablet = await openDevice(t, account);
  await tablet.pull();
  assert.deepEqual(tablet.payloadOf("note/1"), { a: 2, b: 3 });
});

test("what was never sent is not sealed twice, and a server that lost it gets the same text", async (t) => {
  const account = createAccount();
  const phone = await openDevice(t, account);
  await idOf(phone.edit("create", "note/1", { a: 1 }));
  const [text = ""] = await phone.push();
  await phone.unlock();
  await phone.pull();
  assert.equal(await phone.recover([]), 1);
  account.log.length = 0;
  assert.deepEqual(await phone.push(), [text]);
});

test("a tab without the key stores under the app's names, and the one that has it names that anew", async (t) => {
  const account = createAccount();
  const storage = createMemorySyncStorage();
  const first = await openDevice(t, account, { storage });
  const second = await openDevice(t, account, { storage, form: null });
  await idOf(second.edit("create", "note/1", { text: "Zugspitze" }));
  await first.store.refresh(["note/1"], second.writes.at(-1) ?? 0);
  assert.deepEqual(first.shown(), { "note/1": { text: "Zugspitze" } });
  assert.ok(!(await dump(storage)).includes("entity/note"));
  // Its message was lost.
  await idOf(second.edit("create", "note/2", { text: "Zugspitze" }));
  await first.store.catchUp();
  assert.deepEqual(Object.keys(first.shown()), ["note/1", "note/2"]);
  assert.deepEqual(first.unreadable(), []);
  await idOf(second.edit("create", "note/3", { text: "Zugspitze" }));
  const third = await openDevice(t, account, { storage });
  assert.equal(Object.keys(third.shown()).length, 3);
  await third.push();
  assert.ok(!(await dump(storage)).includes("Zugspitze"));
});

test("a push seals what a tab without the key has stored meanwhile", async (t) => {
  const account = createAccount();
  const storage = createMemorySyncStorage();
  const first = await openDevice(t, account, { storage });
  const second = await openDevice(t, account, { storage, form: null });
  await idOf(first.edit("create", "note/1", { text: "Zugspitze" }));
  await idOf(second.edit("create", "note/2", { text: "Zugspitze" }));
  const bodies: string[] = [];
  const tokens = {
    getAccess: () => Promise.reject(new Error("There is no session")),
    async request({ body = "" }): Promise<SyncResponse> {
      bodies.push(body);
      const { operations } = JSON.parse(body) as { operations: unknown[] };
      const receipts = operations.map(() => ({ duplicate: false }));
      return { kind: "ok", value: { receipts }, text: "", headers: new Headers() };
    },
  };
  const order = { greatestFirst: false, now: () => 0, confirmServer: async () => null };
  const { signal } = new AbortController();
  const result = await pushQueue(first.store, tokens, { ...GREATEST_LIMITS }, order, signal);
  assert.deepEqual(result, { kind: "pushed", operations: 2, quarantined: 0 });
  assert.equal(bodies.length, 1);
  assert.ok(!bodies.join().includes("Zugspitze"));
  assert.deepEqual(Object.keys(first.shown()), ["note/1", "note/2"]);
});

test("a device whose key is gone shows nothing sealed, keeps it, and goes on with the key", async (t) => {
  const account = createAccount();
  const phone = await openDevice(t, account);
  await idOf(phone.edit("create", "note/1", { a: 1 }));
  const restarted = await openDevice(t, account, { storage: phone.storage, form: null });
  assert.deepEqual([restarted.shown(), restarted.unreadable()], [{}, []]);
  await idOf(restarted.edit("create", "note/1", { b: 2 }));
  assert.deepEqual(restarted.shown(), { "note/1": { b: 2 } });
  await restarted.unlock();
  assert.deepEqual(restarted.shown(), { "note/1": { a: 1, b: 2 } });
  assert.equal((await restarted.push()).length, 2);
});

test("the rows of an index that an app stored before it encrypted are removed", async (t) => {
  const storage = createMemorySyncStorage();
  await (await openDevice(t, createAccount(), { storage, form: null })).store.close();
  const device = await storage.transaction("read", requireDevice);
  await storage.transaction("write", async (transaction) => {
    const indexes = { names: ["note"], pages: 0, writes: device.writes, recordIds: [] };
    writeRecord(transaction, DEVICE_KEY, { ...device, indexes });
    transaction.put(`${INDEX_PREFIX}note/0`, '[{"id":"Wanderlust","mood":"Zugspitze"}]');
  });
  await openDevice(t, createAccount(), { storage, form: null });
  assert.ok(!(await dump(storage)).includes("Zugspitze"));
  assert.equal((await storage.transaction("read", requireDevice)).indexes, undefined);
});
