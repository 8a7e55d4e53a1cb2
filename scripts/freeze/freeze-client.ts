/** The storages of two devices, which are signed in and have an edit that the server lacks. */
import { join } from "node:path";
import { writeFile } from "node:fs/promises";
import { createMemorySyncStorage, createSyncClient } from "../../src/client/index.ts";
import { createEncryption } from "../../src/client/encryption/index.ts";
import { createFileKeyStore, createSqliteStorage } from "../../src/client/node/index.ts";
import type { EncryptedSyncClient, SyncClient } from "../../src/client/sync/sync-client.ts";
import type { SyncStorage } from "../../src/client/sync/storage.ts";
import type { SyncProfile } from "../../src/contract/sync/operation-limits.ts";
import { openServiceStore } from "../../src/identity/open-service-store.ts";
import { createSyncService } from "../../src/sync/service.ts";
import { SYNC_STORE } from "../../src/sync/sql/open-store.ts";
import { approveSignIn } from "../../test/sync/approve-sign-in.ts";
import {
  FROZEN_ACCOUNTS,
  FROZEN_BASE_URL,
  FROZEN_REDIRECT_URI,
  type FrozenDatabase,
} from "./facts.ts";

const NO_TIMER = () => () => {};

/** The sync service of a data folder, as a function, with a clock that stands. */
export async function openFrozenService(
  dataDir: string,
  store: string,
  now: number,
  profile: SyncProfile = "open",
) {
  const instanceKeyFile = join(dataDir, "instance.key");
  const opened = await openServiceStore(SYNC_STORE, { store, instanceKeyFile }, dataDir);
  const service = createSyncService({
    store: opened,
    instanceKey: opened.instanceKey,
    baseUrl: FROZEN_BASE_URL,
    displayName: "Frozen",
    redirectUris: [FROZEN_REDIRECT_URI],
    profile,
    now: () => now,
  });
  return {
    fetch: (url: string, init?: RequestInit) => service.fetch(new Request(url, init)),
    close: () => service.close(),
  };
}

type Fetch = Awaited<ReturnType<typeof openFrozenService>>["fetch"];

export function openFrozenClient(
  storage: SyncStorage,
  fetch: Fetch,
  now: number,
): Promise<SyncClient> {
  return createSyncClient(frozenClientOptions(storage, fetch, now));
}

/** The keys are files of the folder. */
export function openSealedClient(
  storage: SyncStorage,
  keyFolder: string,
  fetch: Fetch,
  now: number,
): Promise<EncryptedSyncClient> {
  const encryption = createEncryption({ keyStore: createFileKeyStore(keyFolder) });
  return createSyncClient({ ...frozenClientOptions(storage, fetch, now), encryption });
}

function frozenClientOptions(storage: SyncStorage, fetch: Fetch, now: number) {
  return {
    baseUrl: FROZEN_BASE_URL,
    redirectUri: FROZEN_REDIRECT_URI,
    storage,
    deviceName: "Frozen device",
    profile: "open",
    live: false,
    fetch,
    now: () => now,
    setTimer: NO_TIMER,
    tabs: null,
  } as const;
}

/** Everything that a client shows, by entity id. */
export function listShown(client: SyncClient): Record<string, unknown> {
  const shown = client.entities.list().map(({ entityId, payload }) => [entityId, payload] as const);
  return Object.fromEntries(shown.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Writes `client.db` and `indexed-db.json`; returns what the first device shows. */
export async function freezeClients(
  dataDir: string,
  folder: string,
  now: number,
): Promise<Record<string, unknown>> {
  const { fetch, close } = await openFrozenService(dataDir, `sqlite:${dataDir}/sync.db`, now);
  const desktop = createSqliteStorage(join(folder, "client.db"));
  const browser = createMemorySyncStorage();
  const clients: SyncClient[] = [];
  try {
    for (const storage of [desktop, browser]) {
      const client = await openFrozenClient(storage, fetch, now);
      clients.push(client);
      await signInFrozen(client, fetch);
      await fill(client, clients.length);
      await syncNow(client);
    }
    for (const client of clients) await syncNow(client);
    for (const client of clients) await client.collection("note").create({ text: "waits" });
    const [first] = clients;
    if (first === undefined) throw new Error("There is no client");
    const shown = listShown(first);
    const records = await browser.transaction("read", ({ list }) =>
      list({ from: "!", below: "~~", limit: 10_000 }),
    );
    const database: FrozenDatabase = { version: 1, objectStore: "records", records };
    await writeFile(join(folder, "indexed-db.json"), JSON.stringify(database, null, 1));
    return shown;
  } finally {
    for (const client of clients) await client.close();
    await close();
  }
}

export async function signInFrozen(client: SyncClient, fetch: Fetch): Promise<void> {
  const begun = await client.beginSignIn();
  if (begun.kind !== "begun") throw new Error(`The sign-in did not begin: ${begun.kind}`);
  const ask = (path: string, init?: RequestInit) => fetch(`${FROZEN_BASE_URL}${path}`, init);
  const address = await approveSignIn(begun.url, FROZEN_ACCOUNTS.sync, ask);
  const { kind } = await client.completeSignIn(address);
  if (kind !== "signed-in") throw new Error(`The sign-in ended with ${kind}`);
}

export async function fill(client: SyncClient, device: number): Promise<void> {
  const tasks = client.collection("task", {
    indexes: ["title"],
    kinds: { spent: "counter" },
  });
  for (const name of ["bread", "milk", "tea"]) {
    const id = `${name}-${device}`;
    await tasks.create({ title: name }, { id });
    await tasks.increment(id, "spent", device);
  }
  await tasks.patch(`milk-${device}`, { done: true });
  await tasks.remove(`tea-${device}`);
}

export async function syncNow(client: SyncClient): Promise<void> {
  const { kind } = await client.sync();
  if (kind !== "synced") throw new Error(`The client did not sync: ${kind}`);
}
