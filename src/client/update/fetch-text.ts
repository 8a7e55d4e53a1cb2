/** One bounded GET of a small text: its bytes are counted as they come, its time ends with its body. */
import { createDeadline } from "./deadline.ts";
import { readChunks } from "./byte-source.ts";

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface TextRequest {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly maxBytes: number;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Why no usable answer came. `cause` is what the runtime said; it may name the host. */
export type TransportProblem =
  | { readonly kind: "unreachable"; readonly cause: unknown }
  | { readonly kind: "timeout"; readonly timeoutMs: number }
  | { readonly kind: "cancelled" }
  | { readonly kind: "redirected" }
  | { readonly kind: "http-status"; readonly status: number }
  | { readonly kind: "too-large"; readonly maxBytes: number }
  | { readonly kind: "malformed-answer"; readonly detail: string };

export type TextAnswer =
  | { readonly kind: "text"; readonly text: string; readonly etag: string | null }
  | { readonly kind: "not-modified" };

export async function fetchText(
  fetch: Fetch,
  request: TextRequest,
): Promise<TextAnswer | TransportProblem> {
  const deadline = createDeadline(request.timeoutMs, request.signal);
  try {
    return await deadline.during(() => exchange(fetch, request, deadline.signal));
  } catch (cause) {
    const reason = deadline.reason();
    if (reason === "timeout") return { kind: "timeout", timeoutMs: request.timeoutMs };
    return reason === "cancelled" ? { kind: "cancelled" } : { kind: "unreachable", cause };
  } finally {
    deadline.stop();
  }
}

async function exchange(
  fetch: Fetch,
  request: TextRequest,
  signal: AbortSignal,
): Promise<TextAnswer | TransportProblem> {
  const response = await fetch(request.url, {
    headers: { Accept: "application/json", ...request.headers },
    // The contract redirects none of these routes: whoever does is not the service.
    redirect: "manual",
    credentials: "omit",
    referrerPolicy: "no-referrer",
    signal,
  });
  const { status } = response;
  if (status === 304) return { kind: "not-modified" };
  // A browser hides the answer behind a redirect and says only that there was one.
  if (response.type === "opaqueredirect" || (status >= 300 && status < 400)) {
    return { kind: "redirected" };
  }
  if (status !== 200) return { kind: "http-status", status };
  const bytes = await readBounded(response, request.maxBytes);
  if (bytes === null) return { kind: "too-large", maxBytes: request.maxBytes };
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return { kind: "text", text, etag: response.headers.get("ETag") };
  } catch {
    return { kind: "malformed-answer", detail: "not UTF-8" };
  }
}

/** The body, or null when it is longer than allowed, whatever its Content-Length claims. */
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
