/** A process that ends while it replaces the key: at every step of its storage, of its keys and of the network. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createMemorySyncStorage, type SyncClientOptions } from "../../../src/client/index.ts";
import { createMemoryKeyStore } from "../../../src/client/encryption/memory-key-store.ts";
import type { KeyStore } from "../../../src/client/sync/encryption.ts";
import { createdKey, createSealedWorld, createTestEncryption } from "./sealed-device.ts";
import { shown, stored, syncNow } from "./world.ts";

/** What a process uses ends with it, before or after any change. */
function createLife() {
  let left = Infinity;
  const step = () => {
    if (--left < 0) throw new Error("The process was killed");
  };
  async function live<T>(call: () => Promise<T>): Promise<T> {
    step();
    const result = await call();
    step();
    return result;
  }
  return {
    live,
    /** It dies after so many steps. */
    dieAfter(steps: number): void {
      left = steps;
    },
    isOver: () => left < 0,
  };
}

type Life = ReturnType<typeof createLife>;

function createMortal(
  { live }: Life,
  { storage, keyStore }: { storage: SyncClientOptions["storage"]; keyStore: KeyStore },
  fetch: NonNullable<SyncClientOptions["fetch"]>,
): Partial<SyncClientOptions> {
  const mortalKeys: KeyStore = {
    // To die at a read is to die after the change before.
    read: (name) => keyStore.read(name),
    write: (name, keys) => live(() => keyStore.write(name, keys)),
    delete: (name) => live(() => keyStore.delete(name)),
  };
  return {
    storage: {
      transaction(mode, work) {
        const run = () => storage.transaction(mode, work);
        return mode === "read" ? run() : live(run);
      },
      close: async () => {},
    },
    encryption: createTestEncryption({ keyStore: mortalKeys }),
    fetch: (url, init) => live(() => fetch(url, init)),
  };
}

test("a device that is killed while it replaces the key has the account's key at its next start", async (t) => {
  const world = await createSealedWorld(t);
  const kept = { storage: createMemorySyncStorage(), keyStore: createMemoryKeyStore() };
  const open = () =>
    world.openSealed({
      storage: kept.storage,
      encryption: createTestEncryption({ keyStore: kept.keyStore }),
    });
  const phone = await open();
  await world.signIn(phone);
  let key = await createdKey(phone);
  await phone.close();
  const endings = new Set<boolean>();
  let steps = 0;
  for (let isComplete = false; !isComplete; steps++) {
    const life = createLife();
    const mortal = createMortal(life, kept, (url, init) => world.fetch(url, init));
    const killed = await world.openSealed(mortal);
    await stored(killed.create(`note/${steps}`, { text: "Zugspitze" }));
    life.dieAfter(steps);
    await killed.encryption.rotateKey();
    isComplete = !life.isOver();
    const again = await open();
    await syncNow(again);
    const found = await again.encryption.showRecoveryKey();
    assert.ok(found !== null, `it has no key when killed after ${steps} steps`);
    endings.add(found !== key);
    key = found;
    await again.close();
  }
  assert.ok(steps > 10, `only ${steps} steps`);
  assert.deepEqual(endings, new Set([false, true]), "it is killed before and after the rotation");
  const laptop = await world.second(key);
  assert.equal(Object.keys(shown(laptop)).length, steps);
  assert.deepEqual(laptop.unreadable.list(), []);
});
