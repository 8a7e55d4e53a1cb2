/** An import: one commit on the device, pushes that fit, and devices that die between them. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import {
  createMemorySyncStorage,
  type SyncClient,
  type SyncClientOptions,
  type SyncStorage,
} from "../../../src/client/index.ts";
import { createMemoryKeyStore } from "../../../src/client/encryption/memory-key-store.ts";
import { createFaultyStorage } from "./faulty-storage.ts";
import { createSealedWorld, createTestEncryption, useKey } from "./sealed-device.ts";
import { createWorld, offline, online, shown, syncNow, type World } from "./world.ts";

const EDITS = 1000;
const IN_ONE_PUSH = 100;

interface Accounts {
  readonly world: World;
  createKept(): Promise<KeptDevice>;
}

/** A device that is signed in and can be opened again and again, also on a storage that fails. */
interface KeptDevice {
  readonly records: SyncStorage;
  open(storage?: SyncStorage): Promise<SyncClient>;
}

async function createAccounts(t: TestContext, isSealed: boolean): Promise<Accounts> {
  if (!isSealed) {
    const world = await createWorld(t);
    return { world, createKept: () => keep(world, {}) };
  }
  const world = await createSealedWorld(t);
  const [, recoveryKey] = await world.first();
  return {
    world,
    async createKept() {
      const keyStore = createMemoryKeyStore();
      const kept = await keep(world, { encryption: createTestEncryption({ keyStore }) });
      const client = await kept.open();
      assert.ok("encryption" in client);
      await useKey(client as Parameters<typeof useKey>[0], recoveryKey);
      await client.close();
      return kept;
    },
  };
}

async function keep(world: World, options: Partial<SyncClientOptions>): Promise<KeptDevice> {
  const records = createMemorySyncStorage();
  const open = (storage = records) => world.open({ storage, ...options });
  const client = await open();
  await world.signIn(client);
  await client.close();
  return { records, open };
}

/** Returns the kind of the result. */
async function importNotes(client: SyncClient): Promise<string> {
  const notes = client.collection<{ index: number }>("note");
  const result = await client.transaction((edit) => {
    for (let index = 0; index < EDITS; index++) edit(notes).create({ index });
  });
  return result.kind;
}

for (const isSealed of [false, true]) {
  const what = isSealed ? "a sealed import" : "an import";

  test(`${what} is one commit, and comes push by push from a device that dies after each`, async (t) => {
    const { world, createKept } = await createAccounts(t, isSealed);
    const writer = await createKept();
    const reader = await (await createKept()).open();
    let client = await writer.open();
    let writes = 0;
    client.subscribe(() => writes++);
    assert.equal(await importNotes(client), "stored");
    assert.deepEqual([writes, client.entities.list().length], [1, EDITS]);

    const sizes = new Set<number>();
    reader.subscribe(() => sizes.add(reader.entities.list().length));
    for (let pushed = 0; pushed < EDITS; pushed += IN_ONE_PUSH) {
      let pushes = 0;
      world.network = (send, request) =>
        request.path === "/v1/push" && ++pushes > 1 ? offline(send, request) : send();
      await client.sync();
      await client.close();
      world.network = online;
      await syncNow(reader);
      client = await writer.open();
      assert.equal(client.status.pending, EDITS - pushed - IN_ONE_PUSH);
    }
    await syncNow(client);
    assert.deepEqual(shown(reader), shown(client));
    const expected = Array.from({ length: 10 }, (_, index) => (index + 1) * IN_ONE_PUSH);
    assert.deepEqual(
      [...sizes].filter((size) => size > 0),
      expected,
    );
  });

  test(`${what} whose device dies before its commit has stored nothing`, async (t) => {
    const { createKept } = await createAccounts(t, isSealed);
    const { records, open } = await createKept();
    for (const diesAt of [2, EDITS, 2 * EDITS, 3 * EDITS]) {
      const dying = await open(createFaultyStorage(records, diesAt));
      assert.equal(await importNotes(dying), "refused");
      const reopened = await open();
      assert.deepEqual([reopened.entities.list(), reopened.status.pending], [[], 0]);
      await reopened.close();
    }
    const last = await open();
    assert.equal(await importNotes(last), "stored");
    assert.equal(last.status.pending, EDITS);
  });
}
