import {
  findErrorCode,
  requestText,
  type TextRequestError,
  type TextRequest,
} from "../transport/request-text.ts";
import { parseJson } from "../../rules/parse-json.ts";
import { parseRetryAfter } from "../../rules/http-headers.ts";
import type { EventsSettings } from "./settings.ts";

/** No secret and nothing of a response is in an error, so that an app can log it. */
export type EventsClientError =
  | Exclude<TextRequestError, { kind: "unreachable" }>
  /** `code` is the platform's error code, such as `ENOTFOUND` or `CERT_HAS_EXPIRED`. */
  | { readonly kind: "unreachable"; readonly code: string | null }
  | { readonly kind: "http-status"; readonly status: number }
  | { readonly kind: "rate-limited"; readonly retryAfterSeconds: number | null };

interface JsonResponse {
  readonly kind: "json";
  readonly value: unknown;
  readonly headers: Headers;
}

export async function requestJson(
  { fetch, limits, now }: EventsSettings,
  request: Omit<TextRequest, "maxBytes" | "timeoutMs">,
): Promise<JsonResponse | EventsClientError> {
  const response = await requestText(fetch, {
    ...request,
    maxBytes: limits.maxResponseBytes,
    timeoutMs: limits.timeoutMs,
  });
  switch (response.kind) {
    case "text": {
      // RFC 8259 8.1: a reader may ignore a byte order mark; scripts on some services put one there.
      const value = parseJson(response.text.replace(/^\uFEFF/, ""));
      return value === undefined
        ? { kind: "malformed-response", detail: "not JSON" }
        : { kind: "json", value, headers: response.headers };
    }
    case "http-status":
      return response.status === 429
        ? {
            kind: "rate-limited",
            retryAfterSeconds: parseRetryAfter(response.headers.get("Retry-After"), now()),
          }
        : { kind: "http-status", status: response.status };
    case "unreachable":
      return { kind: "unreachable", code: findErrorCode(response.cause) };
    default:
      return response;
  }
}
