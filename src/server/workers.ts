/** Several processes behind one set of ports. The first failure at the start fails them all. */
import cluster, { type Worker } from "node:cluster";

export interface WorkerMessage {
  readonly kind: "ready";
  readonly addresses: Readonly<Record<string, string>>;
}

/** Forks this program `count` times; resolves with the addresses when all are ready. */
export async function startWorkers(count: number): Promise<{
  readonly addresses: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}> {
  const workers = Array.from({ length: count }, () => cluster.fork());
  try {
    const ready = await Promise.all(workers.map(waitUntilReady));
    let isStopping = false;
    // A worker that dies is replaced: one bad request must not halve the service for good.
    cluster.on("exit", (worker) => {
      const index = workers.indexOf(worker);
      if (!isStopping && index >= 0) workers[index] = cluster.fork();
    });
    return {
      addresses: ready[0] ?? {},
      stop: async () => {
        isStopping = true;
        await Promise.all(workers.map(stopWorker));
      },
    };
  } catch (error) {
    await Promise.all(workers.map(stopWorker));
    throw error;
  }
}

export function reportReady(addresses: WorkerMessage["addresses"]): void {
  process.send?.({ kind: "ready", addresses } satisfies WorkerMessage);
}

function waitUntilReady(worker: Worker): Promise<WorkerMessage["addresses"]> {
  return new Promise((resolve, reject) => {
    worker.once("message", (message: WorkerMessage) => resolve(message.addresses));
    worker.once("exit", (code) =>
      reject(new Error(`A worker stopped with code ${code} before it was ready`)),
    );
  });
}

function stopWorker(worker: Worker): Promise<void> {
  if (worker.isDead()) return Promise.resolve();
  return new Promise((resolve) => {
    worker.once("exit", () => resolve());
    worker.process.kill("SIGTERM");
  });
}
