/**
 * Reads a source in a thread of its own, which is ended when it takes too long or too much memory:
 * calendars come from strangers, and some are made to do harm.
 */
import { Worker } from "node:worker_threads";
import { quoteText } from "../../rules/events/ingest/clean-text.ts";
import type { FeedError, FeedResult } from "../../rules/events/ingest/entry.ts";
import { MAX_QUOTED_CHARACTERS } from "../../rules/events/ingest/limits.ts";
import type { SourceSettings } from "./entry-context.ts";
import type { SourceFile } from "./parse-source.ts";
import type { WorkerMessage, WorkerTask } from "./worker-message.ts";

export interface ParseLimits {
  readonly maxBytes: number;
  /** From the moment the thread has loaded. */
  readonly maxMilliseconds: number;
  readonly maxMemoryMiB: number;
}

/** For what is fetched. */
export const SUBSCRIPTION_LIMITS: ParseLimits = {
  maxBytes: 5 * 1024 * 1024,
  maxMilliseconds: 5_000,
  maxMemoryMiB: 192,
};

/** For what a person imports, and waits for. */
export const FILE_LIMITS: ParseLimits = {
  maxBytes: 32 * 1024 * 1024,
  maxMilliseconds: 60_000,
  maxMemoryMiB: 512,
};

export interface ParseFeedOptions extends SourceSettings, Omit<SourceFile, "bytes"> {
  /** Those of subscriptions unless given. */
  readonly limits?: ParseLimits;
  /** Told every few hundred entries. */
  readonly onProgress?: (entriesRead: number) => void;
  /** Ends the reading; the promise is rejected with its reason. */
  readonly signal?: AbortSignal;
}

/** A thread that does not even load says more about this machine than about the source. */
const LOAD_MILLISECONDS = 60_000;

export async function parseFeed(bytes: Uint8Array, options: ParseFeedOptions): Promise<FeedResult> {
  const { limits = SUBSCRIPTION_LIMITS, onProgress, signal } = options;
  signal?.throwIfAborted();
  if (bytes.length > limits.maxBytes) {
    const detail = `at most ${Math.floor(limits.maxBytes / 1024)} KiB`;
    return { ok: false, fault: { code: "too-large", detail } };
  }
  const worker = startWorker(createTask(bytes, options), limits);
  const { promise, resolve, reject } = Promise.withResolvers<FeedResult>();
  const stop = () => resolve(fail({ code: "too-slow" }));
  const abort = () => reject(signal?.reason);
  let timer = setTimeout(stop, LOAD_MILLISECONDS);
  worker.on("message", (message: WorkerMessage) => {
    if (message.kind === "result") resolve(message.result);
    else if (message.kind === "progress") onProgress?.(message.entriesRead);
    else {
      clearTimeout(timer);
      timer = setTimeout(stop, limits.maxMilliseconds);
    }
  });
  worker.on("error", (error) => resolve(fail(faultOf(error))));
  worker.on("exit", () => resolve(fail({ code: "crashed" })));
  signal?.addEventListener("abort", abort);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
    await worker.terminate();
  }
}

/** Only what is plain data can go to another thread. */
function createTask(bytes: Uint8Array, options: ParseFeedOptions): WorkerTask {
  const { limits: _, onProgress: _onProgress, signal: _signal, ...rest } = options;
  return { file: { ...rest, bytes }, settings: rest };
}

function startWorker(task: WorkerTask, limits: ParseLimits): Worker {
  return new Worker(new URL("./worker.ts", import.meta.url), {
    workerData: task,
    // Nothing of the process is its business.
    env: {},
    argv: [],
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: limits.maxMemoryMiB, maxYoungGenerationSizeMb: 16 },
  });
}

function fail(fault: FeedError): FeedResult {
  return { ok: false, fault };
}

function faultOf(error: unknown): FeedError {
  if (!(error instanceof Error)) return { code: "crashed" };
  if ("code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY")
    return { code: "out-of-memory" };
  return { code: "crashed", detail: quoteText(error.message, MAX_QUOTED_CHARACTERS) };
}
