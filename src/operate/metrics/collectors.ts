/**
 * What is read when a monitor asks. A collector that fails or takes too long leaves its values out, and
 * says so: a monitor must see that a value is missing, and not an old one.
 */
import { withTimeout } from "../../database/with-timeout.ts";
import type { Metrics } from "./metrics.ts";

type AddCollector = (name: string, read: () => Promise<void>) => void;

/** Metrics whose values are read when a monitor asks. */
export interface CollectedMetrics {
  readonly metrics: Metrics;
  readonly addCollector: AddCollector;
  now(): number;
}

/** Prometheus gives up after ten seconds by default. */
const COLLECT_MS = 3000;

/** Only collectors set values in these metrics. */
export function createCollectors(metrics: Metrics): AddCollector {
  const success = metrics.gauge(
    "trellis_collector_success",
    "1 when the values of this part could be read, 0 when they are missing",
    ["collector"],
  );
  const reads = new Map<string, () => Promise<void>>();
  metrics.onScrape(async () => {
    metrics.clear();
    await Promise.all(
      Array.from(reads, async ([name, read]) => {
        const reading = read().then(
          () => 1,
          () => 0,
        );
        success.with(name).set(await withTimeout(reading, COLLECT_MS, 0));
      }),
    );
  });
  return (name, read) => void reads.set(name, read);
}
