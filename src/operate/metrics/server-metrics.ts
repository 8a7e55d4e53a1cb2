/** The metrics of a server: what its processes count, and what they share. */
import cluster from "node:cluster";
import { addProcessMetrics, type Product } from "./process-metrics.ts";
import { mergeMetrics } from "./merge-metrics.ts";
import { createMetrics } from "./metrics.ts";
import { renderMetrics } from "./render-metrics.ts";
import { createRequestMetrics, type RequestMetrics } from "./request-metrics.ts";
import { createSharedMetrics, type SharedMetrics } from "./shared-metrics.ts";
import { createStoreMetrics, type StoreMetrics } from "./store-metrics.ts";
import { createSyncMetrics, type SyncMetrics } from "./sync-metrics.ts";
import { askPrimary } from "./worker-metrics.ts";

export interface ServerMetrics {
  readonly request: RequestMetrics;
  readonly store: StoreMetrics;
  readonly sync: SyncMetrics;
  readonly shared: Omit<SharedMetrics, "snapshot" | "watchSync">;
  /** Renders the metrics of all workers in the text format of Prometheus. */
  render(): Promise<string>;
  close(): void;
}

export function createServerMetrics(product: Product, now: () => number = Date.now): ServerMetrics {
  const own = createMetrics();
  const shared = createSharedMetrics(now);
  const stopMeasuring = addProcessMetrics(own, product);
  const collect = cluster.isWorker ? askPrimary(own.snapshot) : own.snapshot;
  return {
    request: createRequestMetrics(own),
    store: createStoreMetrics(own),
    sync: createSyncMetrics(own, shared),
    shared,
    async render() {
      // Security events are counted by stores, and those of many instances by processes.
      return renderMetrics(mergeMetrics(await Promise.all([collect(), shared.snapshot()])));
    },
    close: stopMeasuring,
  };
}
