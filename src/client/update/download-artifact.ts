/**
 * Streams an artifact into the app's sink and proves it on the way: never more than its size, and
 * complete only when size and SHA-256 are those of the signed manifest.
 */
import type { ReleaseArtifact } from "../../contract/release/schemas.ts";
import { createSha256, type Sha256 } from "../../rules/sha256.ts";
import { attempt } from "./attempt.ts";
import { readChunks, type ByteSource } from "../transport/byte-source.ts";
import { createDeadline, type Deadline } from "../transport/deadline.ts";
import {
  isResumable,
  type DownloadIncomplete,
  type DownloadResult,
  type DownloadError,
  type DownloadProgress,
} from "./download-outcome.ts";
import { isStrongEtag } from "./etag.ts";
import type { Fetch } from "../transport/exchange-text.ts";
import { interruption, isHttps, requestArtifact } from "./request-artifact.ts";

/** Where the bytes go. Each call is awaited before the next. */
export interface DownloadSink {
  write(chunk: Uint8Array): unknown;
  /** Called once, and only when every byte is proved. */
  close(): unknown;
  /** Called once instead of `close`: keep the bytes when the outcome is resumable. */
  abort(outcome: DownloadIncomplete): unknown;
}

/** What an earlier attempt left. The sink must go on after its last byte. */
export interface PartialDownload {
  /** All its bytes, to be hashed again: the digest has to cover the whole file. */
  read(): ByteSource;
  /** As the progress or the outcome of the earlier attempt named it. */
  readonly etag?: string | null;
}

export interface DownloadOptions {
  /** A WritableStream, or an object with the three methods. */
  readonly sink: DownloadSink | Pick<WritableStream<Uint8Array>, "getWriter">;
  readonly partial?: PartialDownload;
  readonly onProgress?: (progress: DownloadProgress) => void;
  readonly signal?: AbortSignal;
}

export interface DownloadMeans {
  readonly fetch: Fetch;
  readonly stallTimeoutMs: number;
}

export async function downloadArtifact(
  artifact: ReleaseArtifact,
  options: DownloadOptions,
  means: DownloadMeans,
): Promise<DownloadResult> {
  const run: Transfer = {
    ...means,
    ...options,
    artifact,
    sink: "getWriter" in options.sink ? options.sink.getWriter() : options.sink,
    deadline: createDeadline(means.stallTimeoutMs, options.signal),
    hash: createSha256(),
    received: 0,
    etag: null,
  };
  try {
    const problem = (await transfer(run)) ?? (await closeSink(run));
    if (problem !== null) return await abandon(run, problem);
    return { kind: "complete", size: artifact.size, sha256: artifact.sha256 };
  } catch (bug) {
    // Only the app's progress callback throws here. Its error is its own, but the sink is told.
    await abandon(run, { kind: "cancelled" });
    throw bug;
  } finally {
    run.deadline.stop();
  }
}

interface Transfer extends DownloadMeans, Omit<DownloadOptions, "sink"> {
  readonly artifact: ReleaseArtifact;
  readonly sink: DownloadSink;
  readonly deadline: Deadline;
  readonly hash: Sha256;
  received: number;
  etag: string | null;
}

/** Null when every byte is in the sink and proved. */
async function transfer(run: Transfer): Promise<DownloadError | null> {
  const { artifact } = run;
  if (!isHttps(artifact.url)) return { kind: "insecure-address" };
  const problem = (await hashPartial(run)) ?? (await receiveRest(run));
  if (problem !== null) return problem;
  if (run.received < artifact.size) return { kind: "truncated" };
  const found = run.hash.digestHex();
  return found === artifact.sha256
    ? null
    : { kind: "digest-mismatch", expected: artifact.sha256, found };
}

async function hashPartial(run: Transfer): Promise<DownloadError | null> {
  const { partial, signal } = run;
  if (partial === undefined) return null;
  const opened = await attempt(async () => readChunks(partial.read()));
  if (opened.kind === "failed") return { kind: "partial-unusable", cause: opened.cause };
  const chunks = opened.value;
  try {
    for (;;) {
      if (signal?.aborted === true) return { kind: "cancelled" };
      const next = await attempt(() => chunks.next());
      if (next.kind === "failed") return { kind: "partial-unusable", cause: next.cause };
      if (next.value.done === true) break;
      const chunk = next.value.value;
      if (exceeds(run, chunk)) return { kind: "partial-unusable", cause: "longer than artifact" };
      run.hash.update(chunk);
      advance(run, chunk.length);
    }
  } finally {
    await attempt(() => chunks.return());
  }
  run.etag = isStrongEtag(partial.etag) ? partial.etag : null;
  return null;
}

async function receiveRest(run: Transfer): Promise<DownloadError | null> {
  const { artifact, received, deadline, stallTimeoutMs } = run;
  if (received === artifact.size) return null;
  const answer = await requestArtifact({ ...run, ...artifact, from: received });
  if (answer.kind !== "body") return answer;
  run.etag = answer.etag;
  let { repeatedBytes } = answer;
  const chunks = readChunks(answer.body);
  for (;;) {
    const next = await attempt(() => deadline.during(() => chunks.next()));
    if (next.kind === "failed") {
      const { cause } = next;
      return interruption(deadline, stallTimeoutMs) ?? { kind: "connection-lost", cause };
    }
    if (next.value.done === true) return null;
    const chunk = next.value.value.subarray(repeatedBytes);
    repeatedBytes -= next.value.value.length - chunk.length;
    if (chunk.length === 0) continue;
    if (exceeds(run, chunk)) return { kind: "too-large" };
    // Hashed first: the sink may give the buffer away.
    run.hash.update(chunk);
    const { length } = chunk;
    const written = await attempt(async () => run.sink.write(chunk));
    if (written.kind === "failed") return { kind: "sink-failed", cause: written.cause };
    advance(run, length);
  }
}

function exceeds(run: Transfer, chunk: Uint8Array): boolean {
  return run.received + chunk.length > run.artifact.size;
}

function advance(run: Transfer, bytes: number): void {
  run.received += bytes;
  run.onProgress?.(progressOf(run));
}

function progressOf({ received, artifact, etag }: Transfer): DownloadProgress {
  return { receivedBytes: received, totalBytes: artifact.size, etag };
}

async function closeSink(run: Transfer): Promise<DownloadError | null> {
  const closed = await attempt(async () => run.sink.close());
  return closed.kind === "failed" ? { kind: "sink-failed", cause: closed.cause } : null;
}

async function abandon(run: Transfer, problem: DownloadError): Promise<DownloadIncomplete> {
  const outcome: DownloadIncomplete = {
    kind: "incomplete",
    problem,
    resumable: isResumable(problem),
    ...progressOf(run),
  };
  // The sink may be what failed; a second complaint from it adds nothing.
  await attempt(async () => run.sink.abort(outcome));
  return outcome;
}
