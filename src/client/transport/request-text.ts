/** Sends one bounded request for a small text. The time limit covers the body too. */
import { decodeUtf8 } from "../../rules/web-crypto.ts";
import { readChunks } from "./byte-source.ts";
import { createDeadline, type SetTimer } from "./deadline.ts";

/**
 * The part of `fetch` that the clients use. Replace it to send requests through another transport, or to
 * respond to them in a test.
 */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface TextRequest {
  readonly url: string;
  readonly method?: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly maxBytes: number;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly setTimer?: SetTimer;
  /** The body of an error response is read too, up to this number of bytes. */
  readonly maxErrorBytes?: number;
}

export type TextResult =
  | { readonly kind: "text"; readonly text: string; readonly headers: Headers }
  /** The status is any but 200. `text` is empty where the body is not read, too long or not UTF-8. */
  | {
      readonly kind: "http-status";
      readonly status: number;
      readonly headers: Headers;
      readonly text: string;
    }
  | TextRequestError;

/** `cause` is the runtime's error; it may name the host. */
export type TextRequestError =
  | { readonly kind: "unreachable"; readonly cause: unknown }
  | { readonly kind: "timeout"; readonly timeoutMs: number }
  | { readonly kind: "cancelled" }
  | { readonly kind: "redirected" }
  | { readonly kind: "too-large"; readonly maxBytes: number }
  | { readonly kind: "malformed-response"; readonly detail: string };

/** No route of the contracts redirects, so a redirect does not come from the service. */
export const REQUEST_POLICY: RequestInit = {
  redirect: "manual",
  credentials: "omit",
  referrerPolicy: "no-referrer",
};

export async function requestText(fetch: Fetch, request: TextRequest): Promise<TextResult> {
  const deadline = createDeadline(request.timeoutMs, request.signal, request.setTimer);
  try {
    return await deadline.during(() => send(fetch, request, deadline.signal));
  } catch (cause) {
    const reason = deadline.reason();
    if (reason === "timeout") return { kind: "timeout", timeoutMs: request.timeoutMs };
    return reason === "cancelled" ? { kind: "cancelled" } : { kind: "unreachable", cause };
  } finally {
    deadline.stop();
  }
}

async function send(fetch: Fetch, request: TextRequest, signal: AbortSignal): Promise<TextResult> {
  const { method = "GET", body = null, maxBytes } = request;
  const response = await fetch(request.url, {
    method,
    headers: { Accept: "application/json", ...request.headers },
    body,
    ...REQUEST_POLICY,
    signal,
  });
  const { status, headers } = response;
  // Browsers hide a redirect's status behind an opaque response.
  if (response.type === "opaqueredirect" || (status >= 300 && status < 400 && status !== 304)) {
    return { kind: "redirected" };
  }
  if (status !== 200) {
    const { maxErrorBytes = 0 } = request;
    const bytes = maxErrorBytes === 0 ? null : await readBounded(response, maxErrorBytes);
    return { kind: "http-status", status, headers, text: decode(bytes) ?? "" };
  }
  const bytes = await readBounded(response, maxBytes);
  if (bytes === null) return { kind: "too-large", maxBytes };
  const text = decode(bytes);
  return text === null
    ? { kind: "malformed-response", detail: "not UTF-8" }
    : { kind: "text", text, headers };
}

function decode(bytes: Uint8Array | null): string | null {
  try {
    return bytes === null ? null : decodeUtf8(bytes);
  } catch {
    return null;
  }
}

/** Null when the body is too long. Content-Length is not trusted. */
async function readBounded(response: Response, maxBytes: number): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of readChunks(response.body ?? new Blob().stream())) {
    length += chunk.length;
    if (length > maxBytes) return null;
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

/** Finds the error's code, all that is reported: some runtimes quote headers, with the token, in errors. */
export function findErrorCode(error: unknown): string | null {
  if (typeof error !== "object" || error === null) return null;
  const code = "code" in error ? error.code : null;
  if (typeof code === "string" && /^[A-Z]+(?:_[A-Z0-9]+)*$/.test(code)) return code;
  return "cause" in error ? findErrorCode(error.cause) : null;
}

/** Tells whether a value fits a bearer header: some runtimes quote one that does not in an error. */
export function isBearerToken(value: unknown): value is string {
  return typeof value === "string" && /^[\x21-\x7e]{1,8192}$/.test(value);
}
