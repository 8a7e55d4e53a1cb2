/** Devices with and without encryption, on SQLite, that do the same. */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { createEncryption, createMemoryKeyStore } from "../../src/client/encryption/index.ts";
import type { EncryptedSyncClient } from "../../src/client/index.ts";
import { createSqliteStorage } from "../../src/client/node/index.ts";
import { startClock } from "../clock.ts";
import { createFolder } from "../create-folder.ts";
import type { Slice } from "../measure.ts";
import { handleOrders } from "../processes.ts";
import { signInOnPage } from "../sync/sync-server.ts";
import { makeEdits } from "../client/edits.ts";
import { createEntries } from "../client/entries.ts";
import { openClient, signInWith, syncFirst } from "../client/open-client.ts";

export interface DeviceOrder {
  /** An upload is that of the account's first device; a first sync pulls what it has uploaded. */
  readonly kind: "upload" | "first-sync" | "edits";
  readonly port: number;
  readonly count: number;
  /** Null without encryption; empty for the device that makes the key. */
  readonly recoveryKey: string | null;
}

export interface DeviceResult extends Slice {
  readonly recoveryKey: string | null;
  /** The bytes of all pages that were pulled. */
  readonly pulledBytes: number;
  /** The bytes of the device's file after the client was closed. */
  readonly deviceBytes: number;
}

handleOrders(async ({ kind, port, count, recoveryKey }: DeviceOrder): Promise<DeviceResult> => {
  await using folder = await createFolder();
  const file = join(folder.path, "device.db");
  const storage = createSqliteStorage(file);
  let pulledBytes = 0;
  const countingFetch = async (url: string, init: RequestInit) => {
    const response = await fetch(url, init);
    if (url.includes("/v1/pull")) {
      pulledBytes += Number(response.headers.get("Content-Length"));
    }
    return response;
  };
  const isSealed = recoveryKey !== null;
  const encryption = createEncryption({ keyStore: createMemoryKeyStore() });
  const options = { fetch: countingFetch, ...(isSealed && { encryption }) };
  const client = await openClient(storage, port, options);
  await signInWith(client, signInOnPage);
  const key = isSealed ? await unlock(client as EncryptedSyncClient, recoveryKey) : null;
  const stop = startClock();
  if (kind === "edits") await makeEdits(client, count, false);
  else if (kind === "upload") await createEntries(client, count);
  else await syncFirst(client, count);
  const slice = { count, ...stop() };
  if (kind === "upload") await client.sync();
  await client.close();
  const { size: deviceBytes } = await stat(file);
  return { ...slice, recoveryKey: key, pulledBytes, deviceBytes };
});

/** Makes the key, or enters it; returns it. */
async function unlock({ encryption }: EncryptedSyncClient, recoveryKey: string): Promise<string> {
  const result =
    recoveryKey === "" ? await encryption.createKey() : await encryption.useKey(recoveryKey);
  if (result.kind === "created") return result.recoveryKey;
  if (result.kind === "unlocked") return recoveryKey;
  throw new Error(`There is no key: ${JSON.stringify(result)}`);
}
