/** Devices of an account whose data the server cannot read. */
import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import {
  createMemorySyncStorage,
  type EncryptedSyncClient,
  type SyncClientOptions,
} from "../../../src/client/index.ts";
import { createEncryption, type EncryptionOptions } from "../../../src/client/encryption/index.ts";
import { toRecoveryKey } from "../../../src/client/encryption/recovery-key.ts";
import { createMemoryKeyStore } from "../../../src/client/encryption/memory-key-store.ts";
import { createWorld, offline, stored, syncNow, type Network, type World } from "./world.ts";

export interface SealedWorld extends World {
  /** The bodies of the pushes so far. */
  readonly pushed: string[];
  /** A device that is signed in and has no key. */
  join(options?: Partial<SyncClientOptions>): Promise<EncryptedSyncClient>;
  openSealed(options?: Partial<SyncClientOptions>): Promise<EncryptedSyncClient>;
  /** A device that has made the key of the account, and its recovery key. */
  first(): Promise<readonly [EncryptedSyncClient, string]>;
  /** A device with this recovery key. */
  second(recoveryKey: string): Promise<EncryptedSyncClient>;
}

export function createTestEncryption(options: Partial<EncryptionOptions> = {}) {
  return createEncryption({ keyStore: createMemoryKeyStore(), ...options });
}

export async function createSealedWorld(
  t: TestContext,
  options: Parameters<typeof createWorld>[1] = {},
): Promise<SealedWorld> {
  const world = await createWorld(t, { ...options, profile: "sealed" });
  const pushed: string[] = [];
  const { fetch } = world;
  world.fetch = (url, init) => {
    if (url.endsWith("/v1/push")) pushed.push(String(init.body));
    return fetch(url, init);
  };
  const openSealed: SealedWorld["openSealed"] = async (options = {}) => {
    const client = await world.open({ encryption: createTestEncryption(), ...options });
    assert.ok("encryption" in client);
    return client as EncryptedSyncClient;
  };
  const join: SealedWorld["join"] = async (options) => {
    const client = await openSealed(options);
    await world.signIn(client);
    return client;
  };
  return Object.assign(world, {
    pushed,
    openSealed,
    join,
    async first() {
      const client = await join();
      return [client, await createdKey(client)] as const;
    },
    async second(recoveryKey: string) {
      const client = await join();
      assert.deepEqual(await client.encryption.useKey(recoveryKey), {
        kind: "unlocked",
        checked: true,
      });
      await syncNow(client);
      return client;
    },
  });
}

/** As `first`, and the account has a habit. */
export async function firstWithWater(world: SealedWorld) {
  const [phone, key] = await world.first();
  await stored(phone.create("habit/water", { name: "Water" }));
  await syncNow(phone);
  return [phone, key] as const;
}

/** A device that can be closed and opened again: its storage and its keys stay. */
export function createKeptDevice(world: SealedWorld) {
  const keyStore = createMemoryKeyStore();
  const storage = createMemorySyncStorage();
  const open = () => world.openSealed({ storage, encryption: createTestEncryption({ keyStore }) });
  return { keyStore, open };
}

/** A key that is made arrives, and the response does not. */
export const losesReceipts: Network = async (send, request) => {
  const response = await send();
  return isKeyMade(request) ? offline(send, request) : response;
};

/** Whether a device makes or replaces the key. */
export function isKeyMade({ path, init }: Parameters<Network>[1]): boolean {
  return path === "/v1/keys" && init.method === "POST";
}

/** A recovery key that is of no account. */
export function strangeKey(): string {
  return toRecoveryKey(createTestEncryption().createDataKey().bytes);
}

export async function createdKey({ encryption }: EncryptedSyncClient): Promise<string> {
  const result = await encryption.createKey();
  assert.ok(result.kind === "created", JSON.stringify(result));
  return result.recoveryKey;
}

export async function rotatedKey({ encryption }: EncryptedSyncClient): Promise<string> {
  const result = await encryption.rotateKey();
  assert.ok(result.kind === "rotated", JSON.stringify(result));
  return result.recoveryKey;
}

export async function useKey({ encryption }: EncryptedSyncClient, key: string): Promise<void> {
  assert.deepEqual(await encryption.useKey(key), { kind: "unlocked", checked: true });
}

/** Why a round fails; null when it does not. */
export async function failureOf(client: EncryptedSyncClient): Promise<string | null> {
  const result = await client.sync();
  return result.kind === "not-synced" ? result.error.kind : null;
}
