import cluster, { type Worker } from "node:cluster";
import { setTimeout as wait } from "node:timers/promises";
import { isSingleExecutable } from "./is-single-executable.ts";
import { sumWorkerMetrics } from "../operate/metrics/worker-metrics.ts";
import type { ReadyReport } from "./start.ts";

interface ReadyMessage {
  readonly kind: "ready";
  readonly report: ReadyReport;
}

/** Tells a new worker of the death of the one that it replaces: only a worker has a store to count it in. */
interface DeathMessage {
  readonly kind: "worker-death";
}

interface WorkerExit {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** What happens to workers, for the log. */
export interface WorkerListener {
  onDeath(exit: WorkerExit): void;
  onReplaced(replacement: { readonly attempts: number; readonly missingMs: number }): void;
}

/** A worker that ended by itself has printed the reason on standard error. */
export class WorkerStartError extends Error {
  readonly exit: WorkerExit;

  constructor(exit: WorkerExit) {
    super(
      exit.signal === null
        ? "The workers could not start: see the error above"
        : `The workers could not start: they were ended by ${exit.signal}; if the system has too little memory, start fewer`,
    );
    this.name = "WorkerStartError";
    this.exit = exit;
  }
}

/** The pause keeps a worker that cannot start, or dies at once, from being restarted in a busy loop. */
const RESTART_MS = 1000;
/** A worker that cannot start prints the reason each time. */
const MAX_RESTART_MS = 30_000;
/** How often a worker is started before the start of all is given up. */
const START_ATTEMPTS = 3;

interface StartedWorker {
  readonly worker: Worker;
  readonly report: ReadyReport;
}

/**
 * Runs this program in `count` processes that share the ports; resolves when all have been ready. A
 * worker that dies is replaced from then on, also while others start. When one cannot start, or `signal`
 * aborts the start, all are stopped: those that are ready finish their requests.
 */
export async function startWorkers(
  count: number,
  listener: WorkerListener,
  signal: AbortSignal,
): Promise<ReadyReport & { stop(): Promise<void> }> {
  let isStopping = false;
  const endMetrics = sumWorkerMetrics();
  const stop = async () => {
    isStopping = true;
    await Promise.all(listWorkers().map(stopWorker));
    endMetrics();
  };

  /** `pauseMs` is how long the replacement of this worker waits. */
  function watch(worker: Worker, pauseMs = RESTART_MS): void {
    const readyAt = performance.now();
    worker.once("exit", (exitCode, signal) => {
      if (isStopping) return;
      listener.onDeath({ exitCode, signal });
      // A worker that dies again and again is replaced less and less often.
      const hasWorked = performance.now() - readyAt > MAX_RESTART_MS;
      void replace(hasWorked ? RESTART_MS : pauseMs);
    });
  }

  /** A worker that dies is replaced, so that a crash does not reduce the capacity for good. */
  async function replace(firstPauseMs: number): Promise<void> {
    const startedAt = performance.now();
    for (let attempts = 1, pauseMs = firstPauseMs; ; attempts++) {
      await wait(pauseMs, undefined, { signal }).catch(() => {});
      if (isStopping || signal.aborted) return;
      pauseMs = Math.min(pauseMs * 2, MAX_RESTART_MS);
      const started = await startWorker(signal).catch(() => null);
      if (started === null) continue;
      watch(started.worker, pauseMs);
      reportReplaced(started, attempts, startedAt);
      return;
    }
  }

  function reportReplaced({ worker }: StartedWorker, attempts: number, since: number): void {
    worker.send({ kind: "worker-death" } satisfies DeathMessage);
    listener.onReplaced({ attempts, missingMs: Math.round(performance.now() - since) });
  }

  /** A worker that dies before it is ready is started again a few times: no request is served yet. */
  async function startFirstTime(isRetried: (exit: WorkerExit) => boolean): Promise<StartedWorker> {
    const startedAt = performance.now();
    for (let attempt = 1, pauseMs = RESTART_MS; ; attempt++, pauseMs *= 2) {
      try {
        const started = await startWorker(signal);
        watch(started.worker);
        if (attempt > 1) reportReplaced(started, attempt - 1, startedAt);
        return started;
      } catch (error) {
        if (isStopping || !(error instanceof WorkerStartError) || !isRetried(error.exit)) {
          throw error;
        }
        listener.onDeath(error.exit);
        if (attempt === START_ATTEMPTS) throw error;
        await wait(pauseMs, undefined, { signal });
      }
    }
  }

  prepareFork();
  try {
    // One worker starts first, so that an error that stops every worker is printed once.
    const first = await startFirstTime((exit) => exit.signal !== null);
    await Promise.all(Array.from({ length: count - 1 }, () => startFirstTime(() => true)));
    return { ...first.report, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The single executable runs no script: the words of its command line follow its own name. */
function prepareFork(): void {
  if (!isSingleExecutable()) return;
  const [exec = "", ...args] = process.argv.slice(2);
  cluster.setupPrimary({ exec, args, execArgv: [] });
}

export function reportReady({ addresses, stores }: ReadyReport): void {
  process.send?.({ kind: "ready", report: { addresses, stores } } satisfies ReadyMessage);
}

/** Calls `count` in a worker, for the worker that this one replaces. */
export function onWorkerDeath(count: () => void): void {
  process.on("message", ({ kind }: DeathMessage) => {
    if (kind === "worker-death") count();
  });
}

async function startWorker(signal: AbortSignal): Promise<StartedWorker> {
  signal.throwIfAborted();
  const worker = cluster.fork();
  const { promise, resolve, reject } = Promise.withResolvers<ReadyReport>();
  const onAbort = () => reject(signal.reason as Error);
  // Other messages, such as metrics, are for other listeners.
  const onMessage = (message: ReadyMessage | { readonly kind: "other" }) => {
    if (message.kind === "ready") resolve(message.report);
  };
  worker.on("message", onMessage);
  worker.once("exit", (exitCode, signal) => reject(new WorkerStartError({ exitCode, signal })));
  signal.addEventListener("abort", onAbort);
  try {
    return { worker, report: await promise };
  } finally {
    worker.off("message", onMessage);
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
