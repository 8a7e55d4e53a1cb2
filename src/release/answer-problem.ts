/** The one place where a failure becomes an answer of the release contract. */
import { RELEASE_ERRORS, type ReleaseErrorCode } from "../contract/release/errors.ts";
import { CACHE } from "../contract/release/routes.ts";
import { jsonAnswer, type Answer } from "../http/answer.ts";
import type { HttpProblem } from "../http/http-problem.ts";

export function answerError(
  code: ReleaseErrorCode,
  requestId: string,
  status: number = RELEASE_ERRORS[code].status,
): Answer {
  return errorAnswer(code, RELEASE_ERRORS[code].message, requestId, status);
}

/** The list of codes is closed, so a failure that has none of its own borrows the nearest. */
export function answerProblem(problem: HttpProblem, requestId: string): Answer {
  switch (problem.kind) {
    case "unknown-path":
    case "malformed-target":
    // Read-only: any other method is an address that does not exist.
    case "method-not-allowed":
    // No route takes a body, asks who is there or looks at the origin.
    case "invalid-body":
    case "invalid-json":
    case "incomplete":
    case "too-large":
    case "unsupported-media-type":
    case "unauthenticated":
    case "origin-denied":
    case "unavailable":
      return answerError("not_found", requestId);
    case "target-too-long":
      return answerError("not_found", requestId, 414);
    case "malformed-request":
      return answerError("not_found", requestId, problem.status);
    case "invalid-parameter":
      return answerError(problem.code as ReleaseErrorCode, requestId);
    case "rate-limited": {
      const { status, headers, body } = errorAnswer(
        "rate_limited",
        "Too many requests; wait and try again",
        requestId,
        429,
      );
      return {
        status,
        body,
        headers: { ...headers, "Retry-After": String(problem.retryAfterSeconds) },
      };
    }
    case "unexpected":
      return answerError("internal_error", requestId);
  }
}

function errorAnswer(code: string, message: string, requestId: string, status: number): Answer {
  return jsonAnswer(status, JSON.stringify({ error: { code, message, requestId } }), {
    "Cache-Control": CACHE.never,
  });
}
