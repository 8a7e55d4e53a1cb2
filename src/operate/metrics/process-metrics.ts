/** The processes of the server: their memory, their event loops, their version. */
import { readdir } from "node:fs/promises";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Metrics } from "./metrics.ts";

/** The time between two measurements of the event loop's delay, which a measured delay contains. */
const RESOLUTION_MS = 20;
const PERCENTILES = [50, 99, 100];

export interface Product {
  readonly version: string;
  /** Null when it is not known. */
  readonly build: string | null;
}

/** Returns the function that ends the measurement. */
export function addProcessMetrics(metrics: Metrics, { version, build }: Product): () => void {
  metrics
    .gauge("trellis_build_info", "1, with versions and build", ["version", "build", "node"], "max")
    .with(version, build ?? "unknown", process.versions.node)
    .set(1);
  metrics.gauge("trellis_processes", "Processes that serve: the workers, or one").with().set(1);
  // These names are those of every Prometheus client library.
  metrics
    .gauge(
      "process_start_time_seconds",
      "When the process started, in seconds since 1970; of several, the youngest",
      [],
      "max",
    )
    .with()
    .set(performance.timeOrigin / 1000);
  const cpu = metrics.counter("process_cpu_seconds_total", "Processor time, user and system");
  const resident = metrics.gauge("process_resident_memory_bytes", "Memory that is resident");
  const files = metrics.gauge("process_open_fds", "Open files and sockets; on Linux");
  const heapUsed = metrics.gauge("nodejs_heap_size_used_bytes", "Heap in use");
  const heapTotal = metrics.gauge("nodejs_heap_size_total_bytes", "Heap that V8 has reserved");
  const external = metrics.gauge("nodejs_external_memory_bytes", "Memory of buffers");
  const delay = metrics.gauge(
    "trellis_event_loop_delay_seconds",
    "Delay of the event loop since the last scrape; of several processes the longest",
    ["percentile"],
    "max",
  );
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();

  metrics.onScrape(async () => {
    const { user, system } = process.cpuUsage();
    cpu.with().set((user + system) / 1e6);
    const { rss, heapUsed: used, heapTotal: total, external: buffers } = process.memoryUsage();
    resident.with().set(rss);
    heapUsed.with().set(used);
    heapTotal.with().set(total);
    external.with().set(buffers);
    for (const percentile of PERCENTILES) {
      const measuredMs = delays.count === 0 ? 0 : delays.percentile(percentile) / 1e6;
      delay.with(String(percentile)).set(Math.max(0, measuredMs - RESOLUTION_MS) / 1000);
    }
    delays.reset();
    const open = await readdir("/proc/self/fd").catch(() => null);
    if (open !== null) files.with().set(open.length);
  });
  return () => delays.disable();
}
