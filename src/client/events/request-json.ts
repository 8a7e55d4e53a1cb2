/** A request whose answer is JSON. Nothing secret and nothing of the answer is in what goes wrong. */
import { parseRetryAfter } from "../../rules/events/client/retry-after.ts";
import { exchangeText, type TextRequest } from "../transport/exchange-text.ts";
import type { EventsSettings } from "./settings.ts";

export type EventsClientError =
  /** `code` is the platform's word for it, such as `ENOTFOUND` or `CERT_HAS_EXPIRED`. */
  | { readonly kind: "unreachable"; readonly code: string | null }
  | { readonly kind: "timeout"; readonly timeoutMs: number }
  | { readonly kind: "cancelled" }
  | { readonly kind: "redirected" }
  | { readonly kind: "http-status"; readonly status: number }
  | { readonly kind: "rate-limited"; readonly retryAfterSeconds: number | null }
  | { readonly kind: "too-large"; readonly maxBytes: number }
  | { readonly kind: "malformed-answer"; readonly detail: string };

export interface JsonResponse {
  readonly kind: "json";
  readonly value: unknown;
  readonly headers: Headers;
}

export async function requestJson(
  { fetch, limits, now }: EventsSettings,
  request: Omit<TextRequest, "maxBytes" | "timeoutMs">,
): Promise<JsonResponse | EventsClientError> {
  const answer = await exchangeText(fetch, {
    ...request,
    maxBytes: limits.maxAnswerBytes,
    timeoutMs: limits.timeoutMs,
  });
  switch (answer.kind) {
    case "text":
      return parseJson(answer.text, answer.headers);
    case "http-status":
      return answer.status === 429
        ? {
            kind: "rate-limited",
            retryAfterSeconds: parseRetryAfter(answer.headers.get("Retry-After"), now()),
          }
        : { kind: "http-status", status: answer.status };
    case "unreachable":
      return { kind: "unreachable", code: findCode(answer.cause) };
    default:
      return answer;
  }
}

function parseJson(text: string, headers: Headers): JsonResponse | EventsClientError {
  try {
    return { kind: "json", value: JSON.parse(text), headers };
  } catch {
    // The parser's own message quotes the text.
    return { kind: "malformed-answer", detail: "not JSON" };
  }
}

/** The error itself stays here: some runtimes quote a header in it, and a header has the token. */
function findCode(error: unknown): string | null {
  if (typeof error !== "object" || error === null) return null;
  const code = "code" in error ? error.code : null;
  if (typeof code === "string" && /^[A-Z]+(?:_[A-Z0-9]+)*$/.test(code)) return code;
  return "cause" in error ? findCode(error.cause) : null;
}
