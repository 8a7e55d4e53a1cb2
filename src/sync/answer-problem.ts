/** The one place where a failure becomes an answer of the sync contract. */
import { SYNC_ERRORS, type SyncErrorCode } from "../contract/sync/errors.ts";
import { jsonAnswer, type Answer } from "../http/answer.ts";
import type { HttpProblem } from "../http/http-problem.ts";

/** Public texts are bounded; what is longer loses its end. */
const MAX_MESSAGE_LENGTH = 512;
const STORAGE_RETRY_SECONDS = 5;

export interface ErrorDetails {
  readonly message?: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export function answerError(
  code: SyncErrorCode,
  requestId: string,
  details: ErrorDetails = {},
): Answer {
  const message = (details.message ?? SYNC_ERRORS[code].message).slice(0, MAX_MESSAGE_LENGTH);
  return jsonAnswer(
    details.status ?? SYNC_ERRORS[code].status,
    JSON.stringify({ error: code, message, requestId }),
    details.headers,
  );
}

export function answerProblem(problem: HttpProblem, requestId: string): Answer {
  return answerError(codeOf(problem), requestId, detailsOf(problem));
}

export function codeOf(problem: HttpProblem): SyncErrorCode {
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
function detailsOf(problem: HttpProblem): ErrorDetails {
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

export const STORAGE_PROBLEM: HttpProblem = {
  kind: "unavailable",
  retryAfterSeconds: STORAGE_RETRY_SECONDS,
};
