/** A device whose key was once checked keeps it: whatever a server shows, in all tabs, until it is erased. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import {
  copyEntities,
  createMemorySyncStorage,
  type EncryptedSyncClient,
} from "../../../src/client/index.ts";
import { createEncryption } from "../../../src/client/encryption/index.ts";
import { copyTables, putTablesBack } from "../../sync/operations/put-tables-back.ts";
import {
  createdKey,
  createKeptDevice,
  createSealedWorld,
  createTestEncryption,
  failureOf,
  firstWithWater,
  rotatedKey,
  strangeKey,
  useKey,
  type SealedWorld,
} from "./sealed-device.ts";
import { createTabApis, shared } from "./tab-apis.ts";
import {
  automatic,
  createWorld,
  offline,
  online,
  shown,
  stored,
  syncAll,
  syncNow,
  waitUntil,
} from "./world.ts";

const WATER = { "habit/water": { name: "Water" } };

test("a server that was restored to before the key or a rotation gets both back", async (t) => {
  const world = await createSealedWorld(t);
  const phone = await world.join();
  const laptop = await world.join();
  const early = await world.join();
  await copyTables(world.store.database);
  const oldKey = await createdKey(phone);
  await stored(phone.create("habit/water", { name: "Water" }));
  await syncNow(phone);
  await useKey(laptop, oldKey);
  await syncNow(laptop);
  const newKey = await rotatedKey(phone);
  await useKey(laptop, newKey);
  await syncNow(laptop);
  await putTablesBack(world.store.database);

  assert.deepEqual(await early.encryption.useKey(newKey), { kind: "refused", reason: "other-key" });
  assert.ok((await syncNow(laptop)).pushed >= 1);
  assert.equal(laptop.status.kind, "up-to-date");
  await useKey(early, newKey);
  await syncAll(early, phone);
  assert.deepEqual([shown(early), shown(phone)], [WATER, WATER]);
  assert.deepEqual(phone.quarantine.list(), []);
});

test("a key that a server loses before any pull is given back to it", async (t) => {
  const world = await createSealedWorld(t);
  const phone = await world.join();
  const laptop = await world.join();
  await copyTables(world.store.database);
  const key = await createdKey(phone);
  await putTablesBack(world.store.database);
  await syncNow(phone);
  await useKey(laptop, key);
});

test("after a restore from before a rotation a device enters the key of that time, and the others follow", async (t) => {
  const world = await createSealedWorld(t);
  const [phone, oldKey] = await firstWithWater(world);
  const laptop = await world.second(oldKey);
  await copyTables(world.store.database);
  const lostKey = await rotatedKey(phone);
  await stored(phone.patch("habit/water", { goal: 8 }));
  await syncNow(phone);
  assert.equal(await failureOf(laptop), "key-needed");
  // The phone is away; the owner has only the laptop, and the key of the time of the backup.
  await putTablesBack(world.store.database);
  assert.equal(await failureOf(laptop), "key-needed");
  assert.equal(laptop.encryption.state.kind, "replaced");
  await useKey(laptop, oldKey);
  const newKey = await rotatedKey(laptop);
  await stored(laptop.patch("habit/water", { unit: "glass" }));
  await syncNow(laptop);
  // The phone is on a branch that nothing leads to any more.
  assert.equal(await failureOf(phone), "keys-disagree");
  assert.deepEqual(phone.encryption.state, { kind: "replaced", by: null });
  await stored(phone.patch("habit/water", { color: "blue" }));
  assert.deepEqual(await phone.encryption.useKey(lostKey), {
    kind: "refused",
    reason: "other-key",
  });
  await useKey(phone, newKey);
  await syncAll(phone, laptop);
  const water = { "habit/water": { name: "Water", goal: 8, unit: "glass", color: "blue" } };
  assert.deepEqual([shown(phone), shown(laptop)], [water, water]);
  assert.deepEqual(shown(await world.second(newKey)), water);
  for (const device of [phone, laptop]) assert.deepEqual(device.quarantine.list(), []);
});

test("an owner whose key a thief has replaced begins again on the device with the newest data", async (t) => {
  const world = await createSealedWorld(t);
  await copyTables(world.store.database);
  const [phone, oldKey] = await firstWithWater(world);
  const laptop = await world.second(oldKey);
  const thief = await world.second(oldKey);
  const thiefsKey = await rotatedKey(thief);
  await stored(phone.patch("habit/water", { goal: 8 }));
  await stored(laptop.patch("habit/water", { unit: "glass" }));
  for (const device of [phone, laptop]) assert.equal(await failureOf(device), "key-needed");
  // A new password, all devices out, and the data deleted.
  await putTablesBack(world.store.database);
  for (const device of [phone, laptop]) await world.signIn(device);
  assert.equal(await failureOf(phone), "key-needed");
  const newKey = await createdKey(phone);
  await syncNow(phone);
  assert.equal(await failureOf(laptop), "keys-disagree");
  await useKey(laptop, newKey);
  await syncAll(laptop, phone);
  const water = { "habit/water": { name: "Water", goal: 8, unit: "glass" } };
  assert.deepEqual([shown(phone), shown(laptop)], [water, water]);
  const tablet = await world.second(newKey);
  assert.deepEqual(shown(tablet), water);
  for (const key of [oldKey, thiefsKey]) {
    const late = await world.join();
    assert.deepEqual(await late.encryption.useKey(key), { kind: "refused", reason: "other-key" });
  }
});

test("a server that shows other keys gets nothing, and nothing of it is taken in", async (t) => {
  const world = await createSealedWorld(t);
  const [phone, key] = await firstWithWater(world);
  const otherWorld = await createSealedWorld(t);
  const [stranger] = await otherWorld.first();
  await stored(stranger.create("habit/evil", { name: "Evil" }));
  await syncNow(stranger);
  const { ask } = world;
  await stored(phone.patch("habit/water", { name: "Still water" }));
  // Signed out without erasing, and signed in to another account of the same address.
  await phone.signOut();
  world.ask = otherWorld.ask;
  await world.signIn(phone);
  const before = world.pushed.length;
  assert.equal(await failureOf(phone), "keys-disagree");
  assert.deepEqual([phone.status.kind, phone.status.problem?.kind], ["blocked", "keys-disagree"]);
  assert.deepEqual(phone.encryption.state, { kind: "replaced", by: null });
  assert.equal(world.pushed.length, before);
  assert.deepEqual(shown(phone), { "habit/water": { name: "Still water" } });
  const strangersKey = await stranger.encryption.showRecoveryKey();
  assert.deepEqual(await phone.encryption.useKey(String(strangersKey)), {
    kind: "refused",
    reason: "other-account",
  });
  assert.deepEqual(await phone.encryption.createKey(), { kind: "refused", reason: "key-exists" });

  world.ask = ask;
  await phone.signOut();
  await world.signIn(phone);
  await syncNow(phone);
  assert.deepEqual(phone.encryption.state, { kind: "ready" });
  assert.equal(await phone.encryption.showRecoveryKey(), key);
  assert.deepEqual(shown(await world.second(key)), { "habit/water": { name: "Still water" } });
});

async function openTabs(t: TestContext, world: SealedWorld) {
  const storage = createMemorySyncStorage({ name: `tabs-of-${t.name}` });
  const encryption = createTestEncryption();
  const tabs = createTabApis();
  const open = () => world.openSealed({ ...automatic, storage: shared(storage), encryption, tabs });
  return [await open(), await open()] as const;
}

test("a key that is entered in one tab unlocks all, also when two enter keys at once", async (t) => {
  const world = await createSealedWorld(t);
  const [, key] = await firstWithWater(world);
  const [one, two] = await openTabs(t, world);
  await world.signIn(one);
  await stored(two.create("habit/run", { name: "Run" }));
  await waitUntil(() => two.status.kind === "key-needed", "the second tab knows of the sign-in");
  const wrongKey = strangeKey();
  const results = await Promise.all([
    two.encryption.useKey(wrongKey),
    one.encryption.useKey(key),
    two.encryption.useKey(key),
    two.encryption.createKey(),
  ]);
  const unlocked = { kind: "unlocked", checked: true };
  assert.deepEqual(results, [
    { kind: "refused", reason: "other-key" },
    unlocked,
    unlocked,
    { kind: "refused", reason: "key-exists" },
  ]);
  const both = { ...WATER, "habit/run": { name: "Run" } };
  const isDone = (tab: EncryptedSyncClient) =>
    tab.status.kind === "up-to-date" && tab.entities.list().length === 2;
  await waitUntil(() => isDone(one) && isDone(two), "both tabs have synced");
  assert.deepEqual(
    [shown(one), shown(two)].map((all) => ({ ...all })),
    [both, both],
  );
  assert.equal(await two.encryption.showRecoveryKey(), key);

  await one.signOut({ erase: true });
  await waitUntil(() => two.entities.list().length === 0, "both tabs are empty");
  await waitUntil(() => two.status.kind === "signed-out", "both tabs are signed out");
  await world.signIn(two);
  assert.equal(two.status.kind, "key-needed");
  assert.equal(await two.encryption.showRecoveryKey(), null);
});

test("a rotation in one tab is followed by the other", async (t) => {
  const world = await createSealedWorld(t);
  const [, key] = await firstWithWater(world);
  const [one, two] = await openTabs(t, world);
  await world.signIn(one);
  await useKey(one, key);
  await waitUntil(() => two.entities.list().length === 1, "the second tab shows the data");
  const newKey = await rotatedKey(two);
  await stored(one.create("habit/run", { name: "Run" }));
  await waitUntil(() => one.status.pending === 0, "it is sent");
  await useKey(one, newKey);
  assert.equal(one.status.kind === "key-needed", false);
  const laptop = await world.second(newKey);
  await waitUntil(() => laptop.entities.list().length === 2, "it is there");
});

test("a tab without channels takes over the key that another has stored", async (t) => {
  const world = await createSealedWorld(t);
  const [, key] = await firstWithWater(world);
  const storage = createMemorySyncStorage({ name: "without channels" });
  const encryption = createTestEncryption();
  const open = () => world.openSealed({ storage: shared(storage), encryption });
  const [one, two] = [await open(), await open()];
  await world.signIn(one);
  await useKey(one, key);
  world.network = offline;
  await useKey(two, key);
  world.network = online;
  await syncNow(one);
  await syncNow(two);
  assert.deepEqual(shown(two), WATER);
  const newKey = await rotatedKey(one);
  await syncNow(one);
  const newestKey = await rotatedKey(two);
  assert.notEqual(newestKey, newKey);
  await syncNow(one);
  assert.equal(await one.encryption.showRecoveryKey(), newestKey);
});

test("sign-out keeps the key, and removes it with the data", async (t) => {
  const world = await createSealedWorld(t);
  const { keyStore, open } = createKeptDevice(world);
  const phone = await open();
  await world.signIn(phone);
  const key = await createdKey(phone);
  await stored(phone.create("habit/water", { name: "Water" }));
  await syncNow(phone);
  const { deviceId } = phone;
  await phone.signOut();
  assert.ok((await keyStore.read(deviceId)) !== null);
  await phone.close();

  const again = await open();
  assert.deepEqual(shown(again), WATER);
  assert.equal(again.status.kind, "signed-out");
  await world.signIn(again);
  await syncNow(again);
  await stored(again.create("habit/run", { name: "Run" }));
  const unsent = await again.signOut({ erase: true });
  assert.ok(unsent.kind === "not-signed-out" && unsent.error.kind === "unsent-edits");
  assert.equal(await again.encryption.showRecoveryKey(), key);
  await syncNow(again);
  assert.equal((await again.signOut({ erase: true })).kind, "signed-out");
  assert.equal(await keyStore.read(deviceId), null);
  assert.equal(await again.encryption.showRecoveryKey(), null);
  assert.deepEqual(shown(again), {});
  await world.signIn(again);
  assert.equal(again.status.kind, "key-needed");
  await useKey(again, key);
  await syncNow(again);
  assert.deepEqual(shown(again), { ...WATER, "habit/run": { name: "Run" } });
});

test("a device that has lost only its keys opens its data again without the server", async (t) => {
  const world = await createSealedWorld(t);
  const { keyStore, open } = createKeptDevice(world);
  const phone = await open();
  await world.signIn(phone);
  const key = await createdKey(phone);
  await stored(phone.create("habit/water", { name: "Water" }));
  await phone.close();
  await keyStore.write(phone.deviceId, "damaged");

  const again = await open();
  assert.equal(again.status.kind, "key-needed");
  assert.deepEqual(shown(again), {});
  assert.deepEqual(await again.encryption.createKey(), { kind: "refused", reason: "key-exists" });
  world.network = offline;
  await useKey(again, key);
  assert.deepEqual(shown(again), WATER);
});

test("a device that has lost its keys does not take the one that it knows to be replaced", async (t) => {
  const world = await createSealedWorld(t);
  const [phone, oldKey] = await firstWithWater(world);
  const { keyStore, open } = createKeptDevice(world);
  const laptop = await open();
  await world.signIn(laptop);
  await useKey(laptop, oldKey);
  await syncNow(laptop);
  const newKey = await rotatedKey(phone);
  assert.equal(await failureOf(laptop), "key-needed");
  await laptop.close();
  await keyStore.write(laptop.deviceId, "damaged");

  const again = await open();
  const result = await again.encryption.useKey(oldKey);
  assert.ok(result.kind === "refused" && result.reason === "replaced", JSON.stringify(result));
  assert.equal(again.encryption.state.kind, "key-elsewhere");
  await useKey(again, newKey);
  await syncNow(again);
  assert.deepEqual(shown(again), WATER);
});

test("a closed client makes and takes no key, and says so", async (t) => {
  const world = await createSealedWorld(t);
  const phone = await world.join();
  await phone.close();
  for (const result of [await phone.encryption.createKey(), await phone.encryption.useKey("x")]) {
    assert.ok(result.kind === "refused" && result.reason === "failed");
    assert.equal(result.error.kind, "closed");
  }
});

test("wrong options and arguments of an app in JavaScript are named", async (t) => {
  const world = await createSealedWorld(t);
  for (const wrong of [true, false, {}, createEncryption]) {
    await assert.rejects(world.open({ encryption: wrong as never }), {
      name: "TypeError",
      message: "Cannot create the sync client: encryption is not what createEncryption() returns",
    });
  }
  await assert.rejects(world.open({ profile: "sealed" }), {
    name: "TypeError",
    message:
      'Cannot create the sync client: profile "sealed" is not one of habits, open: it is for the app\'s own data, and the option encryption seals that',
  });
  const phone = await world.openSealed();
  for (const wrong of [undefined, null, 7, {}]) {
    assert.deepEqual(await phone.encryption.useKey(wrong as never), {
      kind: "refused",
      reason: "typing-error",
    });
  }
  for (const [from, to] of [
    [undefined, phone],
    [phone, {}],
  ]) {
    await assert.rejects(copyEntities(from as never, to as never), {
      name: "TypeError",
      message: "Cannot copy entities: from and to are clients of createSyncClient",
    });
  }
});

test("data in the clear and sealed data do not meet: the profiles of app and server must fit", async (t) => {
  const sealed = await createSealedWorld(t);
  const clear = await createWorld(t);
  const kindOf = async (client: { beginSignIn(): Promise<{ kind: string }> }) => {
    const begun = (await client.beginSignIn()) as { kind: string; error?: { kind: string } };
    return begun.error?.kind ?? begun.kind;
  };
  assert.equal(await kindOf(await sealed.open()), "profile-mismatch");
  assert.equal(await kindOf(await sealed.openSealed({ fetch: clear.fetch })), "profile-mismatch");
});
