import type { LineWriter } from "../http/line-writer.ts";
import { openInstanceKey } from "../identity/instance-key.ts";
import type { Configuration, SyncConfiguration } from "./configuration-schema.ts";
import { describeNotice, describeSecurityEvent } from "./notices.ts";
import { openSyncStore } from "./open-sync-store.ts";
import type { ReadyService } from "./start.ts";
import { describeStore } from "./service-store.ts";
import { createSyncService } from "./sync.ts";

export async function prepareSync(
  { listen: at, store: address, instanceKeyFile, ...settings }: SyncConfiguration,
  { dataDir, trustedProxies }: Configuration,
  log: LineWriter,
): Promise<ReadyService> {
  const instanceKey = openInstanceKey(instanceKeyFile);
  const store = await openSyncStore(address, dataDir);
  if (store.wasRestored) {
    log.event(...describeSecurityEvent("sync", { kind: "store-restored", network: null }));
  }
  const described = await describeStore(store);
  const service = createSyncService({
    ...settings,
    store,
    instanceKey,
    trustedProxies,
    log,
    onNotice: (notice) => log.event(...describeNotice("sync", notice)),
  });
  return {
    name: "sync",
    store: described,
    origins: [{ name: "sync", http: service.http, at }],
    close: service.close,
  };
}
