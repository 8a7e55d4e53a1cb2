/** What a server that lies, or a network that is late, does to the keys of devices. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createMemorySyncStorage, type EncryptedSyncClient } from "../../../src/client/index.ts";
import { createMemoryKeyStore } from "../../../src/client/encryption/memory-key-store.ts";
import {
  createdKey,
  createSealedWorld,
  createTestEncryption,
  failureOf,
  useKey,
} from "./sealed-device.ts";
import { createTabApis, shared } from "./tab-apis.ts";
import { online, syncNow, type Network } from "./world.ts";

/** Stores what is pushed, and says that it did not. */
const denying: Network = async (send, { path }) => {
  const response = await send();
  if (path !== "/v1/push") return response;
  const error = { error: "invalid_sync_operation", message: "No", requestId: "1" };
  return Response.json(error, { status: 422, headers: { "Trellis-Refused": "0=not_sealed" } });
};

test("a key whose first push arrives late is found, and not lost to a second attempt", async (t) => {
  const world = await createSealedWorld(t);
  const phone = await world.join();
  const late: (() => Promise<Response>)[] = [];
  world.network = async (send, { path }) => {
    if (path !== "/v1/push") return send();
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
  await createdKey(phone);
  assert.equal((await phone.encryption.rotateKey()).kind, "refused");
  world.network = online;
  await syncNow(phone);
  const key = await phone.encryption.showRecoveryKey();
  assert.ok(key !== null);
  await world.second(key);
});

test("a server that shows a rotation in part makes no device forget the key that it made", async (t) => {
  const world = await createSealedWorld(t);
  const [phone] = await world.first();
  await syncNow(phone);
  world.network = denying;
  assert.equal((await phone.encryption.rotateKey()).kind, "refused");
  // Of the rotation only the field stays that leads away from the old key.
  const { document } = (JSON.parse(world.pushed.at(-1) ?? "") as Pushed).operations[0];
  const oldKeyId = Object.values(document.payload).map(keyIdOf).find(isOnce);
  world.network = async (send, { path }) => {
    const response = await send();
    if (!path.startsWith("/v1/pull")) return response;
    const page = (await response.json()) as Pushed;
    const operations = page.operations.map((operation) =>
      operation.kind === "create" ? operation : keepFields(operation, oldKeyId),
    );
    return Response.json({ ...page, operations });
  };
  assert.equal(await failureOf(phone), "key-needed");
  assert.equal(await failureOf(phone), "key-needed");
  assert.equal(await phone.encryption.showRecoveryKey(), null);
  world.network = online;
  await syncNow(phone);
  assert.ok((await phone.encryption.showRecoveryKey()) !== null);
});

interface PushedOperation {
  readonly kind: string;
  readonly changedFields: readonly string[];
  readonly document: { readonly payload: Record<string, string> };
}

interface Pushed {
  readonly operations: readonly [PushedOperation, ...PushedOperation[]];
}

function keyIdOf(value: string): string {
  return value.split(".")[1] ?? "";
}

function isOnce(keyId: string, _index: number, all: readonly string[]): boolean {
  return all.indexOf(keyId) === all.lastIndexOf(keyId);
}

function keepFields(operation: PushedOperation, keyId: string | undefined): PushedOperation {
  const { document } = operation;
  const payload = Object.fromEntries(
    Object.entries(document.payload).filter(([, value]) => keyIdOf(value) === keyId),
  );
  return { ...operation, changedFields: Object.keys(payload), document: { ...document, payload } };
}

test("a device that is erased while it learns a key keeps none", async (t) => {
  const world = await createSealedWorld(t);
  const [, key] = await world.first();
  for (const [path, learn] of [
    ["/v1/pull", (client) => client.encryption.useKey(key)],
    ["/v1/push", (client) => client.encryption.rotateKey()],
  ] as const satisfies readonly (readonly [string, Learn])[]) {
    const keyStore = createMemoryKeyStore();
    const laptop = await world.join({ encryption: createTestEncryption({ keyStore }) });
    if (path === "/v1/push") await useKey(laptop, key);
    const [arrived, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    world.network = async (send, request) => {
      const response = await send();
      if (request.path === "/v1/revoke") goOn.resolve();
      if (!request.path.startsWith(path)) return response;
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
      path,
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
