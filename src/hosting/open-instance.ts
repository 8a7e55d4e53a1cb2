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
import { openSyncService, type OpenSyncSettings } from "./open-sync-service.ts";
import type { SyncService } from "../sync/service.ts";
import type { InstanceUsage } from "./instance-usage.ts";
import { isNewInstance, type Instance } from "../configuration/instance.ts";
import { prepareInstance } from "./instance-rows.ts";
import { createUsageWriter, type UsageWriter } from "./usage-writer.ts";

export interface OpenInstance extends Pick<SyncService, "http" | "endStreams" | "close"> {
  readUsage(): Promise<InstanceUsage>;
  readonly administration: Administration;
  readonly store: SqlSyncStore;
}

export interface OpenInstanceOptions extends OpenSyncSettings {
  /** The store of the server, without a schema. */
  readonly store: string;
  readonly createsFolder: boolean;
  /** Called when the instance is closed, with what is known of it until it is opened again. */
  onUsage(usage: InstanceUsage): void;
}

export async function openInstance(
  instance: Instance,
  options: OpenInstanceOptions,
): Promise<OpenInstance> {
  const { name, sync, dataDir } = instance;
  const access = await prepareOpening(instance, options);
  let usage: UsageWriter | undefined = undefined;
  const { store, service, offsets, countBytes, close } = await openSyncService(sync, dataDir, {
    ...options,
    instance: name,
    access,
    onNotice(notice) {
      // Other processes, in which the instance is closed, know by its usage that the account is gone.
      if (isDeletion(notice)) usage?.refresh();
      options.onNotice(notice);
    },
  });
  usage = createUsageWriter({
    dataDir,
    database: store.database,
    profile: sync.profile,
    countBytes,
    flushOffsets: async () => offsets?.flush(),
    onClosed: options.onUsage,
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
  { store, createsFolder }: OpenInstanceOptions,
): Promise<StoreAccess> {
  if (sqlitePath(store) === undefined) {
    if (createsFolder) await prepareInstance(instance, store);
    return "create";
  }
  if (isNewInstance(instance, createsFolder)) return "create";
  const { dataDir } = instance;
  if (existsSync(dataDir)) return "change";
  throw new MissingStoreError("sync", `The folder "${dataDir}" of the instance does not exist`);
}

function isDeletion(notice: Parameters<OpenInstanceOptions["onNotice"]>[0]): boolean {
  return notice.kind === "security-event" && notice.event.kind === "everything-deleted";
}

/** Opens the store without its service, as commands and backups do. */
export function openInstanceStore(
  { sync, dataDir }: Instance,
  options: Pick<OpenOptions, "access" | "onNotice">,
): Promise<Keyed<SqlSyncStore>> {
  return openServiceStore(SYNC_STORE, sync, dataDir, { ...options, database: { isSmall: true } });
}
