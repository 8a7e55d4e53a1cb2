/**
 * What all processes of a server share: stores, disks, backups, the catalogue. The process that a monitor
 * happens to ask reads it, so it is not summed over processes.
 */
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Database } from "../../database/database.ts";
import { readDatabaseBytes } from "../../database/disk-space.ts";
import { sqlitePath } from "../../database/sqlite-path.ts";
import { readFeedHealth } from "../../events/maintenance/read-status.ts";
import { SECURITY_EVENT_KINDS } from "../../identity/security-event.ts";
import { listSqlSecurityCounts } from "../../identity/sql-identity-records.ts";
import { readDeviceLags, type PulledOffsets } from "../../sync/sql/pulled-offsets.ts";
import { newestBackupAt, readBackupState, type BackupState } from "../../backup/backup-state.ts";
import type { StoreOwner } from "../../backup/store-description.ts";
import { createCollectors } from "./collectors.ts";
import { LAG_STEPS, summarizeLags, type DeviceLags } from "./device-lags.ts";
import {
  createMetrics,
  type Counter,
  type MetricFamily,
  type Metrics,
  type MetricSnapshot,
} from "./metrics.ts";

export interface WatchedStore {
  readonly database: Database;
  /** `sqlite:PATH` or a `postgres://` address. */
  readonly address: string;
  /** The data folder, which has the last backup of the service. */
  readonly dataDir: string;
}

export interface SharedMetrics {
  watchDisk(dataDir: string): void;
  watchSync(store: WatchedStore, pulled: PulledOffsets): void;
  /** Watches all instances of a server with several, which are known without opening their stores. */
  watchInstances(read: () => Promise<readonly WatchedInstance[]>): void;
  watchEvents(store: WatchedStore): void;
  watchRelease(catalogue: WatchedCatalogue): void;
  snapshot(): Promise<MetricSnapshot[]>;
}

/** An instance of a server with several, as far as it is known without opening it. */
export interface WatchedInstance {
  readonly name: string;
  readonly isSuspended: boolean;
  /** The backups of the instance; null before they were read. */
  readonly backups: BackupState | null;
  /** The usage of the instance; null before its first use. */
  readonly usage: { readonly bytes: number; readonly lags: DeviceLags } | null;
}

export interface WatchedCatalogue {
  /** The expiry of the manifest in milliseconds since 1970; null without a manifest. */
  manifestExpiresAt(): number | null;
  /** Whether the catalogue in the folder is served: an invalid one is not. */
  isCurrent(): boolean;
}

