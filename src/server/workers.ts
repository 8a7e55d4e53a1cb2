import cluster, { type Worker } from "node:cluster";
import { setTimeout as wait } from "node:timers/promises";
import type { ReadyReport } from "./start.ts";

interface ReadyMessage {
  readonly kind: "ready";
  readonly report: ReadyReport;
}

/** To a new worker, about the one that it replaces: only a worker has a store to count it in. */
interface DeathMessage {
  readonly kind: "worker-death";
}

/** What happens to workers, for the log. */
export interface WorkerListener {
  onDeath(exit: { readonly exitCode: number | null; readonly signal: string | null }): void;
  onReplaced(replacement: { readonly attempts: number; readonly missingMs: number }): void;
}

/** The worker has printed the reason on standard error. */
export class WorkerStartError extends Error {
  constructor() {
    super("The workers could not start: see the error above");
    this.name = "WorkerStartError";
  }
}

/** The pause keeps a worker that cannot start from being restarted in a busy loop. */
const RESTART_MS = 1000;
/** A worker that cannot start prints the reason each time. */
const MAX_RESTART_MS = 30_000;

/**
 * Runs this program in `count` processes that share the ports; resolves when all are ready. When one
 * cannot start, or `signal` aborts the start, all are stopped: those that are ready finish their
 * requests.
 */
export async function startWorkers(
  count: number,
  listener: WorkerListener,
  signal: AbortSignal,
): Promise<ReadyReport & { stop(): Promise<void> }> {
  let isStopping = false;
  const stop = async () => {
    isStopping = true;
    await Promise.all(listWorkers().map(stopWorker));
  };

  function watch(worker: Worker): void {
    worker.once("exit", (exitCode, signal) => {
      if (isStopping) return;
      listener.onDeath({ exitCode, signal });
      void replace();
    });
  }

  /** A worker that dies is replaced, so that a crash does not reduce the capacity for good. */
  async function replace(): Promise<void> {
    const startedAt = performance.now();
    for (let attempts = 1, pauseMs = RESTART_MS; ; attempts++) {
      await wait(pauseMs);
      if (isStopping) return;
      pauseMs = Math.min(pauseMs * 2, MAX_RESTART_MS);
      const started = await startWorker(signal).catch(() => null);
      if (started === null) continue;
      watch(started.worker);
      started.worker.send({ kind: "worker-death" } satisfies DeathMessage);
      const missingMs = Math.round(performance.now() - startedAt);
      listener.onReplaced({ attempts, missingMs });
      return;
    }
  }

  try {
    // One starts first, so that an error that stops every worker is printed once.
    const first = await startWorker(signal);
    const others = await Promise.all(Array.from({ length: count - 1 }, () => startWorker(signal)));
    for (const { worker } of [first, ...others]) watch(worker);
    return { ...first.report, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** In a worker. */
export function reportReady({ addresses, stores }: ReadyReport): void {
  process.send?.({ kind: "ready", report: { addresses, stores } } satisfies ReadyMessage);
}

/** In a worker: calls `count` for the worker that this one replaces. */
export function onWorkerDeath(count: () => void): void {
  process.on("message", ({ kind }: DeathMessage) => {
    if (kind === "worker-death") count();
  });
}

async function startWorker(
  signal: AbortSignal,
): Promise<{ readonly worker: Worker; readonly report: ReadyReport }> {
  signal.throwIfAborted();
  const worker = cluster.fork();
  const { promise, resolve, reject } = Promise.withResolvers<ReadyReport>();
  const onAbort = () => reject(signal.reason as Error);
  worker.once("message", ({ report }: ReadyMessage) => resolve(report));
  worker.once("exit", () => reject(new WorkerStartError()));
  signal.addEventListener("abort", onAbort);
  try {
    return { worker, report: await promise };
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

function listWorkers(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
}

function stopWorker(worker: Worker): Promise<void> {
  if (worker.isDead()) return Promise.resolve();
  return new Promise((resolve) => {
    worker.once("exit", () => resolve());
    worker.process.kill("SIGTERM");
  });
}
