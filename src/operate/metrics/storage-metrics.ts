/** The stores of services, the disks that they are on, and their backups. */
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import type { Database } from "../../database/database.ts";
import { readDatabaseBytes } from "../../database/disk-space.ts";
import { sqlitePath } from "../../database/sqlite-path.ts";
import type { StoreOwner } from "../../database/store-kind.ts";
import { SECURITY_EVENT_KINDS } from "../../identity/security-event.ts";
import { listSqlSecurityCounts } from "../../identity/sql-identity-records.ts";
import { newestBackupAt, readBackupState, type BackupState } from "../../backup/backup-state.ts";
import type { CollectedMetrics } from "./collectors.ts";
import type { Counter, MetricFamily, Metrics } from "./metrics.ts";

export interface WatchedStore {
  readonly database: Database;
  /** `sqlite:PATH` or a `postgres://` address. */
  readonly address: string;
  /** The data folder, which has the last backup of the service. */
  readonly dataDir: string;
}

export interface StorageMetrics {
  watchStore(service: StoreOwner, store: WatchedStore): void;
  watchFolder(name: string, folder: string): void;
  /** `instance` is the name of a sync instance; empty for the only one. */
  setBytes(service: StoreOwner, instance: string, bytes: number): void;
  setBackups(service: StoreOwner, instance: string, state: BackupState): void;
}

export function createStorageMetrics(collected: CollectedMetrics): StorageMetrics {
  const { metrics, addCollector } = collected;
  const stored = ["service", "instance"];
  const bytes = metrics.gauge(
    "trellis_store_bytes",
    "Size of the database; on PostgreSQL of the whole one, or of what the rows of a sync instance take",
    stored,
  );
  const watchFolder = createDiskWatch(collected);
  const securityEvents = addSecurityEvents(metrics);
  const setBackups = createBackupGauges(collected, stored);
  const setBytes: StorageMetrics["setBytes"] = (service, instance, size) =>
    bytes.with(service, instance).set(size);
  return {
    watchStore(service, { database, address, dataDir }) {
      addCollector(`${service}-store`, async () => {
        setBytes(service, "", await readDatabaseBytes(database));
        const counts = await listSqlSecurityCounts(database, service);
        const totals = new Map(counts.map(({ kind, total }) => [kind, total]));
        // A counter must exist before its first event, or the increase would not be seen.
        for (const kind of SECURITY_EVENT_KINDS) {
          securityEvents.with(service, kind).set(totals.get(kind) ?? 0);
        }
      });
      addCollector(`${service}-backup`, async () => {
        setBackups(service, "", await readBackupState(dataDir, service));
      });
      const file = sqlitePath(address);
      if (file !== undefined) watchFolder(service, dirname(file));
    },
    watchFolder,
    setBytes,
    setBackups,
  };
}

function createDiskWatch({
  metrics,
  addCollector,
}: CollectedMetrics): StorageMetrics["watchFolder"] {
  const free = metrics.gauge(
    "trellis_disk_free_bytes",
    "Space that is free on the disk of the data folder, or of a SQLite store",
    ["folder"],
  );
  const size = metrics.gauge("trellis_disk_size_bytes", "Size of that disk", ["folder"]);
  return (name, folder) =>
    addCollector(`${name}-disk`, async () => {
      const { bavail, blocks, bsize } = await statfs(folder);
      free.with(name).set(bavail * bsize);
      size.with(name).set(blocks * bsize);
    });
}

/** The counter of security events by service and kind. */
export function addSecurityEvents(metrics: Metrics): MetricFamily<Counter> {
  return metrics.counter(
    "trellis_security_events_total",
    "Security events that the store has counted; of several sync instances, since the start",
    ["service", "kind"],
  );
}

function createBackupGauges(
  { metrics, now }: CollectedMetrics,
  labels: readonly string[],
): StorageMetrics["setBackups"] {
  const age = metrics.gauge(
    "trellis_backup_age_seconds",
    "Age of the last backup that its destination holds; missing when there is none, negative when a clock that was ahead dated it",
    labels,
  );
  const failing = metrics.gauge(
    "trellis_backup_failing_since_seconds",
    "For how long scheduled backups have failed; 0 while none fails",
    labels,
  );
  return (service, instance, state) => {
    const at = now();
    const newest = newestBackupAt(state, at);
    if (newest !== null) age.with(service, instance).set((at - newest) / 1000);
    const failingMs = state.failure === null ? 0 : at - Date.parse(state.failure.since);
    failing.with(service, instance).set(Math.max(0, failingMs) / 1000);
  };
}
