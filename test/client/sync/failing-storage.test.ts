/** A storage that fails, or has records that disagree, leaves no client that lies or never ends. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createMemorySyncStorage, type SyncStorage } from "../../../src/client/index.ts";
import { DEVICE_KEY, readRecord, writeRecord } from "../../../src/client/sync/records.ts";
import { createWorld, offline, shown, stored, syncNow } from "./world.ts";

/** Rejects after the next commits, as when the connection to a database is lost at that moment. */
function createLosingStorage(storage: SyncStorage) {
  const losing = { commits: 0, isDown: false };
  const transaction: SyncStorage["transaction"] = async (mode, work) => {
    if (losing.isDown) throw new Error("The database is gone");
    const result = await storage.transaction(mode, work);
    if (mode === "read" || losing.commits === 0) return result;
    losing.commits--;
    throw new Error("The connection was lost");
  };
  return { storage: { ...storage, transaction }, losing };
}

test("an edit that is durable although the storage failed is shown at once", async (t) => {
  const world = await createWorld(t);
  const { storage, losing } = createLosingStorage(createMemorySyncStorage());
  const phone = await world.device({ storage });
  let calls = 0;
  phone.subscribe(() => calls++);
  losing.commits = 1;
  const result = await phone.create("note/1", { a: 1 });
  assert.equal(result.kind === "refused" && result.reason, "storage_failed");
  assert.deepEqual(shown(phone), { "note/1": { a: 1 } });
  assert.equal(phone.status.pending, 1);
  assert.ok(calls > 0);
  assert.equal((await syncNow(phone)).pushed, 1);
});

test("an edit of a storage that was down for longer is shown by the next round", async (t) => {
  const world = await createWorld(t);
  const { storage, losing } = createLosingStorage(createMemorySyncStorage());
  const phone = await world.device({
    storage: {
      ...storage,
      async transaction(mode, work) {
        const result = storage.transaction(mode, work);
        await result.catch(() => (losing.isDown = true));
        return result;
      },
    },
  });
  losing.commits = 1;
  assert.equal((await phone.create("note/1", { a: 1 })).kind, "refused");
  assert.deepEqual(shown(phone), {});
  losing.isDown = false;
  world.network = offline;
  assert.equal((await phone.sync()).kind, "not-synced");
  assert.deepEqual(shown(phone), { "note/1": { a: 1 } });
});

for (const [name, pending] of [
  ["more than", 5],
  ["less than", 0],
  ["nothing like", -3],
] as const) {
  test(`a count of ${name} what is queued is corrected, and everything is sent`, async (t) => {
    const world = await createWorld(t);
    const storage = createMemorySyncStorage();
    const phone = await world.device({ storage });
    await stored(phone.create("note/1", { a: 1 }));
    await stored(phone.create("note/2", { a: 2 }));
    await phone.close();
    await storage.transaction("write", async (transaction) => {
      const device = await readRecord<object>(transaction, DEVICE_KEY);
      writeRecord(transaction, DEVICE_KEY, { ...device, pending });
    });
    const reopened = await world.open({ storage });
    world.requests.length = 0;
    // A round that does not end asks for pages for ever.
    world.network = (send) => {
      assert.ok(world.requests.length < 20, world.requests.join());
      return send();
    };
    assert.equal((await syncNow(reopened)).pushed, 2);
    assert.equal(reopened.status.pending, 0);
    assert.equal(reopened.status.kind, "up-to-date");
    await stored(reopened.create("note/3", { a: 3 }));
    assert.equal(reopened.status.pending, 1);
  });
}

test("every call of close waits until the client is closed", async (t) => {
  const world = await createWorld(t);
  const memory = createMemorySyncStorage();
  const closing = Promise.withResolvers<void>();
  let isClosed = false;
  const close = async () => {
    await closing.promise;
    isClosed = true;
  };
  const phone = await world.open({ storage: { ...memory, close } });
  const first = phone.close();
  const second = phone.close().then(() => assert.ok(isClosed));
  setTimeout(closing.resolve, 20);
  await Promise.all([first, second]);
});

test("records of another format are refused, with what to do", async (t) => {
  const world = await createWorld(t);
  for (const [format, advice] of [
    [1, /a client before 0\.2\.0 wrote it; remove it and sign in again/],
    [3, /a newer version of the app wrote it; update the app/],
  ] as const) {
    const storage = createMemorySyncStorage();
    await storage.transaction("write", async (transaction) => {
      writeRecord(transaction, DEVICE_KEY, { format });
    });
    await assert.rejects(world.open({ storage }), advice);
  }
});
