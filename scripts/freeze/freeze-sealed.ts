/** A store of ciphertext, a device with its keys that has an edit which the server lacks, and a backup. */
import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createSqliteStorage } from "../../src/client/node/index.ts";
import type { FrozenSealed } from "./facts.ts";
import {
  fill,
  listShown,
  openFrozenService,
  openSealedClient,
  signInFrozen,
  syncNow,
} from "./freeze-client.ts";
import { createFrozenAccount, run, writeSettings } from "./freeze-stores.ts";

/** Writes the folder `sealed`. The key is replaced, so that data under two keys is carried. */
export async function freezeSealed(
  home: string,
  frozen: string,
  now: number,
): Promise<FrozenSealed> {
  const folder = join(frozen, "sealed");
  const dataDir = join(home, "data");
  await mkdir(folder);
  await mkdir(home);
  await writeSettings(home, undefined, "sealed");
  await createFrozenAccount(home, "sync");
  const sealed = await fillSealed(dataDir, folder, now);
  await run(home, `sync backup ${join(folder, "sync.backup")}`);
  for (const name of ["sync.db", "instance.key", "sync.highwater"]) {
    await copyFile(join(dataDir, name), join(folder, name));
  }
  return sealed;
}

async function fillSealed(dataDir: string, folder: string, now: number): Promise<FrozenSealed> {
  const store = `sqlite:${join(dataDir, "sync.db")}`;
  const { fetch, close } = await openFrozenService(dataDir, store, now, "sealed");
  const storage = createSqliteStorage(join(folder, "client.db"));
  const client = await openSealedClient(storage, join(folder, "keys"), fetch, now);
  try {
    await signInFrozen(client, fetch);
    const created = await client.encryption.createKey();
    if (created.kind !== "created") throw new Error(`No key was made: ${created.kind}`);
    await fill(client, 1);
    await syncNow(client);
    const rotated = await client.encryption.rotateKey();
    if (rotated.kind !== "rotated") throw new Error(`The key was not replaced: ${rotated.kind}`);
    await client.collection("note").create({ text: "under the new key" });
    await syncNow(client);
    await client.collection("note").create({ text: "waits" });
    return { shown: listShown(client), recoveryKey: rotated.recoveryKey };
  } finally {
    await client.close();
    await close();
  }
}
