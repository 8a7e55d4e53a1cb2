/** Opens an instance: its service, its administration, and the usage that is written down while it is open. */
import { existsSync } from "node:fs";
import { createAdministration, type Administration } from "../sync/administration.ts";
import type { SqlSyncStore } from "../sync/sql/open-sql-store.ts";
import { MissingStoreError } from "../backup/leased-store.ts";
import { openSyncService, type OpenSyncSettings } from "./open-sync-service.ts";
import type { SyncService } from "../sync/service.ts";
import type { InstanceUsage } from "./instance-usage.ts";
import { isNewInstance, type Instance } from "../configuration/instance.ts";
import { prepareInstance } from "./instance-schema.ts";
import { createUsageWriter } from "./usage-writer.ts";

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
  const isNew = isNewInstance(instance, options.createsFolder);
  if (isNew) await prepareInstance(instance, options.store);
  else if (!existsSync(dataDir)) {
    throw new MissingStoreError("sync", `The folder "${dataDir}" of the instance does not exist`);
  }
  const { store, service, offsets, close } = await openSyncService(sync, dataDir, {
    ...options,
    instance: name,
    access: isNew ? "create" : "change",
    isSmall: true,
  });
  const usage = createUsageWriter({
    dataDir,
    database: store.database,
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
