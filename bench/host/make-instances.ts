/** Instances for a benchmark: copies of one prepared store, so that one token is good for all. */
import { constants, copyFileSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openStore } from "../../src/database/open-store.ts";
import { instanceKeyOf } from "../../src/identity/bind-instance-key.ts";
import { createInstanceKey, placeKeyRing } from "../../src/identity/instance-key.ts";
import { INSTANCE_KEY_BYTES, newKeyRing } from "../../src/identity/key-ring.ts";
import { checkConfiguration } from "../../src/configuration/configuration.ts";
import { readInstanceUsage, saveUsage } from "../../src/hosting/instance-usage.ts";
import { registryPath } from "../../src/configuration/instance-registry.ts";
import { instanceFolder, resolveInstance } from "../../src/configuration/instance.ts";
import { SYNC_STORE } from "../../src/sync/sql/open-store.ts";
import { createAccessTokens } from "../../src/sync/devices/access-tokens.ts";
import { addDevices } from "../sync/device-sessions.ts";

/** All instances have one key, which the process of the load knows too. */
const KEY = newKeyRing(new Uint8Array(INSTANCE_KEY_BYTES).fill(1));
export const ACCESS_TOKEN = createAccessTokens(createInstanceKey(KEY)).create(
  (length) => new Uint8Array(length),
);

export function nameOf(index: number): string {
  return `person-${String(index).padStart(5, "0")}`;
}

export function hostOf(index: number): string {
  return `${nameOf(index)}.example.com`;
}

export async function makeInstances(dataDir: string, count: number): Promise<void> {
  const template = instanceFolder(dataDir, nameOf(0));
  await makeTemplate(dataDir);
  const files = readdirSync(template).filter((name) => !name.endsWith(".lock"));
  for (let index = 1; index < count; index++) {
    const folder = instanceFolder(dataDir, nameOf(index));
    mkdirSync(folder, { mode: 0o700 });
    for (const file of files) {
      copyFileSync(join(template, file), join(folder, file), constants.COPYFILE_FICLONE);
    }
  }
  const instances = Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      nameOf(index),
      { baseUrl: `https://${hostOf(index)}` },
    ]),
  );
  writeFileSync(registryPath(dataDir), JSON.stringify(instances), { mode: 0o600 });
}

/** An empty log and a signed-in device. */
async function makeTemplate(dataDir: string): Promise<void> {
  const { sync } = checkConfiguration({ dataDir, sync: {} }, "of the benchmark");
  if (sync === undefined) throw new Error("The benchmark has no settings");
  const settings = { baseUrl: `https://${hostOf(0)}` };
  const instance = resolveInstance(nameOf(0), settings, sync, dataDir);
  placeKeyRing(instance.sync.instanceKeyFile, KEY);
  const store = await openStore({
    kind: SYNC_STORE,
    store: instance.sync.store,
    dataDir: instance.dataDir,
    key: instanceKeyOf(SYNC_STORE, instance.sync.instanceKeyFile),
  });
  await addDevices(store, [{ deviceId: "bench", token: ACCESS_TOKEN }]);
  // As a server leaves it that had the instance open.
  await saveUsage(instance.dataDir, await readInstanceUsage(store.database, false, Date.now()));
  await store.close();
}
