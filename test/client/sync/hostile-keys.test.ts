/** What a server that lies, or a network that is late, does to the keys of devices. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { createMemorySyncStorage, type EncryptedSyncClient } from "../../../src/client/index.ts";
import { createMemoryKeyStore } from "../../../src/client/encryption/memory-key-store.ts";
import type { AccountKey } from "../../../src/contract/sync/schemas.ts";
import { BROKEN_SEALINGS, type BreakEncryption } from "../sealed/broken-sealings.ts";
import {
  createdKey,
  createKeptDevice,
  createSealedWorld,
  createTestEncryption,
  failureOf,
  firstWithWater,
  isKeyMade,
  rotatedKey,
  useKey,
  type SealedWorld,
} from "./sealed-device.ts";
import { createTabApis, shared } from "./tab-apis.ts";
import {
  offline,
  online,
  shown,
  stored,
  syncAll,
  syncNow,
  type Network,
  type World,
} from "./world.ts";

/** Stores the key that is made, and says that it did not. */
const denying: Network = async (send, request) => {
  const response = await send();
  if (!isKeyMade(request)) return response;
  const error = { error: "invalid_request", message: "No", requestId: "12345678" };
  return Response.json(error, { status: 400 });
};

test("a key that arrives late is found, and not lost to a second attempt", async (t) => {
  const world = await createSealedWorld(t);
  const phone = await world.join();
  const late: (() => Promise<Response>)[] = [];
  world.network = async (send, request) => {
    if (!isKeyMade(request)) return send();
    const first = late.pop();
    if (first === undefined) {
      late.push(send);
      throw new TypeError("fetch failed");
    }
    await first();
    return send();
  };
  assert.deepEqual(await phone.encryption.createKey(), { kind: "refused", reason: "offline" });
  const key = await createdKey(phone);
  world.network = online;
  await syncNow(phone);
  await world.second(key);
});

test("a key that a server has stored and denies stays with the device that made it", async (t) => {
  const world = await createSealedWorld(t);
  const phone = await world.join();
  world.network = denying;
  assert.equal((await phone.encryption.createKey()).kind, "refused");
  world.network = online;
  await syncNow(phone);
  world.network = denying;
  assert.equal((await phone.encryption.rotateKey()).kind, "refused");
  world.network = online;
  await syncNow(phone);
  const key = await phone.encryption.showRecoveryKey();
  assert.ok(key !== null);
  await world.second(key);
});

/** A first rotation arrives after a second one was asked for; the server has taken the first. */
async function rotateLate(t: TestContext, forgets: boolean) {
  const world = await createSealedWorld(t);
  const { keyStore, open } = createKeptDevice(world);
  const phone = await open();
  await world.signIn(phone);
  await createdKey(phone);
  const before = (await keyStore.read(phone.deviceId)) ?? "";
  let late: (() => Promise<Response>) | null = null;
  world.network = async (send, request) => {
    if (!isKeyMade(request)) return send();
    if (late !== null) return late().then(send);
    late = send;
    throw new TypeError("fetch failed");
  };
  assert.deepEqual(await phone.encryption.rotateKey(), { kind: "refused", reason: "offline" });
  assert.deepEqual(await phone.encryption.rotateKey(), { kind: "refused", reason: "replaced" });
  world.network = online;
  if (forgets) await keyStore.write(phone.deviceId, before);
  return { world, phone };
}

test("a key that was tried stays with its device when the server says that the key was replaced", async (t) => {
  const { world, phone } = await rotateLate(t, false);
  await syncNow(phone);
  const key = await phone.encryption.showRecoveryKey();
  assert.ok(key !== null);
  await world.second(key);
  // No device could ever join the account of a client that forgets it.
  const { phone: forgetful } = await rotateLate(t, true);
  assert.equal(await failureOf(forgetful), "key-needed");
});

