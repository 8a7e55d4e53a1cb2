/** Turns errors into responses of the events contract. */
import { EVENTS_ERRORS, type EventsErrorCode } from "../../contract/events/errors.ts";
import { EVENTS_STRICTNESS } from "../../contract/strictness.ts";
import { toCodedError, type CodedError, type HttpError } from "../../http/http-error.ts";
import { jsonResponse, type HttpResponse } from "../../http/response.ts";
import type { FormError } from "../../rules/events/wire/token-requests.ts";

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
  return toCodedError(error, EVENTS_STRICTNESS);
}
