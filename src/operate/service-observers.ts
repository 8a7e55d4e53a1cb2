/** What a server observes of its services: metrics, traces, both, or neither. */
import type { DatabaseObserver } from "../database/database-observer.ts";
import type { RequestObserver } from "../http/request-observer.ts";
import type { ServiceName } from "../configuration/configuration.ts";
import type { StoreOwner } from "../database/store-kind.ts";
import type { ServerMetrics } from "./metrics/server-metrics.ts";
import type { SyncMeter } from "./metrics/sync-metrics.ts";
import type { Tracing } from "./tracing/open-tracing.ts";

export interface ServiceObservers {
  requests(service: ServiceName, instance?: ObservedInstance): RequestObserver;
  /** `instance` is the name of one of several sync instances. */
  database(service: StoreOwner, instance?: string): DatabaseObserver;
  /** `instance` is the name of a sync instance; empty for the only one. */
  sync(instance: string): SyncMeter;
  /** The metrics; null while the operator's listener is off. */
  readonly metrics: ServerMetrics | null;
}

/** One of several sync instances. */
export interface ObservedInstance {
  readonly name: string;
  readonly meter: Pick<SyncMeter, "responded">;
}

const NO_ROUTE_METRICS = { ended() {} };
const NO_STORE_METRICS: DatabaseObserver = {
  transaction() {},
  query() {},
  commit() {},
  failure() {},
};

const NO_SYNC_METRICS: SyncMeter = {
  pushed() {},
  pulled() {},
  streams() {},
  appendGroup() {},
  responded() {},
  watch: () => ({ async flush() {}, async close() {} }),
  close() {},
};

export function createServiceObservers(
  metrics: ServerMetrics | null,
  tracing: Tracing | null,
): ServiceObservers | undefined {
  if (metrics === null && tracing === null) return undefined;
  return {
    requests: (service, instance) => ({
      route(route) {
        const counted = metrics?.request(service, route) ?? NO_ROUTE_METRICS;
        if (tracing === null && instance === undefined) return counted;
        return {
          ended(status, durationMs) {
            counted.ended(status, durationMs);
            instance?.meter.responded(status);
          },
          ...(tracing !== null && { trace: tracing.request(service, route, instance?.name) }),
        };
      },
    }),
    database: (service, instance) => ({
      ...(metrics?.store(service) ?? NO_STORE_METRICS),
      ...(tracing !== null && { trace: tracing.transaction(service, instance) }),
    }),
    sync: (instance) => metrics?.sync.meter(instance) ?? NO_SYNC_METRICS,
    metrics,
  };
}
