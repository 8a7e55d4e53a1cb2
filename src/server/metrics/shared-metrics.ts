/**
 * What all processes of a server share: stores, disks, backups, the catalogue. The process that a monitor
 * happens to ask reads it, so it is not summed over processes.
 */
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { readLastBackupOf, type LastBackup } from "../../database/backup/write-backup.ts";
import type { Database } from "../../database/database.ts";
import { readDatabaseBytes } from "../../database/disk-space.ts";
import { sqlitePath } from "../../database/sqlite-path.ts";
import { readFeedHealth } from "../../events/maintenance/read-feed-health.ts";
import { EVENTS_REALM } from "../../events/store.ts";
import { SECURITY_EVENT_KINDS } from "../../identity/security-event.ts";
import { listSqlSecurityCounts } from "../../identity/sql-identity-records.ts";
import { readDeviceLags, type PulledOffsets } from "../../sync/sql/pulled-offsets.ts";
import { SYNC_REALM } from "../../sync/store.ts";
import type { StoreOwner } from "../leased-store.ts";
import { createCollectors } from "./collectors.ts";
import type { MetricSnapshot } from "./metric-snapshot.ts";
import { createMetrics } from "./metrics.ts";

/** A store as its collectors read it. */
export interface WatchedStore {
  readonly database: Database;
  /** `sqlite:PATH` or a `postgres://` address. */
  readonly address: string;
  /** The name of a sync instance; empty for the only one. */
  readonly instance?: string;
  /** Has the last backup of the service. */
  readonly dataDir: string;
}

export interface SharedMetrics {
  watchDisk(dataDir: string): void;
  watchSync(store: WatchedStore, pulled: PulledOffsets): void;
  watchEvents(store: WatchedStore): void;
  watchRelease(catalogue: WatchedCatalogue): void;
  snapshot(): Promise<MetricSnapshot[]>;
}

export interface WatchedCatalogue {
  /** Milliseconds since 1970; null without a manifest. */
  manifestExpiresAt(): number | null;
  /** Whether the folder is what is served: an invalid one is not. */
  isCurrent(): boolean;
}

/** A device is counted under each number that it is behind by, or more. */
const LAG_STEPS = [1, 10, 100, 1000, 10_000];
const REALMS: Readonly<Record<StoreOwner, string>> = { sync: SYNC_REALM, events: EVENTS_REALM };

export function createSharedMetrics(now: () => number): SharedMetrics {
  const metrics = createMetrics();
  const stored = ["service", "instance"];
  const bytes = metrics.gauge(
    "trellis_store_bytes",
    "Size of the database; on PostgreSQL of the whole one",
    stored,
  );
  const diskFree = metrics.gauge(
    "trellis_disk_free_bytes",
    "Space that is free on the disk of the data folder, or of a SQLite store",
    ["folder"],
  );
  const diskSize = metrics.gauge("trellis_disk_size_bytes", "Size of that disk", ["folder"]);
  const securityEvents = metrics.counter(
    "trellis_security_events_total",
    "Security events that the store has counted",
    [...stored, "kind"],
  );
  const backupAge = metrics.gauge(
    "trellis_backup_age_seconds",
    "Age of the last backup; missing when there is none",
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
    "Devices whose last pull is so many operations behind the head, or more",
    ["instance", "operations"],
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
  const addCollector = createCollectors(metrics, [
    bytes,
    diskFree,
    diskSize,
    securityEvents,
    backupAge,
    devices,
    lag,
    behind,
    feeds,
    overdueFeeds,
    manifestExpiry,
    catalogueCurrent,
  ]);

  function watchStore(service: StoreOwner, { database, address, dataDir, ...store }: WatchedStore) {
    const { instance = "" } = store;
    addCollector(collectorName(service, instance, "store"), async () => {
      bytes.with(service, instance).set(await readDatabaseBytes(database));
      const counts = await listSqlSecurityCounts(database, REALMS[service]);
      const totals = new Map(counts.map(({ kind, total }) => [kind, total]));
      // A counter must exist before its first event, or the increase would not be seen.
      for (const kind of SECURITY_EVENT_KINDS) {
        securityEvents.with(service, instance, kind).setTotal(totals.get(kind) ?? 0);
      }
    });
    addCollector(collectorName(service, instance, "backup"), async () => {
      const backup = await readLastBackupOf<LastBackup>(dataDir, service);
      if (backup === null) return;
      const age = (now() - Date.parse(backup.createdAt)) / 1000;
      backupAge.with(service, instance).set(Math.max(0, age));
    });
    const file = sqlitePath(address);
    if (file !== undefined && instance === "") watchFolder(service, dirname(file));
  }

  function watchFolder(name: string, folder: string): void {
    addCollector(`${name}-disk`, async () => {
      const { bavail, blocks, bsize } = await statfs(folder);
      diskFree.with(name).set(bavail * bsize);
      diskSize.with(name).set(blocks * bsize);
    });
  }

  return {
    watchDisk: (dataDir) => watchFolder("data", dataDir),
    watchSync(store, pulled) {
      watchStore("sync", store);
      const { instance = "", database } = store;
      addCollector(collectorName("sync", instance, "devices"), async () => {
        await pulled.flush();
        const lags = await readDeviceLags(database, now());
        devices.with(instance).set(lags.length);
        lag.with(instance).set(lags[0] ?? 0);
        for (const step of LAG_STEPS) {
          const count = lags.filter((operations) => operations >= step).length;
          behind.with(instance, String(step)).set(count);
        }
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

function collectorName(service: StoreOwner, instance: string, part: string): string {
  return [service, instance, part].filter((word) => word !== "").join("-");
}
