import { randomBytes } from "node:crypto";
import { createInstanceKey } from "../../src/identity/instance-key.ts";
import { createSyncService } from "../../src/sync/service.ts";
import { serveService } from "../fixtures/listen-on-localhost.ts";
import { addSyncAccount } from "../sync/add-account.ts";
import { createPlace } from "../sync/operations/on-both-stores.ts";
import { ANNA, REDIRECT_URI } from "../sync/service/sync-service.ts";

export type Context = Parameters<typeof createPlace>[0];

/** A sync service of Anna's, with its owner's page. */
export async function serveOwner(t: Context, now: () => number = Date.now) {
  const store = await (await createPlace(t, "SQLite")).open();
  const instanceKey = createInstanceKey(randomBytes(32));
  await addSyncAccount(store, instanceKey, ANNA);
  const { baseUrl, service } = await serveService(
    t,
    (address) =>
      createSyncService({
        store,
        instanceKey,
        baseUrl: address,
        displayName: "Annas Notizen",
        redirectUris: [REDIRECT_URI],
        now,
      }),
    ({ http }) => http,
  );
  t.after(() => service.close());
  return { baseUrl, store, instanceKey };
}