/** Shows the list as this changes it. */
function showing(change: (keys: readonly AccountKey[]) => readonly AccountKey[]): Network {
  return async (send, { path, init }) => {
    const response = await send();
    const isPull = path.startsWith("/v1/pull");
    if (init.method === "POST" || (path !== "/v1/keys" && !isPull)) return response;
    const shownKeys = change(
      ((await response.clone().json()) as { keys?: AccountKey[] }).keys ?? [],
    );
    if (!isPull) return Response.json({ keys: shownKeys });
    return response;
  };
}

/** Changes one character of an envelope. */
const damage = (envelope: string) =>
  envelope.replace(/.{8}$/, (end) => `${end.startsWith("A") ? "B" : "A"}${end.slice(1)}`);

test("a server that shows a rotation in part makes no device forget the key that it made", async (t) => {
  const world = await createSealedWorld(t);
  const [phone] = await world.first();
  await syncNow(phone);
  world.network = denying;
  assert.equal((await phone.encryption.rotateKey()).kind, "refused");
  for (const member of ["keys", "from"] as const) {
    world.network = showing((keys) =>
      keys.map((one, index) =>
        index === 0 ? one : { ...one, [member]: damage(one[member] ?? "") },
      ),
    );
    const expected = member === "keys" ? "key-needed" : "keys-disagree";
    assert.equal(await failureOf(phone), expected);
    assert.equal(await failureOf(phone), expected);
    assert.equal(phone.encryption.state.kind, "replaced");
    assert.equal(await phone.encryption.showRecoveryKey(), null);
  }
  world.network = online;
  await syncNow(phone);
  assert.ok((await phone.encryption.showRecoveryKey()) !== null);
});

/** Lists that an honest server never has. `first` and `last` are the records of an account that rotated once. */
type Forge = (first: AccountKey, last: AccountKey, other: AccountKey) => readonly AccountKey[];

const FORGED: Readonly<Record<string, Forge>> = {
  "another account's key behind the own": (first, last, other) => [
    first,
    last,
    { ...other, from: last.keys },
  ],
  "another account's key before the own": (first, last, other) => [other, first, last],
  "another account's keys": (_first, _last, other) => [other],
  "a record with another proof": (first, last, other) => [first, { ...last, write: other.write }],
  "a first record with another proof": (first, last, other) => [
    { ...first, write: other.write },
    last,
  ],
  "a first record whose keys do not open": (first, last) => [
    { ...first, keys: damage(first.keys) },
    last,
  ],
  "an origin that does not open": (first, last) => [
    first,
    { ...last, from: damage(last.from ?? "") },
  ],
  "a last record without an origin": (first, { from: _from, ...last }) => [first, last],
  "a record twice": (first, last) => [first, first, last],
  "the records in another order": (first, last) => [last, first],
};

async function showForged(
  t: TestContext,
  forge: Forge,
  breakEncryption: BreakEncryption = (one) => one,
): Promise<void> {
  const world = await createSealedWorld(t);
  const createKeys = () => ({ encryption: breakEncryption(createTestEncryption()) });
  const phone = await world.join(createKeys());
  const oldKey = await createdKey(phone);
  const laptop = await world.join(createKeys());
  await useKey(laptop, oldKey);
  await syncNow(laptop);
  const key = await rotatedKey(phone);
  await useKey(laptop, key);
  await stored(phone.create("note/1", { text: "Zugspitze" }));
  await syncNow(phone);
  const other = createTestEncryption();
  const record = other.createKeyRecord(other.createDataKey(), [], null);
  world.network = showing(([first, last]) => forge(first ?? record, last ?? record, record));
  await stored(laptop.create("note/2", { text: "Watzmann" }));
  // A device that has compared the lists goes by what pages say, and compares again when it starts.
  await laptop.signOut();
  await world.signIn(laptop);
  const before = world.pushed.length;
  assert.equal(await failureOf(laptop), "keys-disagree");
  assert.deepEqual([laptop.encryption.state.kind, laptop.status.kind], ["replaced", "blocked"]);
  assert.deepEqual(Object.keys(shown(laptop)), ["note/2"]);
  const stranger = await world.join(createKeys());
  assert.equal((await stranger.encryption.useKey(key)).kind, "refused");
  assert.notEqual(await failureOf(stranger), null);
  assert.equal(stranger.encryption.state.kind, "key-elsewhere");
  assert.equal(world.pushed.length, before);
  world.network = online;
  await useKey(stranger, key);
  await syncAll(laptop, stranger);
  assert.deepEqual(laptop.encryption.state, { kind: "ready" });
  for (const device of [laptop, stranger]) {
    assert.deepEqual(Object.keys(shown(device)), ["note/1", "note/2"]);
  }
}

