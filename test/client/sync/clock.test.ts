/** Sequence jumps: a device that was carried away, or whose server forgot, goes on like any other. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createMemorySyncStorage, type SyncClient } from "../../../src/client/index.ts";
import { DEVICE_KEY, readRecord, writeRecord } from "../../../src/client/sync/records.ts";
import type { SyncStorage } from "../../../src/client/sync/storage.ts";
import { sequenceOf } from "../../../src/rules/sync/operation.ts";
import { readHead } from "../../../src/sync/sql/log-head.ts";
import { readLog } from "../../../store-contract/read-store.ts";
import {
  createWorld,
  offline,
  online,
  shown,
  stored,
  syncAll,
  syncNow,
  type World,
} from "./world.ts";

const STEP = 2 ** 20;

/** Moves the clock of a closed device, as a bug of an app or a lost history does. */
async function setClock(storage: SyncStorage, sequence: number): Promise<void> {
  await storage.transaction("write", async (transaction) => {
    const device = await readRecord<object>(transaction, DEVICE_KEY);
    writeRecord(transaction, DEVICE_KEY, { ...device, sequence });
  });
}

const greatestOf = async ({ store }: World) =>
  (await readHead(store.database)).clock.greatestSequence;

const sequencesOf = async ({ store }: World) =>
  (await readLog(store.operations)).map((text) =>
    sequenceOf((JSON.parse(text) as { operationId: string }).operationId),
  );

test("a jump is set aside with a sentence, and nothing else waits for it", async (t) => {
  const world = await createWorld(t);
  const storage = createMemorySyncStorage();
  const phone = await world.device({ storage });
  await stored(phone.create("note/1", { a: 1 }));
  await syncNow(phone);
  await stored(phone.create("note/2", { a: 2 }));
  await setClock(storage, 2 ** 40);
  const jump = await stored(phone.patch("note/1", { a: 3 }));
  const following = await stored(phone.create("note/3", { a: 4 }));
  const result = await syncNow(phone);
  assert.deepEqual([result.pushed, result.quarantined], [1, 2]);
  const listed = phone.quarantine.list();
  assert.deepEqual(
    listed.map(({ operationId, reason }) => [operationId, reason]),
    [
      [jump, "sequence_jump"],
      [following, "sequence_jump"],
    ],
  );
  for (const { message } of listed) assert.match(message, /too far ahead .*; try it again/);
  assert.deepEqual(shown(phone), { "note/1": { a: 3 }, "note/2": { a: 2 }, "note/3": { a: 4 } });

  // Edits go on at once and are seen, and so does what follows the jump when it is tried again.
  await stored(phone.patch("note/2", { a: 5 }));
  await stored(phone.patch("note/3", { a: 6 }));
  assert.deepEqual(phone.entities.get("note/3")?.payload, { a: 6 });
  for (const { operationId } of listed) {
    assert.equal((await phone.quarantine.retry(operationId)).kind, "accepted");
  }
  assert.equal(phone.status.kind, "up-to-date");
  const tablet = await world.device();
  const all = { "note/1": { a: 3 }, "note/2": { a: 5 }, "note/3": { a: 4 } };
  assert.deepEqual([shown(phone), shown(tablet)], [all, all]);
  assert.ok((await greatestOf(world)) < 100);
});

test("a device that pulled steps of another one goes on, and is up to date", async (t) => {
  const world = await createWorld(t);
  const storage = createMemorySyncStorage();
  const [phone, wild] = [await world.device(), await world.device({ storage })];
  for (let step = 1; step <= 5; step++) {
    await setClock(storage, step * STEP - 1);
    await stored(wild.create(`note/${step}`, {}));
    await syncNow(wild);
  }
  await syncNow(phone);
  await stored(phone.create("note/mine", {}));
  assert.equal((await syncNow(phone)).pushed, 1);
  assert.equal(await greatestOf(world), 5 * STEP + 1);
  assert.equal(phone.status.kind, "up-to-date");
});

/** Two worlds: the devices of the first are moved to the second, which is empty. */
async function moveTo(client: SyncClient, from: World, to: World): Promise<void> {
  from.ask = to.ask;
  from.clock.now += 400 * 86_400_000;
  await client.sync();
  await from.signIn(client);
}

test("a device that moves to an empty server sends the greatest sequence first", async (t) => {
  const [first, second] = [await createWorld(t), await createWorld(t)];
  const storage = createMemorySyncStorage();
  const phone = await first.device({ storage });
  for (let index = 0; index < 150; index++) await phone.create(`note/${index}`, { index });
  await syncNow(phone);
  await setClock(storage, STEP);
  await stored(phone.create("note/last", {}));
  await syncNow(phone);
  // More than one push, and a gap that a server which knows a clock would refuse.
  await setClock(storage, 3 * STEP);
  await moveTo(phone, first, second);
  await stored(phone.create("note/new", {}));
  const result = await syncNow(phone);
  assert.deepEqual([result.pushed, result.quarantined], [152, 0]);
  assert.equal((await sequencesOf(second))[0], 3 * STEP + 1);
});

