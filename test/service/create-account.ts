/** The account of a configured service, as `trellis SERVICE account create` writes it. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { loadConfiguration } from "../../src/configuration/configuration.ts";
import { openKeyedEventsStore } from "../../src/events/open-store.ts";
import { openKeyedSyncStore } from "../../src/sync/open-store.ts";
import { addEventsAccount } from "../events/add-account.ts";
import type { TestAccount } from "../fixtures/password-keys.ts";
import { addSyncAccount } from "../sync/add-account.ts";

/** `folder` holds a trellis.config.json. */
export async function createAccount(
  folder: string,
  service: "sync" | "events",
  account: TestAccount,
): Promise<void> {
  const path = join(folder, "trellis.config.json");
  const { sync, events, dataDir } = await loadConfiguration({ path, isRequired: true, env: {} });
  if (service === "sync") {
    assert.ok(sync !== undefined);
    const store = await openKeyedSyncStore(sync, dataDir);
    await addSyncAccount(store, store.instanceKey, account);
    await store.close();
  } else {
    assert.ok(events !== undefined);
    const store = await openKeyedEventsStore(events, dataDir);
    assert.ok((await addEventsAccount(store, store.instanceKey, account)) !== null);
    await store.close();
  }
}
