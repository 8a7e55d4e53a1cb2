/** Opens an instance: its service, its administration, and the usage that is written down while it is open. */
import { existsSync } from "node:fs";
import { createAdministration, type Administration } from "../sync/maintenance/administration.ts";
import type { SqlSyncStore } from "../sync/sql/open-sql-store.ts";
import { MissingStoreError, type OpenOptions } from "../database/open-store.ts";
import { sqlitePath } from "../database/sqlite-path.ts";
import type { StoreAccess } from "../database/store-kind.ts";
import { openServiceStore } from "../identity/open-service-store.ts";
import type { Keyed } from "../identity/bind-instance-key.ts";
import { SYNC_STORE } from "../sync/sql/open-store.ts";
import { openSyncService } from "./open-sync-service.ts";
import type { SyncService } from "../sync/service.ts";
import type { HostDependencies } from "./host-dependencies.ts";
import type { HostNotice } from "./host-notice.ts";
import type { InstanceUsage } from "./instance-usage.ts";
import { isNewInstance, type Instance } from "../configuration/instance.ts";
import { prepareInstance } from "./instance-rows.ts";
import { createUsageWriter, type UsageWriter } from "./usage-writer.ts";

export interface OpenInstance extends Pick<SyncService, "http" | "endStreams" | "close"> {
  readUsage(): Promise<InstanceUsage>;
  readonly administration: Administration;
  readonly store: SqlSyncStore;
}

/** `onUsage` is called when the instance is closed, with what is known of it until it is opened again. */
export async function openInstance(
  instance: Instance,
  host: HostDependencies,
  onUsage: (usage: InstanceUsage) => void,
): Promise<OpenInstance> {
  const { name, sync, dataDir } = instance;
  const access = await prepareOpening(instance, host);
  let usage: UsageWriter | undefined = undefined;
  const { store, service, offsets, countBytes, close } = await openSyncService(sync, dataDir, {
    instance: name,
    access,
    trustedProxies: host.trustedProxies,
    streamIdleTimeoutMs: host.streamIdleTimeoutMs,
    pushReaders: host.pushReaders,
    log: host.log(name),
    observers: host.observers,
    onNotice(notice) {
      // Other processes, in which the instance is closed, know by its usage that the account is gone.
      if (isDeletion(notice)) usage?.refresh();
      host.notices.notify(name, notice);
    },
  });
  usage = createUsageWriter({
    dataDir,
    database: store.database,
    profile: sync.profile,
    countBytes,
    flushOffsets: async () => offsets?.flush(),
    onClosed: onUsage,
  });
  return {
    http: service.http,
    endStreams: service.endStreams,
    readUsage: usage.read,
    administration: createAdministration(store, store.instanceKey),
    store,
    async close() {
      await usage.close();
      await close();
    },
  };
}

/** In a database an instance is what its registry says, whatever this machine has of it. */
async function prepareOpening(
  instance: Instance,
  { store, createsFolders }: HostDependencies,
): Promise<StoreAccess> {
  if (sqlitePath(store) === undefined) {
    if (createsFolders) await prepareInstance(instance, store);
    return "create";
  }
  if (isNewInstance(instance, createsFolders)) return "create";
  const { dataDir } = instance;
  if (existsSync(dataDir)) return "change";
  throw new MissingStoreError("sync", `The folder "${dataDir}" of the instance does not exist`);
}

function isDeletion(notice: HostNotice): boolean {
  return notice.kind === "security-event" && notice.event.kind === "everything-deleted";
}

/** Opens the store without its service, as commands and backups do. */
export function openInstanceStore(
  { sync, dataDir }: Instance,
  options: Pick<OpenOptions, "access" | "onNotice">,
): Promise<Keyed<SqlSyncStore>> {
  return openServiceStore(SYNC_STORE, sync, dataDir, { ...options, database: { isSmall: true } });
}
