/** The sync service as the configuration describes it. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { LineWriter } from "../http/request-log.ts";
import { openInstanceKey } from "../identity/instance-key.ts";
import type { Configuration } from "./configuration-schema.ts";
import type { SyncConfiguration } from "./configuration-schema.ts";
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
      message: "The store is older than it was: a new generation begins, and devices start anew",
    });
  }
  const service = createSyncService({
    ...settings,
    store,
    instanceKey,
    trustedProxies,
    log: log.log,
    onNotice: (notice) => log.event(...describeNotice("sync", notice)),
  });
  keepHeapSmall();
  return { origins: [{ name: "sync", http: service.http, at }], close: service.close };
}

/**
 * Pushes that wait for their commit survive young collections, so the old generation fills with what
 * is garbage a moment later. By default it may double or more before it is collected; on a small
 * machine the memory is worth more than the processor time. A collection sets the limit for the next
 * one, and by itself the first would come late, when the heap is three times as large: so it is made
 * now.
 */
function keepHeapSmall(): void {
  setFlagsFromString("--heap-growing-percent=50");
  // Of threads: the flag of the command line, which made the nursery of this one, would stand above
  // what a thread asks for itself.
  setFlagsFromString("--max-semi-space-size=1");
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
}
