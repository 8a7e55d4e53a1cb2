import cluster, { type Worker } from "node:cluster";

interface ReadyMessage {
  readonly kind: "ready";
  readonly addresses: Readonly<Record<string, string>>;
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

/**
 * Runs this program in `count` processes that share the ports; resolves when all are ready. When one
 * cannot start, or `signal` aborts the start, all are stopped: those that are ready finish their
 * requests.
 */
export async function startWorkers(
  count: number,
  signal: AbortSignal,
): Promise<{
  readonly addresses: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}> {
  let isStopping = false;
  const stop = async () => {
    isStopping = true;
    await Promise.all(listWorkers().map(stopWorker));
  };
  try {
    // One starts first, so that an error that stops every worker is printed once.
    const addresses = await startWorker(signal);
    await Promise.all(Array.from({ length: count - 1 }, () => startWorker(signal)));
    // A worker that dies is replaced, so that a crash does not reduce the capacity for good.
    cluster.on("exit", () => {
      setTimeout(() => isStopping || cluster.fork(), RESTART_MS).unref();
    });
    return { addresses, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

export function reportReady(addresses: ReadyMessage["addresses"]): void {
  process.send?.({ kind: "ready", addresses } satisfies ReadyMessage);
}

function startWorker(signal: AbortSignal): Promise<ReadyMessage["addresses"]> {
  signal.throwIfAborted();
  const worker = cluster.fork();
  return new Promise((resolve, reject) => {
    worker.once("message", (message: ReadyMessage) => resolve(message.addresses));
    worker.once("exit", () => reject(new WorkerStartError()));
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
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
