/** Reads a source in a worker thread with limits on time and memory, because it may be hostile. */
import { Worker } from "node:worker_threads";
import { quoteText } from "../../rules/events/ingest/clean-text.ts";
import type { FeedError, FeedResult } from "../../rules/events/ingest/entry.ts";
import { MAX_QUOTED_CHARACTERS } from "../../rules/events/ingest/limits.ts";
import type { SourceSettings } from "./feed-builder.ts";
import type { SourceFile } from "./parse-source.ts";

export interface ParseLimits {
  readonly maxBytes: number;
  /** The time counts from when the thread has loaded. */
  readonly maxMilliseconds: number;
  readonly maxMemoryMiB: number;
}

const SUBSCRIPTION_LIMITS: ParseLimits = {
  maxBytes: 5 * 1024 * 1024,
  maxMilliseconds: 5_000,
  maxMemoryMiB: 192,
};

export const FILE_LIMITS: ParseLimits = {
  maxBytes: 32 * 1024 * 1024,
  maxMilliseconds: 60_000,
  maxMemoryMiB: 512,
};

export interface ParseFeedOptions extends SourceSettings, Omit<SourceFile, "bytes"> {
  /** The default is the limits of subscriptions. */
  readonly limits?: ParseLimits;
  readonly onProgress?: (entriesRead: number) => void;
  /** The signal stops reading; the promise is rejected with its reason. */
  readonly signal?: AbortSignal;
}

export interface WorkerTask {
  readonly file: SourceFile;
  readonly settings: SourceSettings;
}

export type IngestWorkerMessage =
  | { readonly kind: "ready" }
  | { readonly kind: "progress"; readonly entriesRead: number }
  | { readonly kind: "result"; readonly result: FeedResult };

/** Loading takes longer only on a machine that is overloaded. */
const LOAD_MILLISECONDS = 60_000;

export async function parseFeed(bytes: Uint8Array, options: ParseFeedOptions): Promise<FeedResult> {
  const { limits = SUBSCRIPTION_LIMITS, onProgress, signal } = options;
  signal?.throwIfAborted();
  if (bytes.length > limits.maxBytes) {
    return fail({
      code: "too-large",
      detail: `at most ${Math.floor(limits.maxBytes / 1024)} KiB`,
    });
  }
  const worker = startWorker(createTask(bytes, options), limits);
  const { promise, resolve, reject } = Promise.withResolvers<FeedResult>();
  const stop = () => resolve(fail({ code: "too-slow" }));
  const abort = () => reject(signal?.reason);
  let timer = setTimeout(stop, LOAD_MILLISECONDS);
  worker.on("message", (message: IngestWorkerMessage) => {
    if (message.kind === "result") resolve(message.result);
    else if (message.kind === "progress") onProgress?.(message.entriesRead);
    else {
      clearTimeout(timer);
      timer = setTimeout(stop, limits.maxMilliseconds);
    }
  });
  worker.on("error", (error) => resolve(fail(toFeedError(error))));
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

/** Functions and signals cannot be sent to a thread. */
function createTask(bytes: Uint8Array, options: ParseFeedOptions): WorkerTask {
  const { limits: _, onProgress: _onProgress, signal: _signal, ...rest } = options;
  return { file: { ...rest, bytes }, settings: rest };
}

function startWorker(task: WorkerTask, limits: ParseLimits): Worker {
  return new Worker(new URL("./worker.ts", import.meta.url), {
    workerData: task,
    env: {},
    argv: [],
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: limits.maxMemoryMiB, maxYoungGenerationSizeMb: 16 },
  });
}

function fail(error: FeedError): FeedResult {
  return { kind: "failed", error };
}

function toFeedError(error: unknown): FeedError {
  if (!(error instanceof Error)) return { code: "crashed" };
  if ("code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY")
    return { code: "out-of-memory" };
  return { code: "crashed", detail: quoteText(error.message, MAX_QUOTED_CHARACTERS) };
}
