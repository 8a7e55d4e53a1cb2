/** Opens an instance: its store with its key, and the service on them. */
import { existsSync } from "node:fs";
import { readUsedBytes } from "../../database/disk-space.ts";
import type { RequestLines, RequestLog } from "../../http/request-log.ts";
import { createAdministration, type Administration } from "../../sync/administration.ts";
import type { PushReaders } from "../../sync/push-readers.ts";
import type { SyncQuota } from "../../sync/quota.ts";
import type { SqlSyncStore } from "../../sync/sql/open-sql-store.ts";
import type { PutBackFindings } from "../../sync/sql/put-back-watch.ts";
import type { SyncConfiguration } from "../configuration-schema.ts";
import { MissingStoreError } from "../leased-store.ts";
import { openKeyedSyncStore } from "../stored-sync.ts";
import { readOwnerBackups } from "../owner-backups.ts";
import type { ServiceObservers } from "../service-observers.ts";
import { createSyncService, type SyncNotice, type SyncService } from "../sync.ts";
import type { InstanceFigures } from "./instance-figures.ts";
import { isNewInstance, prepareInstance, type Instance } from "./instance.ts";
import { keepFigures } from "./keep-figures.ts";

export interface OpenInstance extends Pick<SyncService, "http" | "endStreams" | "close"> {
  /** Of this moment. */
  readFigures(): Promise<InstanceFigures>;
  readonly administration: Administration;
  readonly store: SqlSyncStore;
}

export interface OpenInstanceOptions {
  /** The store of the server, without a schema. */
  readonly store: string;
  readonly createsFolder: boolean;
  readonly trustedProxies: readonly string[];
  readonly streamIdleTimeoutMs: number;
  readonly pushReaders: PushReaders;
  readonly log: RequestLog | RequestLines | undefined;
  readonly observers: ServiceObservers | undefined;
  onNotice(notice: SyncNotice): void;
  onPutBack(findings: PutBackFindings): void;
  /** Gets the path of the copy that was made of a SQLite file before it is migrated. */
  onUpgradeCopy(file: string): void;
  /** What is known of the instance until it is opened again. */
  onFigures(figures: InstanceFigures): void;
}

export async function openInstance(
  instance: Instance,
  options: OpenInstanceOptions,
): Promise<OpenInstance> {
  const { name, sync, dataDir } = instance;
  const { streamIdleTimeoutMs, onPutBack, onUpgradeCopy, observers } = options;
  const isNew = isNewInstance(instance, options.createsFolder);
  if (isNew) await prepareInstance(instance, options.store);
  else if (!existsSync(dataDir)) {
    throw new MissingStoreError("sync", `The folder "${dataDir}" of the instance does not exist`);
  }
  const meter = observers?.sync(name);
  const store = await openKeyedSyncStore(sync, dataDir, {
    access: isNew ? "create" : "change",
    onUpgradeCopy,
    streamIdleTimeoutMs,
    isSmall: true,
    onPutBack,
    onAppendGroup: meter?.appendGroup,
    observer: observers?.database("sync", name),
  });
  onPutBack(store);
  const { database } = store;
  const offsets = meter?.watch({ database, address: sync.store, dataDir });
  const figures = keepFigures({
    dataDir,
    database,
    flushOffsets: async () => offsets?.flush(),
    onClosed: options.onFigures,
  });
  const service = createSyncService({
    ...sync,
    quota: toQuota(sync.quota, store),
    store,
    instanceKey: store.instanceKey,
    pushReaders: options.pushReaders,
    readBackups: () => readOwnerBackups(dataDir, name),
    trustedProxies: options.trustedProxies,
    ...(options.log !== undefined && { log: options.log }),
    ...(observers &&
      meter && { observer: { ...observers.requests("sync", { name, meter }), ...meter } }),
    onNotice: options.onNotice,
  });
  const administration = createAdministration(store, store.instanceKey);
  return {
    http: service.http,
    endStreams: service.endStreams,
    readFigures: figures.read,
    administration,
    store,
    async close() {
      await offsets?.close();
      await figures.close();
      await service.close();
      meter?.close();
    },
  };
}

export function toQuota(
  { bytes, devices }: SyncConfiguration["quota"],
  { database }: Pick<SqlSyncStore, "database">,
): SyncQuota {
  return {
    ...(devices !== undefined && { devices }),
    ...(bytes !== undefined && {
      storage: { maxBytes: bytes, usedBytes: () => readUsedBytes(database) },
    }),
  };
}
