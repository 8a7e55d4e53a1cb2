/** Turns errors into responses of the events contract. */
import { EVENTS_ERRORS, type EventsErrorCode } from "../../contract/events/errors.ts";
import {
  toCodedError,
  type CodedError,
  type ErrorTable,
  type HttpError,
} from "../../http/http-error.ts";
import { jsonResponse, type HttpResponse } from "../../http/response.ts";
import type { FormError } from "../../rules/events/wire/token-requests.ts";

const ERROR_TABLE: ErrorTable<EventsErrorCode> = {
  errors: EVENTS_ERRORS,
  codes: {
    "target-too-long": { code: "invalid_request", status: 414 },
    "unknown-path": "not_found",
    "method-not-allowed": "method_not_allowed",
    "unsupported-media-type": { code: "invalid_request", status: 415 },
    "too-large": { code: "invalid_request", status: 413 },
    "malformed-request": "invalid_request",
    "malformed-target": "invalid_request",
    "invalid-json": "invalid_request",
    incomplete: "invalid_request",
    "rate-limited": "temporarily_unavailable",
    unavailable: { code: "temporarily_unavailable", status: 503 },
    unexpected: "server_error",
    // The hooks of this service return neither of them.
    "origin-denied": "server_error",
    unauthenticated: "server_error",
  },
};

export interface ErrorDetails {
  readonly status?: number;
  readonly description?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** RFC 6749 5.2 */
export function errorResponse(code: EventsErrorCode, details: ErrorDetails = {}): HttpResponse {
  const { status, description } = EVENTS_ERRORS[code];
  const body = JSON.stringify({
    error: code,
    error_description: details.description ?? description,
  });
  return { ...jsonResponse(details.status ?? status, body, details.headers), errorCode: code };
}

export function formErrorResponse({
  error,
  status,
  description,
  challenge,
}: FormError): HttpResponse {
  const headers = challenge === null ? {} : { "WWW-Authenticate": challenge };
  return errorResponse(error, { status, description, headers });
}

export function toErrorResponse(error: HttpError): HttpResponse {
  const { code, ...details } = toEventsError(error);
  return errorResponse(code, details);
}

export function toEventsError(error: HttpError): CodedError<EventsErrorCode> {
  return toCodedError(error, ERROR_TABLE);
}
