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
import { openKeyedSyncStore } from "../open-sync-store.ts";
import { readOwnerBackups } from "../owner-backups.ts";
import { createSyncService, type SyncNotice, type SyncService } from "../sync.ts";
import { isNewInstance, prepareInstance, type Instance } from "./instance.ts";

export interface OpenInstance extends Pick<SyncService, "http" | "endStreams" | "close"> {
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
  onNotice(notice: SyncNotice): void;
  onPutBack(findings: PutBackFindings): void;
  /** Gets the path of the copy that was made of a SQLite file before it is migrated. */
  onUpgradeCopy(file: string): void;
}

export async function openInstance(
  instance: Instance,
  options: OpenInstanceOptions,
): Promise<OpenInstance> {
  const { sync, dataDir } = instance;
  const { streamIdleTimeoutMs, onPutBack, onUpgradeCopy } = options;
  const isNew = isNewInstance(instance, options.createsFolder);
  if (isNew) await prepareInstance(instance, options.store);
  else if (!existsSync(dataDir)) {
    throw new MissingStoreError("sync", `The folder "${dataDir}" of the instance does not exist`);
  }
  const store = await openKeyedSyncStore(sync, dataDir, {
    access: isNew ? "create" : "change",
    onUpgradeCopy,
    streamIdleTimeoutMs,
    isSmall: true,
    onPutBack,
  });
  onPutBack(store);
  const { http, endStreams, close } = createSyncService({
    ...sync,
    quota: toQuota(sync.quota, store),
    store,
    instanceKey: store.instanceKey,
    pushReaders: options.pushReaders,
    readBackups: () => readOwnerBackups(dataDir),
    trustedProxies: options.trustedProxies,
    ...(options.log !== undefined && { log: options.log }),
    onNotice: options.onNotice,
  });
  const administration = createAdministration(store, store.instanceKey);
  return { http, endStreams, close, administration, store };
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
