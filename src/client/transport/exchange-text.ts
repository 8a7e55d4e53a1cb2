/** One bounded request for a small text: its bytes are counted as they come, its time ends with its body. */
import { readChunks } from "./byte-source.ts";
import { createDeadline } from "./deadline.ts";

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface TextRequest {
  readonly url: string;
  readonly method?: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly maxBytes: number;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

export type TextExchange =
  | { readonly kind: "text"; readonly text: string; readonly headers: Headers }
  /** Any status but 200; its body is not read. */
  | { readonly kind: "http-status"; readonly status: number; readonly headers: Headers }
  | ExchangeError;

/** Why no answer came that could be read. `cause` is what the runtime said; it may name the host. */
export type ExchangeError =
  | { readonly kind: "unreachable"; readonly cause: unknown }
  | { readonly kind: "timeout"; readonly timeoutMs: number }
  | { readonly kind: "cancelled" }
  | { readonly kind: "redirected" }
  | { readonly kind: "too-large"; readonly maxBytes: number }
  | { readonly kind: "malformed-answer"; readonly detail: string };

export async function exchangeText(fetch: Fetch, request: TextRequest): Promise<TextExchange> {
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
): Promise<TextExchange> {
  const { method = "GET", body = null } = request;
  const response = await fetch(request.url, {
    method,
    headers: { Accept: "application/json", ...request.headers },
    body,
    // No contract redirects these routes: whoever does is not the service.
    redirect: "manual",
    credentials: "omit",
    referrerPolicy: "no-referrer",
    signal,
  });
  const { status, headers } = response;
  // A browser hides the answer behind a redirect and says only that there was one.
  if (response.type === "opaqueredirect" || (status >= 300 && status < 400 && status !== 304)) {
    return { kind: "redirected" };
  }
  if (status !== 200) return { kind: "http-status", status, headers };
  const bytes = await readBounded(response, request.maxBytes);
  if (bytes === null) return { kind: "too-large", maxBytes: request.maxBytes };
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return { kind: "text", text, headers };
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
