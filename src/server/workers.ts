/** Several processes behind one set of ports. The first failure at the start fails them all. */
import cluster, { type Worker } from "node:cluster";

export interface WorkerMessage {
  readonly kind: "ready";
  readonly addresses: Readonly<Record<string, string>>;
}

/** The worker itself has told why, on standard error. */
export class WorkerStartError extends Error {
  constructor() {
    super("The workers could not start, for the reason above");
    this.name = "WorkerStartError";
  }
}

/** So that one that cannot start again does not keep the machine busy with trying. */
const RESTART_MS = 1000;

/** Forks this program `count` times; resolves with the addresses when all are ready. */
export async function startWorkers(count: number): Promise<{
  readonly addresses: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}> {
  let isStopping = false;
  const stop = async () => {
    isStopping = true;
    await Promise.all(listWorkers().map(stopWorker));
  };
  try {
    // One goes first: what keeps it from starting keeps them all, and is told once.
    const addresses = await startWorker();
    await Promise.all(Array.from({ length: count - 1 }, startWorker));
    // A worker that dies is replaced: one bad request must not halve the service for good.
    cluster.on("exit", () => {
      setTimeout(() => isStopping || cluster.fork(), RESTART_MS).unref();
    });
    return { addresses, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

export function reportReady(addresses: WorkerMessage["addresses"]): void {
  process.send?.({ kind: "ready", addresses } satisfies WorkerMessage);
}

function startWorker(): Promise<WorkerMessage["addresses"]> {
  const worker = cluster.fork();
  return new Promise((resolve, reject) => {
    worker.once("message", (message: WorkerMessage) => resolve(message.addresses));
    worker.once("exit", () => reject(new WorkerStartError()));
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
