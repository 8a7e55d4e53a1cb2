/** Opens the store of a sync service with its key, and the service on them: the only one, or one of several. */
import { createByteCounter } from "../sync/sql/stored-bytes.ts";
import type { PushReaders } from "../sync/log/push-reader.ts";
import type { SyncQuota } from "../sync/log/quota.ts";
import type { PulledOffsets } from "../sync/sql/pulled-offsets.ts";
import type { SqlSyncStore } from "../sync/sql/open-sql-store.ts";
import { isOfTime, newestBackupAt, readBackupState } from "../backup/backup-state.ts";
import type { SyncServiceSettings } from "../configuration/configuration-schema.ts";
import { openServiceStore } from "../identity/open-service-store.ts";
import type { Keyed } from "../identity/bind-instance-key.ts";
import type { StoreNotice } from "../database/open-store.ts";
import type { StoreAccess } from "../database/store-kind.ts";
import type { ServiceObservers } from "../operate/service-observers.ts";
import { SYNC_STORE } from "../sync/sql/open-store.ts";
import { createSyncService, type SyncService } from "../sync/service.ts";
import type { SyncNotice, SyncServiceOptions } from "../sync/setup/options.ts";

export interface OpenSyncSettings {
  /** How the store is opened; by default one that does not exist is made. */
  readonly access?: StoreAccess;
  /** The name of the instance when there are several. */
  readonly instance?: string;
  readonly allowLoopbackApps?: boolean;
  readonly trustedProxies: readonly string[];
  /** How long a snapshot may wait for its client: a snapshot that no client reads ends with its response. */
  readonly streamIdleTimeoutMs: number;
  readonly pushReaders?: PushReaders;
  readonly log: SyncServiceOptions["log"] | undefined;
  readonly observers: ServiceObservers | undefined;
  onNotice(notice: SyncNotice | StoreNotice): void;
}

export interface OpenSyncService {
  readonly store: Keyed<SqlSyncStore>;
  readonly service: SyncService;
  /** What devices have pulled, while metrics are kept. */
  readonly offsets: Pick<PulledOffsets, "flush"> | undefined;
  /** Says what the store uses. */
  countBytes(): Promise<number>;
  close(): Promise<void>;
}

export async function openSyncService(
  sync: SyncServiceSettings,
  dataDir: string,
  settings: OpenSyncSettings,
): Promise<OpenSyncService> {
  const { instance, pushReaders, log, observers, onNotice } = settings;
  const meter = observers?.sync(instance ?? "");
  const store = await openServiceStore(SYNC_STORE, sync, dataDir, {
    access: settings.access ?? "create",
    database: {
      isSmall: instance !== undefined,
      streamIdleTimeoutMs: settings.streamIdleTimeoutMs,
      observer: observers?.database("sync", instance),
    },
    settings: { onAppendGroup: meter?.appendGroup, profile: sync.profile },
    onNotice,
  });
  const { database } = store;
  const countBytes = createByteCounter(database, sync.quota.bytes);
  const offsets = meter?.watch({ database, address: sync.store, dataDir });
  const observed = instance !== undefined && meter ? { name: instance, meter } : undefined;
  const service = createSyncService({
    ...sync,
    quota: toQuota(sync.quota, countBytes),
    store,
    instanceKey: store.instanceKey,
    readBackups: () => readOwnerBackups(dataDir, instance, sync.backup),
    trustedProxies: settings.trustedProxies,
    allowLoopbackApps: settings.allowLoopbackApps ?? false,
    ...(pushReaders !== undefined && { pushReaders }),
    ...(log !== undefined && { log }),
    ...(observers && meter && { observer: { ...observers.requests("sync", observed), ...meter } }),
    onNotice,
  });
  return {
    store,
    service,
    offsets,
    countBytes,
    async close() {
      await offsets?.close();
      await service.close();
      meter?.close();
    },
  };
}

function toQuota(
  { bytes, devices }: SyncServiceSettings["quota"],
  usedBytes: () => Promise<number>,
): SyncQuota {
  return {
    ...(devices !== undefined && { devices }),
    ...(bytes !== undefined && { storage: { maxBytes: bytes, usedBytes } }),
  };
}

async function readOwnerBackups(
  dataDir: string,
  instance: string | undefined,
  backup: SyncServiceSettings["backup"],
) {
  const state = await readBackupState(dataDir, "sync");
  const { last, failure } = state;
  const createdAt = newestBackupAt(state, Date.now());
  const isLast = last !== null && createdAt !== null && isOfTime(last, createdAt);
  return {
    last: createdAt === null ? null : { createdAt, bytes: isLast ? last.bytes : null },
    failingSince: failure === null ? null : Date.parse(failure.since),
    ...(backup !== undefined && { every: backup.every }),
    isShared: instance !== undefined,
  };
}
