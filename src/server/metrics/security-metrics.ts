import type { Counter, MetricFamily, Metrics } from "./metrics.ts";

/** By service and kind. */
export function addSecurityEvents(metrics: Metrics): MetricFamily<Counter> {
  return metrics.counter(
    "trellis_security_events_total",
    "Security events that the store has counted; of several sync instances, since the start",
    ["service", "kind"],
  );
}
