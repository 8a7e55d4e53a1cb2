/** The sync service behind a real listener, with one account. */
import { randomBytes } from "node:crypto";
import { createInstanceKey } from "../../src/identity/instance-key.ts";
import { openSyncStore } from "../../src/sync/sql/open-store.ts";
import { createSyncService } from "../../src/sync/service.ts";
import type { SyncServiceOptions } from "../../src/sync/setup/options.ts";
import { createAdministration } from "../../src/sync/maintenance/administration.ts";
import { createStorePlaces } from "../database/on-both-stores.ts";
import { serveService, type Cleanup } from "../fixtures/listen-on-localhost.ts";
import type { TestAccount } from "../fixtures/password-keys.ts";
import { addSyncAccount } from "./add-account.ts";

const { createPlace } = createStorePlaces(openSyncStore);

export type ServedSyncOptions = Pick<SyncServiceOptions, "displayName" | "redirectUris"> &
  Partial<SyncServiceOptions>;

export async function serveSync(t: Cleanup, account: TestAccount, options: ServedSyncOptions) {
  const place = await createPlace(t, "SQLite");
  const store = await place.open();
  const instanceKey = createInstanceKey(randomBytes(32));
  await addSyncAccount(store, instanceKey, account);
  const { baseUrl, service } = await serveService(
    t,
    (baseUrl) => createSyncService({ ...options, store, instanceKey, baseUrl }),
    ({ http }) => http,
  );
  t.after(() => service.endStreams());
  return { baseUrl, administration: createAdministration(store, instanceKey, Date.now) };
}
