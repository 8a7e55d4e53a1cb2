/** The sync client with encryption, at the real service. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createMemorySyncStorage, type SyncStorage } from "../../../src/client/index.ts";
import type { Operation } from "../../../src/contract/sync/operation.ts";
import { buildOperation, operationIdOf } from "../../../src/rules/sync/operation.ts";
import { sealedId, sealedName } from "../../fixtures/sealed-operation.ts";
import {
  createdKey,
  createKeptDevice,
  createSealedWorld,
  failureOf,
  useKey,
} from "../sync/sealed-device.ts";
import { online, shown, stored, syncAll, syncNow } from "../sync/world.ts";

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

test("what a server has changed on the way is listed, and the next start brings the original", async (t) => {
  const world = await createSealedWorld(t);
  const [phone, recoveryKey] = await world.first();
  const { open } = createKeptDevice(world);
  const tablet = await open();
  await world.signIn(tablet);
  await useKey(tablet, recoveryKey);
  await stored(phone.create("note/1", { text: "Zugspitze", other: 1 }));
  await syncAll(phone, tablet);
  const operationId = await stored(phone.patch("note/1", { text: "Watzmann" }));
  await syncNow(phone);
  world.network = async (send, { path }) => {
    const response = await send();
    if (!path.startsWith("/v1/pull")) return response;
    // The characters at the end are of the tag.
    const text = (await response.text()).replace(/[\w-]{4}"\}(?=,"changed)/g, 'AAAA"}');
    return new Response(text, response);
  };
  await syncNow(tablet);
  const old = { "note/1": { text: "Zugspitze", other: 1 } };
  assert.deepEqual(shown(tablet), old);
  const damaged = { operationId, entityId: "note/1", reason: "damaged" };
  assert.deepEqual(tablet.unreadable.list(), [damaged]);
  assert.equal(tablet.status.kind, "up-to-date");
  world.network = online;
  await syncNow(tablet);
  assert.deepEqual(shown(tablet), old);
  await tablet.close();

  const restarted = await open();
  assert.deepEqual(restarted.unreadable.list(), [damaged]);
  const { pushed, pulled } = await syncNow(restarted);
  assert.deepEqual([pushed, pulled], [0, 2]);
  assert.deepEqual(restarted.unreadable.list(), []);
  assert.deepEqual(shown(restarted), { "note/1": { text: "Watzmann", other: 1 } });
});

test("a storage that was encrypted in the former way is refused by name, with how to copy the data", async (t) => {
  const world = await createSealedWorld(t);
  const storage = createMemorySyncStorage();
  const phone = await world.openSealed({ storage });
  const entityId = sealedId("note/1");
  const value = `1.AAAAAAAA.${"A".repeat(60)}`;
  const revision = { deviceId: "phone", sequence: 1 };
  const payload = { [sealedName("text")]: value };
  const former = JSON.stringify(buildOperation({ kind: "create", revision, entityId, payload }));
  await storage.transaction("write", async (transaction) => {
    transaction.put(`entity/${entityId}`, `{"confirmedIn":[1],"operations":[${former}]}`);
  });
  await phone.close();
  await assert.rejects(world.openSealed({ storage }), /another way.*copyEntities.*new storage/);
});

test("a device that cannot read something starts over at most once a day", async (t) => {
  const world = await createSealedWorld(t);
  const [phone, recoveryKey] = await world.first();
  const { open } = createKeptDevice(world);
  let tablet = await open();
  await world.signIn(tablet);
  await useKey(tablet, recoveryKey);
  await stored(phone.create("note/1", { text: "Zugspitze" }));
  await syncNow(phone);
  world.network = async (send, { path }) => {
    const response = await send();
    if (!path.startsWith("/v1/pull")) return response;
    const text = (await response.text()).replace(/[\w-]{4}"\}(?=,"changed)/g, 'AAAA"}');
    return new Response(text, response);
  };
  const pulledAtStart = async () => {
    await tablet.close();
    tablet = await open();
    return [(await syncNow(tablet)).pulled, (await syncNow(tablet)).pulled];
  };
  await syncNow(tablet);
  assert.equal(tablet.unreadable.list().length, 1);
  assert.deepEqual(await pulledAtStart(), [1, 0]);
  assert.deepEqual(await pulledAtStart(), [0, 0]);
  world.clock.now += 25 * 3_600_000;
  assert.deepEqual(await pulledAtStart(), [1, 0]);
});

test("what cannot be read moves a device's clock by no more than a step", async (t) => {
  const world = await createSealedWorld(t);
  const [phone, recoveryKey] = await world.first();
  const tablet = await world.second(recoveryKey);
  await stored(phone.create("note/1", { text: "Zugspitze" }));
  await syncNow(phone);
  const far = { deviceId: "zzz", sequence: Number.MAX_SAFE_INTEGER };
  world.network = async (send, { path }) => {
    const response = await send();
    if (!path.startsWith("/v1/pull")) return response;
    const page = (await response.json()) as { operations: readonly Operation[] };
    const forged = page.operations.map((operation) => ({
      ...operation,
      operationId: operationIdOf(far),
      revision: far,
    }));
    return Response.json({ ...page, operations: [...page.operations, ...forged] });
  };
  await syncNow(tablet);
  assert.deepEqual(tablet.unreadable.list(), [
    { operationId: operationIdOf(far), entityId: "note/1", reason: "damaged" },
  ]);
  world.network = online;
  const next = await stored(tablet.patch("note/1", { text: "Watzmann" }));
  assert.equal(next, `operation/${tablet.deviceId}/${2 ** 20 + 2}`);
  await stored(phone.patch("note/1", { text: "Wetterstein" }));
  await syncAll(phone, tablet);
  assert.deepEqual(shown(phone), { "note/1": { text: "Watzmann" } });
  assert.deepEqual(shown(tablet), shown(phone));
});