for (const [name, forge] of Object.entries(FORGED)) {
  test(`a server that shows ${name} gets and gives nothing, and is forgiven`, (t) =>
    showForged(t, forge));
}

for (const [defect, name] of [
  ["does not check a list", "a first record with another proof"],
  ["believes any origin of a key", "another account's key behind the own"],
] as const) {
  test(`a server that shows ${name} shows that a client ${defect}`, async (t) => {
    const forge = FORGED[name] ?? assert.fail();
    const shownDefect = showForged(t, forge, BROKEN_SEALINGS[defect]);
    await assert.rejects(shownDefect, { name: "AssertionError" });
  });
}

test("a device that knows that its key was replaced seals nothing under it, whatever a server shows", async (t) => {
  const world = await createSealedWorld(t);
  const [phone, oldKey] = await firstWithWater(world);
  const laptop = await world.second(oldKey);
  const newKey = await rotatedKey(phone);
  assert.equal(await failureOf(laptop), "key-needed");
  await stored(laptop.patch("habit/water", { goal: 8 }));
  // The rotation is hidden again.
  const before = world.pushed.length;
  const [first] = (await listOf(world)).slice(0, 1);
  world.network = async (send, request) => {
    const response = await showing((keys) => keys.slice(0, 1))(send, request);
    if (!request.path.startsWith("/v1/pull")) return response;
    const page = (await response.json()) as object;
    return Response.json({ ...page, keyId: first?.keyId });
  };
  for (const attempt of [1, 2]) {
    assert.equal(await failureOf(laptop), "key-needed", `attempt ${attempt}`);
    assert.equal(laptop.encryption.state.kind, "replaced");
  }
  assert.equal(world.pushed.length, before);
  world.network = online;
  await useKey(laptop, newKey);
  await syncNow(laptop);
  const sealed = JSON.parse(world.pushed.at(-1) ?? "") as SealedPush;
  const last = (await listOf(world)).at(-1);
  for (const { document } of sealed.operations) {
    assert.equal(document.sealed.split(".")[1], last?.keyId);
  }
});

interface SealedPush {
  readonly operations: readonly { readonly document: { readonly sealed: string } }[];
}

test("a device whose key was replaced keeps its place when a page leads it back", async (t) => {
  const world = await createSealedWorld(t);
  const [phone, oldKey] = await firstWithWater(world);
  const storage = createMemorySyncStorage();
  const laptop = await world.join({ storage });
  await useKey(laptop, oldKey);
  await syncNow(laptop);
  const position = () => storage.transaction("read", (transaction) => transaction.get("position"));
  const before = await position();
  const newKey = await rotatedKey(phone);
  world.network = async (send, request) => {
    const response = await send();
    if (!request.path.startsWith("/v1/pull")) return response;
    world.network = online;
    const page = (await response.json()) as object;
    const back = { requiresSnapshot: true, recoveryReason: "generation_changed", operations: [] };
    return Response.json({ ...page, ...back });
  };
  assert.equal(await failureOf(laptop), "key-needed");
  assert.equal(await position(), before);
  await useKey(laptop, newKey);
  await syncNow(laptop);
  assert.deepEqual(Object.keys(shown(laptop)), ["habit/water"]);
});

async function listOf(world: World): Promise<readonly AccountKey[]> {
  let list: readonly AccountKey[] = [];
  const { network } = world;
  world.network = showing((keys) => (list = keys));
  const reader = await (world as SealedWorld).join();
  await reader.sync();
  world.network = network;
  return list;
}

