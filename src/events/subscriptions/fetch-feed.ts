/**
 * Fetches a feed from a person's URL. Against server-side request forgery every connection's address is
 * checked, redirects included; size and time are bounded; no cookies, credentials or referrer are sent.
 */
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { parseRetryAfter } from "../../rules/http-headers.ts";
import type { FetchErrorCode } from "../../rules/events/subscriptions/fetch-error.ts";
import { parseFeedUrl } from "./feed-url.ts";
import {
  createHttpsConnector,
  toFetchErrorCode,
  type HttpsConnectorOptions,
} from "./https-connector.ts";

export interface FeedFetcherOptions extends HttpsConnectorOptions {
  readonly timeoutMs?: number;
  readonly now?: () => number;
}

/** The validators of the last response, for a conditional request. */
export interface FeedValidators {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

export type FetchResult =
  | ({ readonly kind: "fetched"; readonly bytes: Uint8Array } & FeedValidators)
  | { readonly kind: "unchanged" }
  | FetchFailure;

export interface FetchFailure {
  readonly kind: "failed";
  readonly error: FetchErrorCode;
  /** The Retry-After of the server. */
  readonly retryAfterMs: number | null;
}

/**
 * Fetches the calendar of a subscription. Replace it to fetch through a proxy of your own; the default
 * refuses addresses in private networks.
 */
export type FetchFeed = (
  address: string,
  known?: FeedValidators,
  stop?: AbortSignal,
) => Promise<FetchResult>;

/** The limit holds on the wire and after decompression. */
export const MAX_FEED_BYTES = 5 * 1024 * 1024;
export const MAX_REDIRECTS = 3;
/** The time limit runs from the name lookup to the last byte, redirects included. */
export const FETCH_TIMEOUT_MS = 15_000;

const NOTHING_KNOWN: FeedValidators = { etag: null, lastModified: null };
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Validators are sent back, so they must be valid in a request header. */
const VALIDATOR = /^[\x20-\x7e]{1,512}$/;

export function createFeedFetcher(options: FeedFetcherOptions = {}): FetchFeed {
  const { timeoutMs = FETCH_TIMEOUT_MS, now = Date.now } = options;
  const connect = createHttpsConnector(options);
  return async (address, known = NOTHING_KNOWN, stop) => {
    const deadline = AbortSignal.timeout(timeoutMs);
    const signal = stop === undefined ? deadline : AbortSignal.any([deadline, stop]);
    const parsed = parseFeedUrl(address);
    if (parsed.kind === "invalid") return fail(parsed.error);
    try {
      return await follow(
        parsed.url,
        known,
        (url, headers) => connect({ method: "GET", url, headers, signal }),
        now,
      );
    } catch (error) {
      if (stop?.aborted === true) return fail("stopped");
      if (deadline.aborted) return fail("timed-out");
      return fail(toFetchErrorCode(error));
    }
  };
}

type Headers = Readonly<Record<string, string>>;
type Connect = (url: URL, headers: Headers) => Promise<IncomingMessage>;

async function follow(
  start: URL,
  known: FeedValidators,
  connect: Connect,
  now: () => number,
): Promise<FetchResult> {
  const headers = requestHeaders(known);
  let url = start;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const response = await connect(url, headers);
    try {
      const { statusCode: status = 0 } = response;
      if (!REDIRECTS.has(status)) return await readResponse(response, status, known, now);
      const target = parseFeedUrl(response.headers.location ?? "", url);
      if (target.kind === "invalid") return fail("redirect-refused");
      url = target.url;
    } finally {
      response.destroy();
    }
  }
  return fail("too-many-redirects");
}

function requestHeaders({ etag, lastModified }: FeedValidators): Headers {
  return {
    Accept: "text/calendar, */*;q=0.5",
    "Accept-Encoding": "gzip, br",
    "User-Agent": "Trellis (calendar subscription)",
    ...(etag !== null && { "If-None-Match": etag }),
    ...(lastModified !== null && { "If-Modified-Since": lastModified }),
  };
}

async function readResponse(
  response: IncomingMessage,
  status: number,
  known: FeedValidators,
  now: () => number,
): Promise<FetchResult> {
  const isKnown = known.etag !== null || known.lastModified !== null;
  if (status === 304 && isKnown) return { kind: "unchanged" };
  if (status !== 200) {
    const seconds = parseRetryAfter(response.headers["retry-after"] ?? null, now());
    return fail(statusToErrorCode(status), seconds === null ? null : seconds * 1000);
  }
  const bytes = await readBody(response);
  if (typeof bytes === "string") return fail(bytes);
  return {
    kind: "fetched",
    bytes,
    etag: readValidator(response.headers.etag),
    lastModified: readValidator(response.headers["last-modified"]),
  };
}

function readValidator(value: string | undefined): string | null {
  return value !== undefined && VALIDATOR.test(value) ? value : null;
}

function statusToErrorCode(status: number): FetchErrorCode {
  if (status === 401 || status === 403 || status === 407) return "access-denied";
  if (status === 404 || status === 410) return "not-found";
  if (status === 429) return "too-many-requests";
  return status >= 500 ? "server-failed" : "unexpected-status";
}

const DECODERS: ReadonlyMap<string, () => Duplex> = new Map([
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["deflate", createInflate],
  ["br", createBrotliDecompress],
]);

class TooLargeError extends Error {}

async function readBody(response: IncomingMessage): Promise<Uint8Array | FetchErrorCode> {
  if (Number(response.headers["content-length"] ?? 0) > MAX_FEED_BYTES) return "too-large";
  const coding = (response.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  const createDecoder = DECODERS.get(coding);
  if (createDecoder === undefined && coding !== "identity" && coding !== "") {
    return "bad-compression";
  }
  const chunks: Uint8Array[] = [];
  const collect = async (source: AsyncIterable<Uint8Array>) => {
    for await (const chunk of source) chunks.push(chunk);
  };
  try {
    await (createDecoder === undefined
      ? pipeline(response, limitBytes, collect)
      : pipeline(response, limitBytes, createDecoder(), limitBytes, collect));
  } catch (error) {
    if (error instanceof TooLargeError) return "too-large";
    if (isFromDecoder(error)) return "bad-compression";
    throw error;
  }
  return Buffer.concat(chunks);
}

async function* limitBytes(source: AsyncIterable<Uint8Array>) {
  let total = 0;
  for await (const chunk of source) {
    total += chunk.length;
    if (total > MAX_FEED_BYTES) throw new TooLargeError();
    yield chunk;
  }
}

/** Codes of zlib begin with `Z_`, those of Brotli with `ERR__` or `ERR_BROTLI`. */
function isFromDecoder(error: unknown): boolean {
  return (
    error instanceof Error && "code" in error && /^(?:Z_|ERR__|ERR_BROTLI)/.test(String(error.code))
  );
}

function fail(error: FetchErrorCode, retryAfterMs: number | null = null): FetchFailure {
  return { kind: "failed", error, retryAfterMs };
}
