/**
 * Fetches a feed from wherever a stranger says, and lets no stranger use it to look around: the
 * address of every single connection is checked, redirects included, and size and time are bounded.
 * It sends nothing that identifies anybody: no cookies, no credentials, no referrer.
 */
import type { IncomingMessage } from "node:http";
import { request, type RequestOptions } from "node:https";
import { isIP } from "node:net";
import { parseRetryAfter } from "../../rules/http-headers.ts";
import type { FetchErrorCode } from "../../rules/events/subscriptions/fetch-fault.ts";
import {
  createAddressGuard,
  createGuardedLookup,
  RefusedAddressError,
  resolveWithSystem,
  type AddressGuard,
  type ResolveHost,
} from "./address-guard.ts";
import { toFetchErrorCode } from "./fault-of-error.ts";
import { parseFeedUrl } from "./feed-url.ts";
import { readBody } from "./read-body.ts";

export interface FeedFetcherOptions {
  /** Strict by default: public addresses only. */
  readonly guard?: AddressGuard;
  readonly resolve?: ResolveHost;
  /** Certificates to trust in place of the usual ones. */
  readonly ca?: string;
  readonly timeoutMs?: number;
  readonly now?: () => number;
}

/** What the last answer gave to recognise an unchanged feed by. */
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
  readonly fault: FetchErrorCode;
  /** How long the server asks to be left alone, when it says. */
  readonly retryAfterMs: number | null;
}

export type FetchFeed = (
  address: string,
  known?: FeedValidators,
  stop?: AbortSignal,
) => Promise<FetchResult>;

export const MAX_FEED_BYTES = 5 * 1024 * 1024;
export const MAX_REDIRECTS = 3;
/** For everything together: names, connections, redirects and the last byte. */
export const FETCH_TIMEOUT_MS = 15_000;

const NOTHING_KNOWN: FeedValidators = { etag: null, lastModified: null };
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Validators are sent back as they came, so they must fit a header of ours. */
const VALIDATOR = /^[\x20-\x7e]{1,512}$/;

export function createFeedFetcher(options: FeedFetcherOptions = {}): FetchFeed {
  const { timeoutMs = FETCH_TIMEOUT_MS, now = Date.now } = options;
  const connect = createConnector(options);
  return async (address, known = NOTHING_KNOWN, stop) => {
    const deadline = AbortSignal.timeout(timeoutMs);
    const signal = stop === undefined ? deadline : AbortSignal.any([deadline, stop]);
    const started = parseFeedUrl(address);
    if (!started.ok) return fail(started.fault);
    try {
      return await follow(started.url, known, (url, headers) => connect(url, headers, signal), now);
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
      if (!REDIRECTS.has(status)) return await readAnswer(response, status, known, now);
      const target = parseFeedUrl(response.headers.location ?? "", url);
      if (!target.ok) return fail("redirect-refused");
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

async function readAnswer(
  response: IncomingMessage,
  status: number,
  known: FeedValidators,
  now: () => number,
): Promise<FetchResult> {
  const isKnown = known.etag !== null || known.lastModified !== null;
  if (status === 304 && isKnown) return { kind: "unchanged" };
  if (status !== 200) {
    const seconds = parseRetryAfter(response.headers["retry-after"] ?? null, now());
    return fail(faultOfStatus(status), seconds === null ? null : seconds * 1000);
  }
  const body = await readBody(response, MAX_FEED_BYTES);
  if (!body.ok) return fail(body.fault);
  return {
    kind: "fetched",
    bytes: body.bytes,
    etag: readValidator(response.headers.etag),
    lastModified: readValidator(response.headers["last-modified"]),
  };
}

function readValidator(value: string | undefined): string | null {
  return value !== undefined && VALIDATOR.test(value) ? value : null;
}

function faultOfStatus(status: number): FetchErrorCode {
  if (status === 401 || status === 403 || status === 407) return "access-denied";
  if (status === 404 || status === 410) return "not-found";
  if (status === 429) return "too-many-requests";
  return status >= 500 ? "server-failed" : "unexpected-status";
}

function createConnector({
  guard = createAddressGuard(),
  resolve = resolveWithSystem,
  ca,
}: FeedFetcherOptions) {
  const lookup = createGuardedLookup(guard, resolve);
  return (url: URL, headers: Headers, signal: AbortSignal) =>
    new Promise<IncomingMessage>((answer, refuse) => {
      const host = url.hostname.replace(/^\[|\]$/g, "");
      // Numbers are not looked up, so the guard in the lookup would never see them.
      if (isIP(host) !== 0 && !guard(host, host)) throw new RefusedAddressError();
      // An agent of its own for each connection: nothing is kept alive that another fetch could use.
      const options: RequestOptions = { lookup, headers, signal, agent: false };
      const asked = request(url, ca === undefined ? options : { ...options, ca });
      asked.on("socket", (socket) => {
        // Before the first byte is sent, and whatever led here.
        socket.once("connect", () => {
          if (!guard(host, socket.remoteAddress ?? "")) asked.destroy(new RefusedAddressError());
        });
      });
      asked.on("error", refuse);
      asked.on("response", answer);
      asked.end();
    });
}

function fail(fault: FetchErrorCode, retryAfterMs: number | null = null): FetchFailure {
  return { kind: "failed", fault, retryAfterMs };
}
