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

test("a server that was restored to before the key entity or a rotation gets both back", async (t) => {
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
  await syncNow(phone);
  await useKey(laptop, newKey);
  await syncNow(laptop);
  await putTablesBack(world.store.database);

  assert.deepEqual(await early.encryption.useKey(newKey), { kind: "refused", reason: "other-key" });
  assert.ok((await syncNow(laptop)).pushed >= 3);
  assert.equal(laptop.status.kind, "up-to-date");
  await useKey(early, newKey);
  await syncAll(early, phone);
  assert.deepEqual([shown(early), shown(phone)], [WATER, WATER]);
  assert.deepEqual(phone.quarantine.list(), []);
});

test("a key entity that a server loses before any pull is pushed again", async (t) => {
  const world = await createSealedWorld(t);
  const phone = await world.join();
  const laptop = await world.join();
  await copyTables(world.store.database);
  const key = await createdKey(phone);
  await putTablesBack(world.store.database);
  await syncNow(phone);
  await useKey(laptop, key);
});

test("a server that shows another key entity gets nothing, and nothing of it is taken in", async (t) => {
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
  assert.equal(await failureOf(phone), "other-key");
  assert.deepEqual([phone.status.kind, phone.status.problem?.kind], ["blocked", "other-key"]);
  assert.equal(world.pushed.length, before);
  assert.deepEqual(shown(phone), { "habit/water": { name: "Still water" } });
  const strangersKey = await stranger.encryption.showRecoveryKey();
  assert.deepEqual(await phone.encryption.useKey(String(strangersKey)), {
    kind: "refused",
    reason: "other-key",
  });

  world.ask = ask;
  await phone.signOut();
  await world.signIn(phone);
  await syncNow(phone);
  assert.equal(await phone.encryption.showRecoveryKey(), key);
  assert.deepEqual(shown(await world.second(key)), { "habit/water": { name: "Still water" } });
});

test("a server that hides or forges operations of the key entity moves no device from its key", async (t) => {
  const world = await createSealedWorld(t);
  const [phone, oldKey] = await firstWithWater(world);
  const laptop = await world.second(oldKey);
  const newKey = await rotatedKey(laptop);
  await syncNow(laptop);
  let changeKeyEntity: (operations: readonly Operation[]) => readonly Operation[] = () => [];
  world.network = async (send, { path }) => {
    const response = await send();
    if (!path.startsWith("/v1/pull")) return response;
    const page = (await response.json()) as { operations: readonly Operation[] };
    const isKey = ({ document }: Operation) => document.entityId.includes("jL8luVsX");
    const others = page.operations.filter((one) => !isKey(one));
    const ofKeys = changeKeyEntity(page.operations.filter(isKey));
    return Response.json({ ...page, operations: [...ofKeys, ...others] });
  };

  // Hidden: the device goes on with the key that it has checked.
  await syncNow(phone);
  assert.equal(await phone.encryption.showRecoveryKey(), oldKey);
  // An older key entity, and a rotation whose values were swapped.
  const [created, rotation] = await readKeyEntity(world);
  assert.ok(created !== undefined && rotation !== undefined);
  changeKeyEntity = () => [created];
  const early = await world.join();
  assert.deepEqual(await early.encryption.useKey(newKey), { kind: "refused", reason: "other-key" });
  await phone.signOut({ erase: true });
  await world.signIn(phone);
  changeKeyEntity = () => [created, swapValues(rotation)];
  await useKey(phone, oldKey);
  await syncNow(phone);
  assert.equal(phone.status.kind, "up-to-date");
  assert.deepEqual(shown(phone), WATER);
  // What is authentic is believed.
  changeKeyEntity = () => [created, rotation];
  assert.equal(await failureOf(laptop), null);
  world.network = online;
  await useKey(early, newKey);
  await syncNow(early);
  assert.deepEqual(shown(early), WATER);
});

interface Operation {
  readonly operationId: string;
  readonly document: { readonly entityId: string; readonly payload: Record<string, string> };
}

async function readKeyEntity(world: SealedWorld): Promise<readonly Operation[]> {
  const bodies = world.pushed.map((body) => JSON.parse(body) as { operations: Operation[] });
  const operations = bodies.flatMap((body) => body.operations);
  return operations.filter(({ document }) => document.entityId.includes("jL8luVsX"));
}

function swapValues(operation: Operation): Operation {
  const { payload } = operation.document;
  const [first = "", ...others] = Object.values(payload);
  const values = [...others, first];
  const swapped = Object.keys(payload).map((name, index) => [name, values[index]]);
  return {
    ...operation,
    document: { ...operation.document, payload: Object.fromEntries(swapped) as typeof payload },
  };
}

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
  const other = createTestEncryption();
  const wrongKey = other.toRecoveryKey(other.createDataKey());
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
  const encryption = createTestEncryption({ allowClearServer: true });
  const allowed = await sealed.openSealed({ encryption, fetch: clear.fetch });
  await clear.signIn(allowed);
  await stored(allowed.create("habit/water", { name: "Water" }));
  await createdKey(allowed);
  await syncNow(allowed);
  assert.equal(allowed.status.pending, 0);
  const reader = await clear.device();
  assert.ok(reader.entities.list().every(({ entityId }) => entityId.startsWith("sealed/")));
});
