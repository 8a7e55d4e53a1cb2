/** The one place where a failure becomes an answer of the events contract. */
import { EVENTS_ERRORS, type EventsErrorCode } from "../contract/events/errors.ts";
import { jsonResponse, type HttpResponse } from "../http/response.ts";
import type { HttpError } from "../http/http-error.ts";
import type { FormError } from "../rules/events/wire/token-requests.ts";
import type { ErrorView } from "./pages.ts";

export interface ErrorDetails {
  readonly status?: number;
  readonly description?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** RFC 6749 5.2 */
export function errorResponse(code: EventsErrorCode, details: ErrorDetails = {}): HttpResponse {
  const { status, description } = EVENTS_ERRORS[code];
  return jsonResponse(
    details.status ?? status,
    JSON.stringify({ error: code, error_description: details.description ?? description }),
    details.headers,
  );
}

export function answerFormFault({
  error,
  status,
  description,
  challenge,
}: FormError): HttpResponse {
  const headers = challenge === null ? {} : { "WWW-Authenticate": challenge };
  return errorResponse(error, { status, description, headers });
}

export function toErrorResponse(problem: HttpError): HttpResponse {
  const { code, page: _page, ...details } = explainProblem(problem);
  return errorResponse(code, details);
}

/** What a failure is to a program and to a person. */
export interface ExplainedError extends Required<Pick<ErrorDetails, "status" | "headers">> {
  readonly code: EventsErrorCode;
  readonly page: ErrorView["code"];
}

export function explainProblem(problem: HttpError): ExplainedError {
  switch (problem.kind) {
    case "target-too-long":
      return explain("invalid_request", "malformed-request", 414);
    case "unknown-path":
      return explain("not_found", "not-found");
    case "method-not-allowed":
      return explain("method_not_allowed", "method-not-allowed", 405, {
        Allow: problem.allow.join(", "),
      });
    case "unsupported-media-type":
      return explain("invalid_request", "malformed-request", 415);
    case "too-large":
      return explain("invalid_request", "malformed-request", 413);
    case "malformed-request":
      return explain("invalid_request", "malformed-request", problem.status);
    case "malformed-target":
    case "invalid-parameter":
    case "invalid-body":
    case "invalid-json":
    case "incomplete":
      return explain("invalid_request", "malformed-request");
    case "rate-limited":
      return explain("temporarily_unavailable", "too-many-requests", 429, retryAfter(problem));
    case "unavailable":
      return explain("temporarily_unavailable", "unavailable", 503, retryAfter(problem));
    // No route of this service asks the kit for these two.
    case "origin-denied":
    case "unauthenticated":
    case "unexpected":
      return explain("server_error", "unexpected");
  }
}

function explain(
  code: EventsErrorCode,
  page: ErrorView["code"],
  status: number = EVENTS_ERRORS[code].status,
  headers: Readonly<Record<string, string>> = {},
): ExplainedError {
  return { code, page, status, headers };
}

function retryAfter({ retryAfterSeconds }: { readonly retryAfterSeconds: number }) {
  return { "Retry-After": String(retryAfterSeconds) };
}

const STORAGE_RETRY_SECONDS = 5;

export const STORAGE_ERROR: HttpError = {
  kind: "unavailable",
  retryAfterSeconds: STORAGE_RETRY_SECONDS,
};
