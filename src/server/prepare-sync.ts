import type { LineWriter } from "../http/line-writer.ts";
import { openInstanceKey } from "../identity/instance-key.ts";
import type { Configuration, SyncConfiguration } from "./configuration-schema.ts";
import { describeNotice } from "./notices.ts";
import { openSyncStore } from "./open-sync-store.ts";
import type { ReadyService } from "./start.ts";
import { createSyncService } from "./sync.ts";

export async function prepareSync(
  { listen: at, store: address, instanceKeyFile, ...settings }: SyncConfiguration,
  { dataDir, trustedProxies }: Configuration,
  log: LineWriter,
): Promise<ReadyService> {
  const instanceKey = openInstanceKey(instanceKeyFile);
  const store = await openSyncStore(address, dataDir);
  if (store.wasRestored) {
    log.event("new_generation", {
      service: "sync",
      message:
        "The store is older than its high-water mark: a new generation begins, and devices start anew",
    });
  }
  const service = createSyncService({
    ...settings,
    store,
    instanceKey,
    trustedProxies,
    log,
    onNotice: (notice) => log.event(...describeNotice("sync", notice)),
  });
  return { origins: [{ name: "sync", http: service.http, at }], close: service.close };
}
