/** Turns errors into responses of the release contract. */
import { RELEASE_ERRORS, type ReleaseErrorCode } from "../../contract/release/errors.ts";
import { CACHE } from "../../contract/release/routes.ts";
import { toCodedError, type ErrorTable, type HttpError } from "../../http/http-error.ts";
import { jsonResponse, type HttpResponse } from "../../http/response.ts";

/** The list of the contract is closed; an operator who sets a rate limit adds one code to it. */
const ERRORS = {
  ...RELEASE_ERRORS,
  rate_limited: { status: 429, message: "Too many requests; wait and try again" },
} as const;

const ERROR_TABLE: ErrorTable<keyof typeof ERRORS> = {
  errors: ERRORS,
  codes: {
    "unknown-path": "not_found",
    "malformed-target": "not_found",
    // The service is read-only: under any other method the address does not exist.
    "method-not-allowed": "not_found",
    "target-too-long": { code: "not_found", status: 414 },
    "malformed-request": "not_found",
    "rate-limited": "rate_limited",
    unexpected: "internal_error",
    // No route has a body, an authentication, an origin check or a store.
    "invalid-json": "not_found",
    incomplete: "not_found",
    "too-large": "not_found",
    "unsupported-media-type": "not_found",
    unauthenticated: "not_found",
    "origin-denied": "not_found",
    unavailable: "not_found",
  },
};

export function errorResponse(code: ReleaseErrorCode, requestId: string): HttpResponse {
  return buildErrorResponse(code, requestId, ERRORS[code].status);
}

export function toErrorResponse(error: HttpError, requestId: string): HttpResponse {
  const { code, status, headers } = toCodedError(error, ERROR_TABLE);
  const response = buildErrorResponse(code, requestId, status);
  return { ...response, headers: { ...response.headers, ...headers } };
}

function buildErrorResponse(
  code: keyof typeof ERRORS,
  requestId: string,
  status: number,
): HttpResponse {
  const { message } = ERRORS[code];
  const body = JSON.stringify({ error: { code, message, requestId } });
  return { ...jsonResponse(status, body, { "Cache-Control": CACHE.never }), errorCode: code };
}
