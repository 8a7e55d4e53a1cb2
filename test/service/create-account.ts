/** The account of a configured service, as `trellis SERVICE account create` writes it. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { openServiceStore } from "../../src/identity/open-service-store.ts";
import { loadConfiguration } from "../../src/configuration/configuration.ts";
import { EVENTS_STORE } from "../../src/events/sql/open-store.ts";
import { SYNC_STORE } from "../../src/sync/sql/open-store.ts";
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
    const store = await openServiceStore(SYNC_STORE, sync, dataDir);
    await addSyncAccount(store, store.instanceKey, account);
    await store.close();
  } else {
    assert.ok(events !== undefined);
    const store = await openServiceStore(EVENTS_STORE, events, dataDir);
    assert.ok((await addEventsAccount(store, store.instanceKey, account)) !== null);
    await store.close();
  }
}