export function createSharedMetrics(now: () => number): SharedMetrics {
  const metrics = createMetrics();
  const stored = ["service", "instance"];
  const bytes = metrics.gauge(
    "trellis_store_bytes",
    "Size of the database; on PostgreSQL of the whole one, or of the schema of a sync instance",
    stored,
  );
  const diskFree = metrics.gauge(
    "trellis_disk_free_bytes",
    "Space that is free on the disk of the data folder, or of a SQLite store",
    ["folder"],
  );
  const diskSize = metrics.gauge("trellis_disk_size_bytes", "Size of that disk", ["folder"]);
  const securityEvents = addSecurityEvents(metrics);
  const backupAge = metrics.gauge(
    "trellis_backup_age_seconds",
    "Age of the last backup that its destination holds; missing when there is none, negative when a clock that was ahead dated it",
    stored,
  );
  const backupFailing = metrics.gauge(
    "trellis_backup_failing_since_seconds",
    "For how long scheduled backups have failed; 0 while none fails",
    stored,
  );
  const devices = metrics.gauge(
    "trellis_sync_devices",
    "Signed-in devices that have pulled while metrics were kept",
    ["instance"],
  );
  const lag = metrics.gauge(
    "trellis_sync_device_lag_operations",
    "How many operations the last pull of the device that is furthest behind is behind the head",
    ["instance"],
  );
  const behind = metrics.gauge(
    "trellis_sync_devices_behind",
    "Devices, of all instances, whose last pull is so many operations behind the head, or more",
    ["operations"],
  );
  const instances = metrics.gauge(
    "trellis_sync_instances",
    "Instances of a server with several: those that are served, and suspended ones",
    ["state"],
  );
  const feeds = metrics.gauge("trellis_events_subscriptions", "Subscriptions by their state", [
    "state",
  ]);
  const overdueFeeds = metrics.gauge(
    "trellis_events_subscriptions_overdue",
    "Subscriptions whose fetch is due for ten minutes: no process fetches them",
  );
  const manifestExpiry = metrics.gauge(
    "trellis_release_manifest_expires_in_seconds",
    "Time until the manifest expires, negative from then on; missing without a manifest",
  );
  const catalogueCurrent = metrics.gauge(
    "trellis_release_catalogue_current",
    "1 when the catalogue folder is served, 0 when it is invalid and an earlier state is served",
  );
  const addCollector = createCollectors(metrics);

  function watchStore(service: StoreOwner, { database, address, dataDir }: WatchedStore) {
    addCollector(`${service}-store`, async () => {
      bytes.with(service, "").set(await readDatabaseBytes(database));
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
  }

  function setBackups(service: StoreOwner, instance: string, state: BackupState): void {
    const at = now();
    const newest = newestBackupAt(state, at);
    if (newest !== null) backupAge.with(service, instance).set((at - newest) / 1000);
    const failingMs = state.failure === null ? 0 : at - Date.parse(state.failure.since);
    backupFailing.with(service, instance).set(Math.max(0, failingMs) / 1000);
  }

  function setLags(instance: string, lags: DeviceLags): void {
    devices.with(instance).set(lags.devices);
    lag.with(instance).set(lags.furthest);
  }

  function watchFolder(name: string, folder: string): void {
    addCollector(`${name}-disk`, async () => {
      const { bavail, blocks, bsize } = await statfs(folder);
      diskFree.with(name).set(bavail * bsize);
      diskSize.with(name).set(blocks * bsize);
    });
  }

  function setBehind(counts: readonly number[]): void {
    LAG_STEPS.forEach((step, index) => behind.with(String(step)).set(counts[index] ?? 0));
  }

  return {
    watchDisk: (dataDir) => watchFolder("data", dataDir),
    watchSync(store, pulled) {
      watchStore("sync", store);
      addCollector("sync-devices", async () => {
        await pulled.flush();
        const lags = summarizeLags(await readDeviceLags(store.database, now()));
        setLags("", lags);
        setBehind(lags.behind);
      });
    },
    watchInstances(read) {
      addCollector("sync-instances", async () => {
        const all = await read();
        const suspended = all.filter(({ isSuspended }) => isSuspended).length;
        instances.with("suspended").set(suspended);
        instances.with("served").set(all.length - suspended);
        for (const [index, { name, backups, usage }] of all.entries()) {
          // Requests have their turn between thousands of instances.
          if (index % 1000 === 999) await nextTurn();
          if (backups !== null) setBackups("sync", name, backups);
          if (usage === null) continue;
          bytes.with("sync", name).set(usage.bytes);
          setLags(name, usage.lags);
        }
        setBehind(
          LAG_STEPS.map((_, step) =>
            all.reduce((sum, { usage }) => sum + (usage?.lags.behind[step] ?? 0), 0),
          ),
        );
      });
    },
    watchEvents(store) {
      watchStore("events", store);
      addCollector("events-subscriptions", async () => {
        const { overdue, ...states } = await readFeedHealth(store.database, now());
        for (const [state, count] of Object.entries(states)) feeds.with(state).set(count);
        overdueFeeds.with().set(overdue);
      });
    },
    watchRelease({ manifestExpiresAt, isCurrent }) {
      addCollector("release-catalogue", async () => {
        const expiresAt = manifestExpiresAt();
        if (expiresAt !== null) manifestExpiry.with().set((expiresAt - now()) / 1000);
        catalogueCurrent.with().set(isCurrent() ? 1 : 0);
      });
    },
    snapshot: () => metrics.snapshot(),
  };
}

/** The counter of security events by service and kind. */
export function addSecurityEvents(metrics: Metrics): MetricFamily<Counter> {
  return metrics.counter(
    "trellis_security_events_total",
    "Security events that the store has counted; of several sync instances, since the start",
    ["service", "kind"],
  );
}
