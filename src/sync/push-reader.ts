/**
 * Reads pushes in a worker thread, beside the pushes that are being written. Where there is no thread,
 * or when it fails, they are read in this one.
 */
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { readPush, type PushReadResult, type PushRules } from "./read-push.ts";

export interface PushReader {
  /** In the thread, once it is ready. */
  read(bytes: Uint8Array): Promise<PushReadResult>;
  /** Starts the thread once; resolves when it is ready, or cannot be had. */
  start(): Promise<void>;
  close(): Promise<void>;
}

export interface ReadRequest {
  readonly id: number;
  readonly bytes: Uint8Array;
}

export type WorkerMessage =
  | { readonly kind: "ready" }
  | { readonly kind: "result"; readonly id: number; readonly result: PushReadResult };

/** With a single core, a thread would gain nothing. */
export function createPushReader(
  rules: PushRules,
  hasThread = availableParallelism() > 1,
): PushReader {
  const waiting = new Map<number, (result: PushReadResult | null) => void>();
  const started = Promise.withResolvers<void>();
  let worker: Worker | null = null;
  let mayStart = hasThread;
  let isReady = false;
  let lastId = 0;

  /** After this, every push is read in this thread. */
  function giveUp(): void {
    mayStart = false;
    isReady = false;
    started.resolve();
    for (const resolve of waiting.values()) resolve(null);
    waiting.clear();
  }

  function handleMessage(message: WorkerMessage): void {
    if (message.kind === "ready") {
      isReady = true;
      started.resolve();
      return;
    }
    waiting.get(message.id)?.(message.result);
    waiting.delete(message.id);
    if (waiting.size === 0) worker?.unref();
  }

  function readInThread(bytes: Uint8Array): Promise<PushReadResult | null> {
    const id = ++lastId;
    return new Promise((resolve) => {
      worker?.postMessage({ id, bytes } satisfies ReadRequest);
      worker?.ref();
      waiting.set(id, resolve);
    });
  }

  return {
    async read(bytes) {
      const result = isReady ? await readInThread(bytes).catch(() => null) : null;
      return result ?? readPush(bytes, rules);
    },
    async start() {
      if (!mayStart) return;
      mayStart = false;
      try {
        worker = createWorker(rules);
      } catch {
        // A process may be forbidden to have threads.
        return giveUp();
      }
      worker.on("message", handleMessage);
      worker.on("error", giveUp);
      worker.on("exit", giveUp);
      worker.on("messageerror", giveUp);
      // Only a push that waits for it keeps the process alive.
      worker.unref();
      await started.promise;
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
    // No push outlives the next one, so a small nursery suffices.
    resourceLimits: { maxYoungGenerationSizeMb: 3 },
  });
}
