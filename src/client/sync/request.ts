/** Requests to the sync server, whose failures are values. */
import { isObject, type Members } from "../../contract/is-object.ts";
import { KEY_HEADER } from "../../contract/sync/account-keys.ts";
import { parseRetryAfter } from "../../rules/http-headers.ts";
import { parseJson } from "../../rules/parse-json.ts";
import { findErrorCode, requestText, type TextResult } from "../transport/request-text.ts";
import { syncError } from "./errors.ts";
import type { SyncClientError } from "./results.ts";
import type { SyncSettings } from "./settings.ts";

export interface SyncRequest {
  readonly path: string;
  readonly method?: "GET" | "POST";
  readonly accessToken?: string;
  /** The body is JSON. */
  readonly body?: string;
  /** Proves the key of an encrypted account; a secret, as the token is. */
  readonly keyProof?: string;
  readonly signal: AbortSignal;
}

export type SyncResponse =
  | {
      readonly kind: "ok";
      readonly text: string;
      readonly value: Members;
      readonly headers: Headers;
    }
  | RequestFailure;

export interface RequestFailure {
  readonly kind: "failed";
  readonly error: SyncClientError;
  /** Zero when there was no response. */
  readonly status: number;
  /** The server's error code. */
  readonly code: string | null;
  readonly retryAfterSeconds: number | null;
  readonly headers: Headers | null;
}

/** Covers a page of the largest operations on a slow connection. */
const TIMEOUT_MS = 60_000;
/** 500 operations of 64 KiB, and what surrounds them. */
export const MAX_RESPONSE_BYTES = 34 * 1024 * 1024;
const RESPONSE_TOO_LARGE = "response_too_large";
const MAX_ERROR_BYTES = 16 * 1024;
const ERROR_CODE = /^[a-z][a-z_]{0,63}$/;

/** What the server receives twice, it takes once. A code of a sign-in works once, and keys have rules of their own. */
const REPEATABLE: ReadonlySet<string> = new Set(["/v1/push", "/v1/refresh"]);

export async function requestSync(
  { baseUrl, fetch, setTimer, now }: Pick<SyncSettings, "baseUrl" | "fetch" | "setTimer" | "now">,
  { path, method = "GET", accessToken, body, keyProof, signal }: SyncRequest,
): Promise<SyncResponse> {
  const request = {
    url: baseUrl + path,
    method,
    headers: {
      ...(accessToken !== undefined && { Authorization: `Bearer ${accessToken}` }),
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...(keyProof !== undefined && { [KEY_HEADER]: keyProof }),
    },
    ...(body !== undefined && { body }),
    maxBytes: MAX_RESPONSE_BYTES,
    maxErrorBytes: MAX_ERROR_BYTES,
    timeoutMs: TIMEOUT_MS,
    setTimer,
    signal,
  } as const;
  const first = await requestText(fetch, request);
  // Such as on a connection that the server had just closed.
  const isRepeated = first.kind === "unreachable" && (method === "GET" || REPEATABLE.has(path));
  const result = isRepeated ? await requestText(fetch, request) : first;
  // The response to what is created is short.
  const isCreated = result.kind === "http-status" && result.status === 201;
  if (result.kind === "text" || isCreated) {
    const { text, headers } = result;
    const value = parseJson(text);
    return isObject(value)
      ? { kind: "ok", text, value, headers }
      : failure(syncError("not-a-sync-server"));
  }
  if (result.kind === "http-status") return readError(result, now());
  const failed = failure(toError(result));
  return result.kind === "too-large" ? { ...failed, code: RESPONSE_TOO_LARGE } : failed;
}

export function failure(error: SyncClientError): RequestFailure {
  return { kind: "failed", error, status: 0, code: null, retryAfterSeconds: null, headers: null };
}

/** The account has another key than the request was made for. */
export function otherKey(): RequestFailure {
  return { ...failure(syncError("unstable-log")), code: "key_unknown" };
}

/** The device did not read all of it: sealed operations may be larger than such pages are meant for. */
export function isResponseTooLarge({ code }: RequestFailure): boolean {
  return code === RESPONSE_TOO_LARGE;
}

export function isOtherKey({ code }: RequestFailure): boolean {
  return code === "key_unknown" || code === "key_replaced";
}

/** Leaves the runtime's error out: some runtimes quote request headers in it, and one has the token. */
function toError(result: Exclude<TextResult, { kind: "text" | "http-status" }>): SyncClientError {
  switch (result.kind) {
    case "unreachable":
      return syncError("unreachable", { code: findErrorCode(result.cause) });
    case "timeout":
      return syncError("timeout");
    case "cancelled":
      return syncError("closed");
    case "redirected":
    case "too-large":
    case "malformed-response":
      return syncError("not-a-sync-server");
  }
}

function readError(
  { status, headers, text }: Extract<TextResult, { kind: "http-status" }>,
  now: number,
): RequestFailure {
  const code = readErrorCode(parseJson(text));
  return {
    kind: "failed",
    error: classify(status, code),
    status,
    code,
    retryAfterSeconds: parseRetryAfter(headers.get("Retry-After"), now),
    headers,
  };
}

/** The code of the contract's envelope; null for the error of a proxy, which says nothing of the operations. */
function readErrorCode(envelope: unknown): string | null {
  if (!isObject(envelope)) return null;
  const { error, message, requestId } = envelope;
  const isOurs = typeof message === "string" && typeof requestId === "string";
  return isOurs && typeof error === "string" && ERROR_CODE.test(error) ? error : null;
}

function classify(status: number, code: string | null): SyncClientError {
  if (status === 429) return syncError("rate-limited");
  if (code === "quota_exceeded") return syncError("quota-exceeded");
  if (status >= 500) return syncError("server-error", { status, code });
  // Every error of a sync server has a code; a proxy does not know its envelope.
  if (code !== null) return syncError("request-refused", { status, code });
  const error = syncError("not-a-sync-server", { status });
  return { ...error, message: `${error.message} (status ${status})` };
}
