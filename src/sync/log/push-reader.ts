/**
 * Reads pushes in a worker thread, beside the pushes that are being written (decision 7). Without a
 * thread, and after it has failed, they are read in the calling thread.
 */
import cluster from "node:cluster";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { readPush, type PushReadResult, type PushRules } from "./read-push.ts";

export interface PushReader {
  /** A promise while the thread is ready, otherwise the result itself. */
  read(bytes: Uint8Array): PushReadResult | Promise<PushReadResult>;
  /** Starts the thread, unless it was started; resolves once it is ready or has failed. */
  start(): Promise<void>;
  close(): Promise<void>;
}

export interface ReadRequest {
  readonly id: number;
  readonly bytes: Uint8Array;
}

export type PushWorkerMessage =
  | { readonly kind: "ready" }
  | { readonly kind: "result"; readonly id: number; readonly result: PushReadResult };

export function createPushReader(
  rules: PushRules,
  // On a single core, two threads are slower than one; and several processes use all cores already.
  hasThread = availableParallelism() > 1 && !cluster.isWorker,
): PushReader {
  const waiting = new Map<number, (result: PushReadResult | null) => void>();
  const started = Promise.withResolvers<void>();
  let worker: Worker | null = null;
  let mayStart = hasThread;
  let isReady = false;
  let lastId = 0;

  function startWorker(): void {
    try {
      worker = createWorker(rules);
    } catch {
      // Node's permissions may forbid threads.
      return giveUp();
    }
    worker.on("message", handleMessage);
    worker.on("error", giveUp);
    worker.on("exit", giveUp);
    worker.on("messageerror", () => {
      giveUp();
      void worker?.terminate();
    });
    // Only a push that waits for its result keeps the process alive.
    worker.unref();
  }

  function handleMessage(message: PushWorkerMessage): void {
    if (message.kind === "ready") {
      isReady = true;
      return started.resolve();
    }
    waiting.get(message.id)?.(message.result);
    waiting.delete(message.id);
    if (waiting.size === 0) worker?.unref();
  }

  function giveUp(): void {
    isReady = false;
    started.resolve();
    for (const resolve of waiting.values()) resolve(null);
    waiting.clear();
  }

  async function readInWorker(bytes: Uint8Array): Promise<PushReadResult> {
    const id = ++lastId;
    try {
      // A message with a part of a buffer would carry the whole buffer. There may be no memory for the copy.
      const copy = new Uint8Array(bytes);
      worker?.postMessage({ id, bytes: copy } satisfies ReadRequest, [copy.buffer]);
    } catch {
      return readPush(bytes, rules);
    }
    worker?.ref();
    const result = await new Promise<PushReadResult | null>((resolve) => waiting.set(id, resolve));
    return result ?? readPush(bytes, rules);
  }

  return {
    read: (bytes) => (isReady ? readInWorker(bytes) : readPush(bytes, rules)),
    async start() {
      if (mayStart) startWorker();
      mayStart = false;
      if (worker !== null) await started.promise;
    },
    async close() {
      mayStart = false;
      await worker?.terminate();
    },
  };
}

function createWorker(rules: PushRules): Worker {
  return new Worker(new URL("./push-worker.ts", import.meta.url), {
    workerData: rules,
    env: {},
    argv: [],
    execArgv: [],
    // A push is garbage once it was read, so a small young generation suffices.
    resourceLimits: { maxYoungGenerationSizeMb: 3 },
  });
}

/** Readers that the services of one process share: services with the same rules have one thread. */
export interface PushReaders {
  /** Closing the returned reader leaves it open for the other services. */
  share(rules: PushRules): PushReader;
  /** Ends the threads. */
  close(): Promise<void>;
}

/**
 * Makes the threads that read pushes, for the `pushReaders` of several services in one process: without it
 * each service has its own.
 * @returns readers, which `close` ends
 */
export function createPushReaders(): PushReaders {
  const readersByRules = new Map<string, PushReader>();
  return {
    share(rules) {
      const key = JSON.stringify([rules.profile, rules.maxOperations]);
      const reader = readersByRules.get(key) ?? createPushReader(rules);
      readersByRules.set(key, reader);
      return { ...reader, close: async () => {} };
    },
    close: async () => {
      await Promise.all([...readersByRules.values()].map((reader) => reader.close()));
    },
  };
}
