/** Streams an artifact to the app's sink, up to the signed size; complete only with its size and SHA-256. */
// WebCrypto cannot hash a stream.
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { ReleaseArtifact } from "../../contract/release/schemas.ts";
import { readChunks, type ByteSource } from "../transport/byte-source.ts";
import { createDeadline, type Deadline } from "../transport/deadline.ts";
import { isStrongEtag } from "../../rules/http-headers.ts";
import type { Fetch } from "../transport/request-text.ts";
import {
  isResumable,
  type DownloadError,
  type DownloadIncomplete,
  type DownloadProgress,
  type DownloadResult,
} from "./download-result.ts";
import { findInterruption, isHttps, requestArtifact } from "./request-artifact.ts";

/** Receives the bytes. Each call is awaited before the next. */
export interface DownloadSink {
  /** The next chunk is read when this resolves. */
  write(chunk: Uint8Array): unknown;
  /** Called once, and only after size and digest were verified. */
  close(): unknown;
  /** Called once instead of `close`: keep the bytes when the result is resumable. */
  abort(result: DownloadIncomplete): unknown;
}

/** The file of an earlier attempt. The sink must append to it. */
export interface PartialDownload {
  /** All its bytes: they are hashed again, because the digest covers the whole file. */
  read(): ByteSource;
  /** The ETag from the progress or the result of the earlier attempt; a file without one is not resumed. */
  readonly etag?: string | null;
}

/** Where the bytes of a download go, what an earlier attempt left, and who learns of its progress. */
export interface DownloadOptions {
  /** A WritableStream, or an object with the three methods. */
  readonly sink: DownloadSink | Pick<WritableStream<Uint8Array>, "getWriter">;
  /** What an earlier attempt wrote: the download goes on behind it. */
  readonly partial?: PartialDownload;
  /** Called after each part that was written. */
  readonly onProgress?: (progress: DownloadProgress) => void;
  /** Ends the download. */
  readonly signal?: AbortSignal;
}

export interface DownloadSettings {
  readonly fetch: Fetch;
  readonly stallTimeoutMs: number;
}

export async function downloadArtifact(
  artifact: ReleaseArtifact,
  options: DownloadOptions,
  settings: DownloadSettings,
): Promise<DownloadResult> {
  const transfer: Transfer = {
    ...settings,
    ...options,
    artifact,
    sink: "getWriter" in options.sink ? options.sink.getWriter() : options.sink,
    deadline: createDeadline(settings.stallTimeoutMs, options.signal),
    hash: sha256.create(),
    received: 0,
    etag: null,
  };
  try {
    const error = (await run(transfer)) ?? (await closeSink(transfer));
    if (error !== null) return await abandon(transfer, error);
    return { kind: "complete", size: artifact.size, sha256: artifact.sha256 };
  } catch (thrown) {
    // Only the app's progress callback throws here.
    await abandon(transfer, { kind: "cancelled" });
    throw thrown;
  } finally {
    transfer.deadline.stop();
  }
}

interface Transfer extends DownloadSettings, Omit<DownloadOptions, "sink"> {
  readonly artifact: ReleaseArtifact;
  readonly sink: DownloadSink;
  readonly deadline: Deadline;
  readonly hash: ReturnType<typeof sha256.create>;
  received: number;
  etag: string | null;
}

/** Null when the sink has all bytes and the digest is right. */
async function run(transfer: Transfer): Promise<DownloadError | null> {
  const { artifact, hash } = transfer;
  if (!isHttps(artifact.url)) return { kind: "insecure-address" };
  const error = (await hashPartial(transfer)) ?? (await receiveRest(transfer));
  if (error !== null) return error;
  // TUF 5.7.3: size and hash are the signed ones (an arbitrary software attack).
  if (transfer.received < artifact.size) return { kind: "truncated" };
  const found = bytesToHex(hash.digest());
  return found === artifact.sha256
    ? null
    : { kind: "digest-mismatch", expected: artifact.sha256, found };
}