test("a former key that is entered offline takes a device back neither then nor later", async (t) => {
  const world = await createSealedWorld(t);
  const [phone, oldKey] = await firstWithWater(world);
  const newKey = await rotatedKey(phone);
  world.network = offline;
  assert.deepEqual(await phone.encryption.useKey(oldKey), { kind: "unlocked", checked: false });
  world.network = online;
  await syncNow(phone);
  assert.equal(await phone.encryption.showRecoveryKey(), newKey);
  // The device compares again with a server that hides the rotation.
  world.network = showing((keys) => keys.slice(0, 1));
  await phone.signOut();
  await world.signIn(phone);
  assert.notEqual(await failureOf(phone), null);
  assert.equal(await phone.encryption.showRecoveryKey(), newKey);
  world.network = online;
  await syncNow(phone);
});

test("a page of another key is not used, and a round does not go on for ever", async (t) => {
  const world = await createSealedWorld(t);
  const [phone, key] = await firstWithWater(world);
  const laptop = await world.second(key);
  await stored(phone.patch("habit/water", { goal: 8 }));
  await syncNow(phone);
  world.network = async (send, { path }) => {
    const response = await send();
    if (!path.startsWith("/v1/pull")) return response;
    return Response.json({ ...((await response.json()) as object), keyId: "A".repeat(22) });
  };
  assert.equal(await failureOf(laptop), "unstable-log");
  assert.deepEqual(shown(laptop), { "habit/water": { name: "Water" } });
  world.network = online;
  await syncNow(laptop);
  assert.deepEqual(shown(laptop), { "habit/water": { name: "Water", goal: 8 } });
});

test("a device that is erased while it learns a key keeps none", async (t) => {
  const world = await createSealedWorld(t);
  const [, key] = await world.first();
  for (const [method, learn] of [
    ["GET", (client) => client.encryption.useKey(key)],
    ["POST", (client) => client.encryption.rotateKey()],
  ] as const satisfies readonly (readonly [string, Learn])[]) {
    const keyStore = createMemoryKeyStore();
    const laptop = await world.join({ encryption: createTestEncryption({ keyStore }) });
    if (method === "POST") await useKey(laptop, key);
    const [arrived, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    world.network = async (send, request) => {
      const response = await send();
      if (request.path === "/v1/revoke") goOn.resolve();
      const { path, init } = request;
      if (path !== "/v1/keys" || (init.method ?? "GET") !== method) return response;
      arrived.resolve();
      await goOn.promise;
      return response;
    };
    const learned = learn(laptop);
    await arrived.promise;
    const { deviceId } = laptop;
    assert.equal((await laptop.signOut({ erase: true })).kind, "signed-out");
    await learned;
    assert.deepEqual(
      [await keyStore.read(deviceId), await keyStore.read(laptop.deviceId)],
      [null, null],
      method,
    );
    assert.equal(await laptop.encryption.showRecoveryKey(), null);
    world.network = online;
  }
});

type Learn = (client: EncryptedSyncClient) => Promise<unknown>;

test("a key that is entered in a tab which another has erased is not kept for the device that is gone", async (t) => {
  const world = await createSealedWorld(t);
  const [, key] = await world.first();
  const storage = createMemorySyncStorage({ name: "erased-tabs" });
  const keyStore = createMemoryKeyStore();
  const { locks } = createTabApis();
  const open = () =>
    world.openSealed({
      storage: shared(storage),
      encryption: createTestEncryption({ keyStore }),
      tabs: { locks },
    });
  const one = await open();
  await world.signIn(one);
  const other = await open();
  const { deviceId } = other;
  assert.equal((await one.signOut({ erase: true })).kind, "signed-out");
  await other.encryption.useKey(key);
  assert.equal(await keyStore.read(deviceId), null);
  assert.equal(other.deviceId, one.deviceId);
});
