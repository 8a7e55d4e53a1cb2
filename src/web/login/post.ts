/** One request of a page to its own service, and what can come of it. */
import { createTimer } from "./request-timer.ts";

export interface JsonResponse {
  readonly body: Readonly<Record<string, unknown>>;
  readonly reference: string;
  readonly serverTime: number;
}

export type RequestError =
  | { readonly kind: "throttled"; readonly seconds: number }
  | { readonly kind: "refused" }
  | { readonly kind: "offline" }
  /** The page was open for too long, or the session ended in another tab. */
  | { readonly kind: "outdated" }
  /** Anything the page cannot make sense of, with what a person can tell who runs the server. */
  | { readonly kind: "unanswered"; readonly reference: string };

const TIMEOUT_MS = 30_000;
const LONGEST_WAIT_SECONDS = 3600;

export interface PostOptions {
  readonly credentials: "omit" | "same-origin";
  readonly headers?: Readonly<Record<string, string>>;
}

export function postJson(
  endpoint: string,
  body: object,
  { credentials, headers }: PostOptions,
): Promise<JsonResponse | RequestError> {
  const all = { "Content-Type": "application/json", ...headers };
  return post(endpoint, JSON.stringify(body), { credentials, headers: all });
}

/** As a form does it; the answer is JSON all the same. */
export function postForm(
  endpoint: string,
  members: Readonly<Record<string, string>>,
): Promise<JsonResponse | RequestError> {
  const headers = { Accept: "application/json" };
  return post(endpoint, new URLSearchParams(members), { credentials: "same-origin", headers });
}

async function post(
  endpoint: string,
  body: string | URLSearchParams,
  options: PostOptions,
): Promise<JsonResponse | RequestError> {
  const timer = createTimer(TIMEOUT_MS);
  try {
    const response = await fetch(endpoint, {
      method: "POST",
      body,
      cache: "no-store",
      redirect: "error",
      signal: timer.signal,
      ...options,
    });
    return await readAnswer(response);
  } catch {
    return { kind: "offline" };
  } finally {
    timer.stop();
  }
}

export function unansweredBy({ reference }: JsonResponse): RequestError {
  return { kind: "unanswered", reference };
}

async function readAnswer(response: Response): Promise<JsonResponse | RequestError> {
  const reference = `${response.status} · ${response.headers.get("X-Request-Id") ?? "-"}`;
  if (response.status === 401) return { kind: "refused" };
  if (response.status === 403) return { kind: "outdated" };
  if (response.status === 429) {
    const seconds = Number(response.headers.get("Retry-After"));
    const known = Number.isInteger(seconds) && seconds > 0;
    return { kind: "throttled", seconds: known ? Math.min(seconds, LONGEST_WAIT_SECONDS) : 15 };
  }
  const body = await readObject(response);
  if (body?.["error"] === "interaction_expired") return { kind: "outdated" };
  if (!response.ok || body === null) return { kind: "unanswered", reference };
  const date = Date.parse(response.headers.get("Date") ?? "");
  return { body, reference, serverTime: Number.isNaN(date) ? Date.now() : date };
}

async function readObject(response: Response): Promise<Readonly<Record<string, unknown>> | null> {
  const text = await response.text();
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" ? (value as Readonly<Record<string, unknown>> | null) : null;
  } catch {
    return null;
  }
}
