/** The one place where a failure becomes an answer of the release contract. */
import { RELEASE_ERRORS, type ReleaseErrorCode } from "../contract/release/errors.ts";
import { CACHE } from "../contract/release/routes.ts";
import { jsonResponse, type HttpResponse } from "../http/response.ts";
import type { HttpError } from "../http/http-error.ts";

export function errorResponse(
  code: ReleaseErrorCode,
  requestId: string,
  status: number = RELEASE_ERRORS[code].status,
): HttpResponse {
  return buildErrorResponse(code, RELEASE_ERRORS[code].message, requestId, status);
}

/** The list of codes is closed, so a failure that has none of its own borrows the nearest. */
export function toErrorResponse(problem: HttpError, requestId: string): HttpResponse {
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
      return errorResponse("not_found", requestId);
    case "target-too-long":
      return errorResponse("not_found", requestId, 414);
    case "malformed-request":
      return errorResponse("not_found", requestId, problem.status);
    case "invalid-parameter":
      return errorResponse(problem.code as ReleaseErrorCode, requestId);
    case "rate-limited": {
      const { status, headers, body } = buildErrorResponse(
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
      return errorResponse("internal_error", requestId);
  }
}

function buildErrorResponse(
  code: string,
  message: string,
  requestId: string,
  status: number,
): HttpResponse {
  return jsonResponse(status, JSON.stringify({ error: { code, message, requestId } }), {
    "Cache-Control": CACHE.never,
  });
}