async function hashPartial(transfer: Transfer): Promise<DownloadError | null> {
  const { partial, signal } = transfer;
  if (partial === undefined) return null;
  const opened = await settle(async () => readChunks(partial.read()));
  if (opened.kind === "failed") return { kind: "partial-unusable", cause: opened.cause };
  const chunks = opened.value;
  try {
    for (;;) {
      if (signal?.aborted === true) return { kind: "cancelled" };
      const next = await settle(() => chunks.next());
      if (next.kind === "failed") return { kind: "partial-unusable", cause: next.cause };
      if (next.value.done === true) break;
      const chunk = next.value.value;
      if (exceedsSize(transfer, chunk)) {
        return { kind: "partial-unusable", cause: "longer than artifact" };
      }
      transfer.hash.update(chunk);
      advance(transfer, chunk.length);
    }
  } finally {
    await settle(() => chunks.return());
  }
  transfer.etag = isStrongEtag(partial.etag) ? partial.etag : null;
  return null;
}

async function receiveRest(transfer: Transfer): Promise<DownloadError | null> {
  const { artifact, received, deadline, stallTimeoutMs } = transfer;
  if (received === artifact.size) return null;
  if (received > 0 && transfer.etag === null) {
    return { kind: "partial-unusable", cause: "no strong ETag" };
  }
  const response = await requestArtifact({ ...transfer, ...artifact, from: received });
  if (response.kind !== "body") return response;
  let { repeatedBytes } = response;
  const chunks = readChunks(response.body);
  for (;;) {
    // TUF 1.5.2: a slow retrieval attack.
    const next = await settle(() => deadline.during(() => chunks.next()));
    if (next.kind === "failed") {
      const { cause } = next;
      return findInterruption(deadline, stallTimeoutMs) ?? { kind: "connection-lost", cause };
    }
    if (next.value.done === true) return null;
    const chunk = next.value.value.subarray(repeatedBytes);
    repeatedBytes -= next.value.value.length - chunk.length;
    if (chunk.length === 0) continue;
    // TUF 5.7.3: an endless data attack.
    if (exceedsSize(transfer, chunk)) return { kind: "too-large" };
    // The hash is updated before the write, in which the sink may transfer the buffer.
    transfer.hash.update(chunk);
    const { length } = chunk;
    const written = await settle(async () => transfer.sink.write(chunk));
    if (written.kind === "failed") return { kind: "sink-failed", cause: written.cause };
    // Until a byte of it is written, the app's bytes are still those of the earlier response.
    transfer.etag = response.etag;
    advance(transfer, length);
  }
}

function exceedsSize(transfer: Transfer, chunk: Uint8Array): boolean {
  return transfer.received + chunk.length > transfer.artifact.size;
}

function advance(transfer: Transfer, bytes: number): void {
  transfer.received += bytes;
  transfer.onProgress?.(progressOf(transfer));
}

function progressOf({ received, artifact, etag }: Transfer): DownloadProgress {
  return { receivedBytes: received, totalBytes: artifact.size, etag };
}

async function closeSink({ sink }: Transfer): Promise<DownloadError | null> {
  const closed = await settle(async () => sink.close());
  return closed.kind === "failed" ? { kind: "sink-failed", cause: closed.cause } : null;
}

async function abandon(transfer: Transfer, error: DownloadError): Promise<DownloadIncomplete> {
  const progress = progressOf(transfer);
  const resumable = isResumable(error, progress);
  const result: DownloadIncomplete = { kind: "incomplete", error, resumable, ...progress };
  // The sink may be what failed, so a second error of it is ignored.
  await settle(async () => transfer.sink.abort(result));
  return result;
}

type Settled<T> =
  | { readonly kind: "done"; readonly value: T }
  | { readonly kind: "failed"; readonly cause: unknown };

/** Turns an error of the app's code or of the network into a value. */
async function settle<T>(work: () => Promise<T>): Promise<Settled<T>> {
  try {
    return { kind: "done", value: await work() };
  } catch (cause) {
    return { kind: "failed", cause };
  }
}
