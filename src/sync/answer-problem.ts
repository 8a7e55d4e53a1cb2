/** The one place where a failure becomes an answer of the sync contract. */
import { SYNC_ERRORS, type SyncErrorCode } from "../contract/sync/errors.ts";
import { jsonAnswer, type Answer } from "../http/answer.ts";
import type { HttpProblem } from "../http/create-http-service.ts";

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
  const answer = (code: SyncErrorCode, details?: ErrorDetails) =>
    answerError(code, requestId, details);
  switch (problem.kind) {
    case "target-too-long":
      return answer("request_target_too_large");
    case "malformed-target":
      return answer("invalid_request");
    case "unknown-path":
      return answer("not_found");
    case "method-not-allowed":
      return answer("method_not_allowed", { headers: { Allow: problem.allow.join(", ") } });
    case "origin-denied":
      return answer("cors_denied");
    case "invalid-parameter":
    case "invalid-body":
      return answer(problem.code as SyncErrorCode);
    case "unauthenticated":
      return answer("invalid_access_token", { headers: { "WWW-Authenticate": "Bearer" } });
    case "unsupported-media-type":
      return answer("unsupported_media_type");
    case "too-large":
      return answer("payload_too_large");
    case "invalid-json":
      return answer("invalid_json");
    case "incomplete":
      return answer("invalid_request");
    case "malformed-request":
      return answer("invalid_request", { status: problem.status });
    case "rate-limited":
      return answer("rate_limited", retryAfter(problem.retryAfterSeconds));
    case "unavailable":
      return answer("storage_unavailable", retryAfter(problem.retryAfterSeconds));
    case "unexpected":
      return answer("internal_error");
  }
}

export const STORAGE_PROBLEM: HttpProblem = {
  kind: "unavailable",
  retryAfterSeconds: STORAGE_RETRY_SECONDS,
};

function retryAfter(seconds: number): ErrorDetails {
  return { headers: { "Retry-After": String(seconds) } };
}
