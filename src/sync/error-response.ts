/** The one place where a failure becomes an answer of the sync contract. */
import { SYNC_ERRORS, type SyncErrorCode } from "../contract/sync/errors.ts";
import { jsonResponse, type HttpResponse } from "../http/response.ts";
import type { HttpError } from "../http/http-error.ts";

/** Public texts are bounded; what is longer loses its end. */
const MAX_MESSAGE_LENGTH = 512;
const STORAGE_RETRY_SECONDS = 5;

export interface ErrorDetails {
  readonly message?: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export function errorResponse(
  code: SyncErrorCode,
  requestId: string,
  details: ErrorDetails = {},
): HttpResponse {
  const message = (details.message ?? SYNC_ERRORS[code].message).slice(0, MAX_MESSAGE_LENGTH);
  return jsonResponse(
    details.status ?? SYNC_ERRORS[code].status,
    JSON.stringify({ error: code, message, requestId }),
    details.headers,
  );
}

export function toErrorResponse(problem: HttpError, requestId: string): HttpResponse {
  return errorResponse(codeOf(problem), requestId, detailsOf(problem));
}

export function codeOf(problem: HttpError): SyncErrorCode {
  switch (problem.kind) {
    case "target-too-long":
      return "request_target_too_large";
    case "unknown-path":
      return "not_found";
    case "method-not-allowed":
      return "method_not_allowed";
    case "origin-denied":
      return "cors_denied";
    case "invalid-parameter":
    case "invalid-body":
      return problem.code as SyncErrorCode;
    case "unauthenticated":
      return "invalid_access_token";
    case "unsupported-media-type":
      return "unsupported_media_type";
    case "too-large":
      return "payload_too_large";
    case "invalid-json":
      return "invalid_json";
    case "malformed-target":
    case "malformed-request":
    case "incomplete":
      return "invalid_request";
    case "rate-limited":
      return "rate_limited";
    case "unavailable":
      return "storage_unavailable";
    case "unexpected":
      return "internal_error";
  }
}

/** What some failures say beside their code. */
function detailsOf(problem: HttpError): ErrorDetails {
  switch (problem.kind) {
    case "method-not-allowed":
      return { headers: { Allow: problem.allow.join(", ") } };
    case "unauthenticated":
      return { headers: { "WWW-Authenticate": "Bearer" } };
    case "malformed-request":
      return { status: problem.status };
    case "rate-limited":
    case "unavailable":
      return { headers: { "Retry-After": String(problem.retryAfterSeconds) } };
    default:
      return {};
  }
}

export const STORAGE_ERROR: HttpError = {
  kind: "unavailable",
  retryAfterSeconds: STORAGE_RETRY_SECONDS,
};
