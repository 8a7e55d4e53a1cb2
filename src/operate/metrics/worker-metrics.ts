/**
 * The metrics of all workers as those of one server. The worker that a monitor happens to ask asks the
 * primary, which asks every worker. The primary keeps what each of them said last: the counters of a worker
 * that has died stay in the sums, so that no counter falls.
 */
import cluster, { type Worker } from "node:cluster";
import { keepTotals, mergeMetrics } from "./merge-metrics.ts";
import type { MetricSnapshot } from "./metrics.ts";

type CollectMetrics = () => Promise<MetricSnapshot[]>;

/** A message from a worker to the primary. */
type WorkerMessage =
  | { readonly kind: "ready" }
  | { readonly kind: "metrics-wanted"; readonly id: number }
  | {
      readonly kind: "metrics-own";
      readonly id: number;
      readonly metrics: readonly MetricSnapshot[];
    };

/** A message from the primary to a worker. */
type PrimaryMessage =
  | { readonly kind: "metrics-collect"; readonly id: number }
  | { readonly kind: "metrics-all"; readonly id: number; readonly metrics: MetricSnapshot[] };

/** A worker that is busy for this time is counted by what it said last. */
const WORKER_MS = 2000;
const PRIMARY_MS = 4000;

/** Sums the metrics in the primary. Called before workers start; returns the function that ends it. */
export function sumWorkerMetrics(): () => void {
  /** The workers that have started: others would not respond. */
  const ready = new Map<number, Worker>();
  const lastByWorker = new Map<number, readonly MetricSnapshot[]>();
  const waiting = new Map<number, { readonly workers: Set<number>; readonly finish: () => void }>();
  let ended: MetricSnapshot[] = [];
  let lastId = 0;

  function settle(id: number, worker: Worker): void {
    const collection = waiting.get(id);
    collection?.workers.delete(worker.id);
    if (collection?.workers.size === 0) collection.finish();
  }

  async function collect(): Promise<MetricSnapshot[]> {
    const id = ++lastId;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, WORKER_MS);
      const finish = () => {
        clearTimeout(timer);
        resolve();
      };
      waiting.set(id, { workers: new Set(ready.keys()), finish });
      for (const worker of ready.values()) tell(worker, { kind: "metrics-collect", id });
    });
    waiting.delete(id);
    return mergeMetrics([ended, ...lastByWorker.values()]);
  }

  function onMessage(worker: Worker, message: WorkerMessage): void {
    if (message.kind === "ready") {
      ready.set(worker.id, worker);
    } else if (message.kind === "metrics-own") {
      if (ready.has(worker.id)) lastByWorker.set(worker.id, message.metrics);
      settle(message.id, worker);
    } else if (message.kind === "metrics-wanted") {
      const { id } = message;
      void collect().then((metrics) => tell(worker, { kind: "metrics-all", id, metrics }));
    }
  }

  function onExit(worker: Worker): void {
    ready.delete(worker.id);
    const last = lastByWorker.get(worker.id);
    lastByWorker.delete(worker.id);
    if (last !== undefined) ended = mergeMetrics([ended, keepTotals(last)]);
    for (const id of waiting.keys()) settle(id, worker);
  }

  cluster.on("message", onMessage);
  cluster.on("exit", onExit);
  return () => {
    cluster.off("message", onMessage);
    cluster.off("exit", onExit);
  };
}

/** Collects the metrics of all workers, in a worker. */
export function askPrimary(collectOwn: CollectMetrics): CollectMetrics {
  const waiting = new Map<number, (metrics: MetricSnapshot[]) => void>();
  let lastId = 0;
  process.on("message", (message: PrimaryMessage) => {
    if (message.kind === "metrics-collect") {
      const { id } = message;
      void collectOwn().then((metrics) => send({ kind: "metrics-own", id, metrics }));
    } else if (message.kind === "metrics-all") {
      waiting.get(message.id)?.(message.metrics);
    }
  });
  return () =>
    new Promise((resolve, reject) => {
      const id = ++lastId;
      const timer = setTimeout(() => {
        waiting.delete(id);
        reject(new Error("The primary process did not send the metrics in time"));
      }, PRIMARY_MS);
      waiting.set(id, (metrics) => {
        clearTimeout(timer);
        waiting.delete(id);
        resolve(metrics);
      });
      send({ kind: "metrics-wanted", id });
    });
}

/** A process that is gone needs no message. */
function tell(worker: Worker, message: PrimaryMessage): void {
  if (worker.isConnected()) worker.send(message, () => {});
}

function send(message: WorkerMessage): void {
  process.send?.(message, undefined, undefined, () => {});
}
