/**
 * Reads pushes in a thread of its own, so that parsing and validating one takes nothing from those that
 * are being written meanwhile. Whatever becomes of the thread, every push is read.
 */
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { unpackOperations } from "./pack-operations.ts";
import { readPush, type PushError, type PushReadResult, type PushRules } from "./read-push.ts";

export interface PushReader {
  /** In the thread, when there is one. */
  read(bytes: Uint8Array): PushReadResult | Promise<PushReadResult>;
  /**
   * Starts the thread, unless that was done; settles when it is there to read, or never will be. That
   * alone does not keep the process alive.
   */
  start(): Promise<void>;
  close(): Promise<void>;
}

export interface ReadOrder {
  readonly id: number;
  readonly bytes: Uint8Array;
}

export type ThreadMessage =
  | { readonly kind: "ready" }
  | { readonly kind: "packed"; readonly id: number; readonly operations: Uint8Array<ArrayBuffer> }
  | { readonly kind: "fault"; readonly id: number; readonly fault: PushError };

/** On one core a thread would only stand in the way. */
export function createPushReader(
  rules: PushRules,
  hasThread = availableParallelism() > 1,
): PushReader {
  let thread: ReadingThread | null = null;
  let mayStart = hasThread;
  return {
    read: (bytes) => thread?.read(bytes) ?? readPush(bytes, rules),
    start: async () => {
      if (mayStart) await (thread ??= startThread(rules)).started;
    },
    close: async () => {
      mayStart = false;
      await thread?.close();
    },
  };
}

interface ReadingThread {
  readonly started: Promise<void>;
  /** Null while it is not there to read. */
  read(bytes: Uint8Array): Promise<PushReadResult> | null;
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
  /** Who waits for an answer, by the id of what they asked. */
  const waiting = new Map<number, (reading: PushReadResult | null) => void>();
  let lastId = 0;

  function settle(id: number, reading: PushReadResult): void {
    waiting.get(id)?.(reading);
    waiting.delete(id);
    if (waiting.size === 0) worker.unref();
  }

  /** Nothing more is given to the thread, and nothing more expected of it. */
  function giveUp(): void {
    isReady = false;
    started.resolve();
    for (const answer of waiting.values()) answer(null);
    waiting.clear();
  }

  worker.on("message", (message: ThreadMessage) => {
    switch (message.kind) {
      case "ready":
        isReady = true;
        started.resolve();
        break;
      case "packed": {
        const { id, operations: packed } = message;
        settle(id, { kind: "operations", operations: () => unpackOperations(packed) });
        break;
      }
      case "fault":
        settle(message.id, message.fault);
        break;
    }
  });
  worker.on("error", giveUp);
  worker.on("exit", giveUp);
  worker.on("messageerror", () => {
    giveUp();
    void worker.terminate();
  });
  // Only while somebody waits for it does it keep the process alive.
  worker.unref();

  /** Whether it could be sent: there may be no memory for a copy. */
  function send(id: number, bytes: Uint8Array): boolean {
    try {
      // A copy, because what is sent to another thread is gone here.
      const copy = new Uint8Array(bytes);
      worker.postMessage({ id, bytes: copy } satisfies ReadOrder, [copy.buffer]);
      return true;
    } catch {
      return false;
    }
  }

  async function read(bytes: Uint8Array): Promise<PushReadResult> {
    const id = ++lastId;
    if (!send(id, bytes)) return readPush(bytes, rules);
    worker.ref();
    const answer = await new Promise<PushReadResult | null>((resolve) => waiting.set(id, resolve));
    return answer ?? readPush(bytes, rules);
  }

  return {
    started: started.promise,
    read: (bytes) => (isReady ? read(bytes) : null),
    close: async () => {
      await worker.terminate();
    },
  };
}

function createWorker(rules: PushRules): Worker {
  return new Worker(new URL("./push-thread.ts", import.meta.url), {
    workerData: rules,
    // Nothing of the process is its business.
    env: {},
    argv: [],
    execArgv: [],
    // Of a push nothing is left when the next one is read.
    resourceLimits: { maxYoungGenerationSizeMb: 3 },
  });
}
