/**
 * Reads pushes in a thread of its own, so that parsing and validating one takes nothing from those that
 * are being written meanwhile. Whatever becomes of the thread, every push is read.
 */
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { unpackOperations } from "./pack-operations.ts";
import { readPush, type PushFault, type PushReading, type PushRules } from "./read-push.ts";

export interface PushReader {
  /** In the thread, when there is one. */
  read(bytes: Uint8Array): PushReading | Promise<PushReading>;
  /** Starts the thread, unless that was done; settles when it is there to read, or never will be. */
  start(): Promise<void>;
  close(): Promise<void>;
}

export type ThreadMessage =
  | { readonly kind: "ready" }
  | { readonly kind: "packed"; readonly operations: Uint8Array<ArrayBuffer> }
  | PushFault;

/** On one core a thread would only stand in the way. */
export function createPushReader(
  rules: PushRules,
  hasThread = availableParallelism() > 1,
): PushReader {
  let thread: ReadingThread | null = null;
  const start = () => (thread ??= startThread(rules));
  return {
    read: (bytes) => thread?.read(bytes) ?? readPush(bytes, rules),
    start: async () => {
      if (hasThread) await start().started;
    },
    close: async () => {
      await thread?.close();
    },
  };
}

interface ReadingThread {
  readonly started: Promise<void>;
  /** Null while it is not there to read. */
  read(bytes: Uint8Array): Promise<PushReading> | null;
  close(): Promise<void>;
}

/** One that has failed stays so: what it would have read is read without it. */
function startThread(rules: PushRules): ReadingThread {
  try {
    return talkTo(createWorker(rules), rules);
  } catch {
    // A process may be forbidden to have threads.
    return { started: Promise.resolve(), read: () => null, close: async () => {} };
  }
}

function talkTo(worker: Worker, rules: PushRules): ReadingThread {
  const started = Promise.withResolvers<void>();
  let isReady = false;
  /** In the order in which they were given to the thread, which is the order of its answers. */
  const waiting: ((reading: PushReading | null) => void)[] = [];
  const settleNext = (reading: PushReading) => {
    waiting.shift()?.(reading);
    if (waiting.length === 0) worker.unref();
  };
  const fail = () => {
    isReady = false;
    started.resolve();
    for (const settle of waiting.splice(0)) settle(null);
  };
  worker.on("message", (message: ThreadMessage) => {
    if (message.kind === "ready") {
      isReady = true;
      started.resolve();
    } else if (message.kind === "packed") {
      const packed = message.operations;
      settleNext({ kind: "operations", operations: () => unpackOperations(packed) });
    } else {
      settleNext(message);
    }
  });
  worker.on("error", fail);
  worker.on("exit", fail);
  // Only while somebody waits for it does it keep the process alive.
  worker.unref();

  async function read(bytes: Uint8Array): Promise<PushReading> {
    const { promise, resolve } = Promise.withResolvers<PushReading | null>();
    waiting.push(resolve);
    worker.ref();
    // A copy, because what is sent to another thread is gone here.
    const copy = new Uint8Array(bytes);
    worker.postMessage(copy, [copy.buffer]);
    return (await promise) ?? readPush(bytes, rules);
  }

  return {
    started: started.promise,
    read: (bytes) => (isReady ? read(bytes) : null),
    close: async () => {
      await worker.terminate();
    },
  };
}

/** The compiler changes imports, but no addresses. */
const SOURCE_FILE = new URL("./push-thread.ts", import.meta.url);
const COMPILED_FILE = new URL("push-thread.js", import.meta.url);

function createWorker(rules: PushRules): Worker {
  return new Worker(import.meta.url.endsWith(".ts") ? SOURCE_FILE : COMPILED_FILE, {
    workerData: rules,
    // Nothing of the process is its business.
    env: {},
    argv: [],
    execArgv: [],
    // Of a push nothing is left when the next one is read.
    resourceLimits: { maxYoungGenerationSizeMb: 3 },
  });
}
