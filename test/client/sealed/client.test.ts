/** The sync client with encryption, at the real service. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createMemorySyncStorage, type SyncStorage } from "../../../src/client/index.ts";
import { createSealedWorld, createdKey, failureOf, useKey } from "../sync/sealed-device.ts";
import { shown, stored, syncAll, syncNow } from "../sync/world.ts";

async function removeRecords(storage: SyncStorage): Promise<void> {
  await storage.transaction("write", async (transaction) => {
    const records = await transaction.list({ from: "!", below: "~~", limit: 10_000 });
    for (const [key] of records) transaction.delete(key);
  });
}

test("a device whose records were removed asks for the key again, and then has everything", async (t) => {
  const world = await createSealedWorld(t);
  const storage = createMemorySyncStorage();
  const phone = await world.join({ storage });
  const recoveryKey = await createdKey(phone);
  await stored(phone.create("note/1", { text: "Zugspitze" }));
  await syncNow(phone);
  await removeRecords(storage);
  assert.equal(await failureOf(phone), "storage-lost");
  await world.signIn(phone);
  world.pushed.length = 0;
  assert.equal(await failureOf(phone), "key-needed");
  await stored(phone.create("note/2", { text: "Watzmann" }));
  assert.equal(await failureOf(phone), "key-needed");
  assert.deepEqual([world.pushed, Object.keys(shown(phone))], [[], ["note/2"]]);
  await useKey(phone, recoveryKey);
  await syncNow(phone);
  assert.deepEqual(Object.keys(shown(phone)), ["note/1", "note/2"]);
  assert.ok(!world.pushed.join().includes("Watzmann"));
});

test("a device whose storage failed while it got its key seals and syncs in the next round", async (t) => {
  const world = await createSealedWorld(t);
  const [phone, recoveryKey] = await world.first();
  const records = createMemorySyncStorage();
  let isFull = false;
  const tablet = await world.join({
    storage: {
      ...records,
      transaction: (mode, work) =>
        records.transaction(mode, (transaction) =>
          work({
            ...transaction,
            put(key, value) {
              if (isFull && key.startsWith("entity/")) throw new Error("The disk is full");
              transaction.put(key, value);
            },
          }),
        ),
    },
  });
  await stored(tablet.create("note/1", { text: "Zugspitze" }));
  isFull = true;
  await tablet.encryption.useKey(recoveryKey).catch(() => {});
  isFull = false;
  await syncNow(tablet);
  assert.ok(!world.pushed.join().includes("Zugspitze"));
  await syncNow(phone);
  assert.deepEqual(shown(phone), { "note/1": { text: "Zugspitze" } });
  assert.deepEqual(shown(tablet), shown(phone));
});

test("what a server has changed on the way is listed, and the original takes its place", async (t) => {
  const world = await createSealedWorld(t);
  const [phone, recoveryKey] = await world.first();
  const tablet = await world.second(recoveryKey);
  await stored(phone.create("note/1", { text: "Zugspitze", other: 1 }));
  await syncAll(phone, tablet);
  await stored(phone.patch("note/1", { text: "Watzmann" }));
  await syncNow(phone);
  world.network = async (send, { path }) => {
    const response = await send();
    if (!path.startsWith("/v1/pull")) return response;
    // The characters at the end are of the tag.
    const text = (await response.text()).replace(/[\w-]{4}"\}(?=,?[^{}]*\},"changed)/, 'AAAA"}');
    return new Response(text, response);
  };
  await syncNow(tablet);
  assert.deepEqual(shown(tablet), { "note/1": { text: "Zugspitze", other: 1 } });
  assert.deepEqual(tablet.unreadable.list(), [
    { entityId: "note/1", field: "text", reason: "damaged" },
  ]);
  assert.equal(tablet.status.kind, "up-to-date");
  let isLost = true;
  world.network = async (send, { path }) => {
    if (!isLost || !path.startsWith("/v1/pull")) return send();
    isLost = false;
    const lost = { operations: [], requiresSnapshot: true, recoveryReason: "generation_changed" };
    return Response.json({ ...lost, cursor: "c" });
  };
  const { pushed, recovered } = await syncNow(tablet);
  assert.deepEqual([pushed, recovered], [0, "generation_changed"]);
  assert.deepEqual(tablet.unreadable.list(), []);
  assert.deepEqual(shown(tablet), { "note/1": { text: "Watzmann", other: 1 } });
});