test("a queue longer than a step is judged in its order", async (t) => {
  const [first, second] = [await createWorld(t), await createWorld(t)];
  const storage = createMemorySyncStorage();
  const phone = await first.device({ storage });
  const sequences = [1, STEP, 2 * STEP];
  for (const sequence of sequences) {
    await setClock(storage, sequence - 1);
    await stored(phone.create(`note/${sequence}`, {}));
    await syncNow(phone);
  }
  // The second server knows a clock already, and the greatest sequence is out of its reach.
  const other = await second.device();
  await stored(other.create("note/other", {}));
  await syncNow(other);
  await moveTo(phone, first, second);
  const result = await syncNow(phone);
  assert.deepEqual([result.pushed, result.quarantined], [3, 0]);
  await syncAll(other);
  assert.equal(Object.keys(shown(other)).length, 4);
});

test("keys of the queue keep the order of sequences with more digits than before", async (t) => {
  const world = await createWorld(t);
  const storage = createMemorySyncStorage();
  const phone = await world.open({ storage });
  const base = 10 ** 13 - 2;
  await setClock(storage, base);
  for (let index = 0; index < 4; index++) await stored(phone.create(`note/${index}`, { index }));
  await world.signIn(phone);
  const result = await phone.sync();
  assert.equal(result.kind, "synced");
  assert.deepEqual(
    phone.quarantine.list().map(({ operationId }) => sequenceOf(operationId)),
    [1, 2, 3, 4].map((index) => base + index),
  );
});

/** Refuses operations of `bad` entities, as a server with stricter rules does. */
function refuseBad(world: World): void {
  world.network = (send, { path, init }) => {
    const { operations = [] } = JSON.parse(String(init.body ?? "{}")) as {
      operations?: readonly { document: { entityId: string } }[];
    };
    const bad = operations.findIndex(({ document }) => document.entityId.startsWith("bad/"));
    if (path !== "/v1/push" || bad === -1) return send();
    const headers = { "Trellis-Refused": `${bad}=payload_field_type` };
    const body = { error: "invalid_sync_operation", message: "", requestId: "r" };
    return Promise.resolve(Response.json(body, { status: 400, headers }));
  };
}

test("a clock that is set back does not use an id of the quarantine again", async (t) => {
  const world = await createWorld(t);
  const storage = createMemorySyncStorage();
  const phone = await world.device({ storage });
  await stored(phone.create("note/1", { a: 1 }));
  await syncNow(phone);
  refuseBad(world);
  const refused = new Set([
    await stored(phone.create("bad/1", { a: 1 })),
    await stored(phone.create("bad/2", { a: 1 })),
  ]);
  await syncNow(phone);
  for (const [clock, value] of [
    [2 ** 40, 9],
    [2 ** 41, 3],
  ] as const) {
    await setClock(storage, clock);
    await stored(phone.patch("note/1", { a: value }));
    await syncNow(phone);
    assert.deepEqual(phone.entities.get("note/1")?.payload, { a: value });
    assert.ok(!refused.has(await stored(phone.create(`note/${clock}`, {}))));
  }
  world.network = online;
  const listed = phone.quarantine.list();
  assert.equal(listed.length, 4);
  for (const { operationId } of listed) {
    assert.equal((await phone.quarantine.retry(operationId)).kind, "accepted");
  }
  assert.equal(Object.keys(shown(phone)).length, 5);
  assert.deepEqual(shown(await world.device()), shown(phone));
});

test("a change that was set aside for a jump gets a new id when the clock has reached its own", async (t) => {
  const world = await createWorld(t);
  const [storage, far] = [createMemorySyncStorage(), createMemorySyncStorage()];
  const [phone, wild] = [await world.device({ storage }), await world.device({ storage: far })];
  await setClock(storage, STEP + 1);
  const jump = await stored(phone.create("note/1", { a: 1 }));
  await setClock(far, 0);
  await stored(wild.create("note/0", {}));
  await syncNow(wild);
  await syncNow(phone);
  assert.deepEqual(
    phone.quarantine.list().map(({ operationId, reason }) => [operationId, reason]),
    [[jump, "sequence_jump"]],
  );
  // Another device moves the clock to where this one was.
  await setClock(far, STEP);
  await stored(wild.create("note/2", {}));
  await syncAll(wild, phone);
  world.network = offline;
  assert.equal(await stored(phone.create("note/3", { a: 3 })), jump);
  assert.equal((await phone.quarantine.retry(jump)).kind, "stored");
  world.network = online;
  await syncNow(phone);
  const all = { "note/0": {}, "note/1": { a: 1 }, "note/2": {}, "note/3": { a: 3 } };
  assert.deepEqual([shown(phone), shown(await world.device())], [all, all]);
});
