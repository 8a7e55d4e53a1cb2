/**
 * What all processes of a server share: stores, disks, backups, the catalogue. The process that a monitor
 * happens to ask reads it, so it is not summed over processes.
 */
import type { Database } from "../../database/database.ts";
import { readFeedHealth } from "../../events/maintenance/read-status.ts";
import type { PulledOffsets } from "../../sync/sql/pulled-offsets.ts";
import { createCollectors, type CollectedMetrics } from "./collectors.ts";
import { createDeviceMetrics, type DeviceMetrics } from "./device-metrics.ts";
import { createMetrics, type MetricSnapshot } from "./metrics.ts";
import { createStorageMetrics, type WatchedStore } from "./storage-metrics.ts";

export interface SharedMetrics extends Pick<DeviceMetrics, "watchInstances"> {
  watchDisk(dataDir: string): void;
  watchSync(store: WatchedStore, pulled: PulledOffsets): void;
  watchEvents(store: WatchedStore): void;
  watchRelease(catalogue: WatchedCatalogue): void;
  snapshot(): Promise<MetricSnapshot[]>;
}

export interface WatchedCatalogue {
  /** The expiry of the manifest in milliseconds since 1970; null without a manifest. */
  manifestExpiresAt(): number | null;
  /** Whether the catalogue in the folder is served: an invalid one is not. */
  isCurrent(): boolean;
}

export function createSharedMetrics(now: () => number): SharedMetrics {
  const metrics = createMetrics();
  const collected = { metrics, addCollector: createCollectors(metrics), now };
  const { watchStore, watchFolder, ...storage } = createStorageMetrics(collected);
  const { watchDevices, watchInstances } = createDeviceMetrics(collected, storage);
  const watchFeeds = createFeedWatch(collected);
  return {
    watchDisk: (dataDir) => watchFolder("data", dataDir),
    watchSync(store, pulled) {
      watchStore("sync", store);
      watchDevices(store.database, pulled);
    },
    watchInstances,
    watchEvents(store) {
      watchStore("events", store);
      watchFeeds(store.database);
    },
    watchRelease: createCatalogueWatch(collected),
    snapshot: () => metrics.snapshot(),
  };
}

function createFeedWatch({ metrics, addCollector, now }: CollectedMetrics) {
  const feeds = metrics.gauge("trellis_events_subscriptions", "Subscriptions by their state", [
    "state",
  ]);
  const overdueFeeds = metrics.gauge(
    "trellis_events_subscriptions_overdue",
    "Subscriptions whose fetch is due for ten minutes: no process fetches them",
  );
  return (database: Database) =>
    addCollector("events-subscriptions", async () => {
      const { overdue, ...states } = await readFeedHealth(database, now());
      for (const [state, count] of Object.entries(states)) feeds.with(state).set(count);
      overdueFeeds.with().set(overdue);
    });
}

function createCatalogueWatch({ metrics, addCollector, now }: CollectedMetrics) {
  const expiry = metrics.gauge(
    "trellis_release_manifest_expires_in_seconds",
    "Time until the manifest expires, negative from then on; missing without a manifest",
  );
  const current = metrics.gauge(
    "trellis_release_catalogue_current",
    "1 when the catalogue folder is served, 0 when it is invalid and an earlier state is served",
  );
  return ({ manifestExpiresAt, isCurrent }: WatchedCatalogue) =>
    addCollector("release-catalogue", async () => {
      const expiresAt = manifestExpiresAt();
      if (expiresAt !== null) expiry.with().set((expiresAt - now()) / 1000);
      current.with().set(isCurrent() ? 1 : 0);
    });
}
