import type { ObservedRoute, RouteObserver } from "../../http/request-observer.ts";
import type { Counter, Histogram, MetricFamily, Metrics } from "./metrics.ts";

/** The bounds reach from the time of a prepared response to the limit of a request. */
const LATENCY_SECONDS = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];
/** The labels of requests that no route takes: their paths and methods are what a client typed. */
const UNROUTED = "other";

export type RequestMetrics = (service: string, route: ObservedRoute | null) => RouteObserver;

export function createRequestMetrics(metrics: Metrics): RequestMetrics {
  const requests = metrics.counter(
    "trellis_http_requests_total",
    "Requests by the declared route and the status of the response",
    ["service", "method", "route", "status"],
  );
  const seconds = metrics.histogram(
    "trellis_http_request_duration_seconds",
    "Time until a response begins",
    LATENCY_SECONDS,
    ["service", "method", "route"],
  );
  /** Many sync instances share the meter of a route: series for each would be too many. */
  const meters = new Map<string, RouteMeter>();
  return (service, route) => {
    const labels = [service, route?.method ?? UNROUTED, route?.path ?? UNROUTED];
    const key = labels.join(" ");
    const meter = meters.get(key) ?? new RouteMeter(requests, seconds, labels);
    meters.set(key, meter);
    return meter;
  };
}

class RouteMeter implements RouteObserver {
  readonly #requests: MetricFamily<Counter>;
  readonly #durations: MetricFamily<Histogram>;
  readonly #labels: readonly string[];
  /** The counters by status; a route has few. */
  readonly #counters = new Map<number, Counter>();
  /** The histogram is made with the first request: most routes of a server are never asked. */
  #seconds: Histogram | undefined;

  constructor(
    requests: MetricFamily<Counter>,
    durations: MetricFamily<Histogram>,
    labels: readonly string[],
  ) {
    this.#requests = requests;
    this.#durations = durations;
    this.#labels = labels;
  }

  ended(status: number, durationMs: number): void {
    this.#seconds ??= this.#durations.with(...this.#labels);
    this.#seconds.observe(durationMs / 1000);
    let counter = this.#counters.get(status);
    if (counter === undefined) {
      counter = this.#requests.with(...this.#labels, String(status));
      this.#counters.set(status, counter);
    }
    counter.add();
  }
}
