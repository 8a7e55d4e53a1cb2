/** Sends one request of a page's script to its own service. */
import { isObject } from "../../contract/is-object.ts";
import { parseJson } from "../../rules/parse-json.ts";

export interface PostResponse {
  readonly kind: "json";
  readonly body: Readonly<Record<string, unknown>>;
  /** Status and request id, for support. */
  readonly reference: string;
  header(name: string): string | null;
}

export type RequestError =
  | { readonly kind: "throttled"; readonly seconds: number }
  | { readonly kind: "unauthorized" }
  | { readonly kind: "offline" }
  /** The page was open for too long, or the session ended in another tab. */
  | { readonly kind: "outdated" }
  | { readonly kind: "unexpected"; readonly reference: string };

const TIMEOUT_MS = 30_000;
const MAX_WAIT_SECONDS = 3600;
const DEFAULT_WAIT_SECONDS = 15;

export interface PostOptions {
  readonly credentials: "omit" | "same-origin";
  readonly headers?: Readonly<Record<string, string>>;
}

export function postJson(
  endpoint: string,
  body: object,
  { credentials, headers }: PostOptions,
): Promise<PostResponse | RequestError> {
  const all = { "Content-Type": "application/json", ...headers };
  return post(endpoint, JSON.stringify(body), { credentials, headers: all });
}

/** Posts url-encoded members, as a form does. */
export function postForm(
  endpoint: string,
  members: Readonly<Record<string, string>>,
): Promise<PostResponse | RequestError> {
  const headers = { Accept: "application/json" };
  return post(endpoint, new URLSearchParams(members), { credentials: "same-origin", headers });
}

async function post(
  endpoint: string,
  body: string | URLSearchParams,
  options: PostOptions,
): Promise<PostResponse | RequestError> {
  // Not every supported browser has AbortSignal.timeout.
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), TIMEOUT_MS);
  try {
    const response = await fetch(endpoint, {
      method: "POST",
      body,
      cache: "no-store",
      redirect: "error",
      signal: controller.signal,
      ...options,
    });
    return await readResponse(response);
  } catch {
    return { kind: "offline" };
  } finally {
    clearTimeout(timer);
  }
}

async function readResponse(response: Response): Promise<PostResponse | RequestError> {
  const reference = `${response.status} · ${response.headers.get("X-Request-Id") ?? "-"}`;
  if (response.status === 401) return { kind: "unauthorized" };
  if (response.status === 403) return { kind: "outdated" };
  if (response.status === 429) {
    const seconds = Number(response.headers.get("Retry-After"));
    const isValid = Number.isInteger(seconds) && seconds > 0;
    return {
      kind: "throttled",
      seconds: isValid ? Math.min(seconds, MAX_WAIT_SECONDS) : DEFAULT_WAIT_SECONDS,
    };
  }
  const body = parseJson(await response.text());
  if (!isObject(body)) return { kind: "unexpected", reference };
  if (body["error"] === "interaction_expired") return { kind: "outdated" };
  if (!response.ok) return { kind: "unexpected", reference };
  return { kind: "json", body, reference, header: (name) => response.headers.get(name) };
}

/** Whether a response leads to this service: `//host` begins with a slash, too. */
export function isLocalPath(next: string): boolean {
  return next.startsWith("/") && new URL(next, location.href).origin === location.origin;
}
