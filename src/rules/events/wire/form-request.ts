/** What the token and the revocation route ask of a request before they look at its meaning. */
import { EVENTS_ERRORS, type EventsErrorCode } from "../../../contract/events/errors.ts";
import { FORM_TYPE, REALM } from "../../../contract/events/values.ts";
import type { RegisteredClient } from "./check-authorization.ts";
import { parseParameters, type Parameters } from "./parse-parameters.ts";

/** A request as it came: the outcome of reading its body within the limits, and what is beside it. */
export interface FormRequest {
  readonly body:
    | { readonly kind: "text"; readonly text: string }
    | {
        readonly kind: "unsupported-media-type" | "too-large" | "invalid-json" | "incomplete";
      };
  /** The query without its question mark. */
  readonly search: string;
  readonly authorization: string | null;
}

export interface FormError {
  readonly kind: "refused";
  readonly status: number;
  readonly error: EventsErrorCode;
  readonly description: string;
  /** The value of `WWW-Authenticate`, where one belongs. */
  readonly challenge: string | null;
}

export interface FormSubject {
  readonly request: FormRequest;
  readonly parameters: Parameters;
  readonly clients: readonly RegisteredClient[];
}

export type FormCheck = (subject: FormSubject) => FormError | null;

/** The first fault in the order of the checks, or the parameters that passed them all. */
export function runFormChecks(
  checks: readonly FormCheck[],
  request: FormRequest,
  clients: readonly RegisteredClient[],
): FormError | { readonly kind: "passed"; readonly parameters: Parameters } {
  const parameters = parseParameters(request.body.kind === "text" ? request.body.text : "");
  const subject = { request, parameters, clients };
  for (const check of checks) {
    const fault = check(subject);
    if (fault !== null) return fault;
  }
  return { kind: "passed", parameters };
}

export function checkMediaType({ request }: FormSubject): FormError | null {
  return request.body.kind === "unsupported-media-type"
    ? refuse("invalid_request", `The body must be ${FORM_TYPE}, not encoded`)
    : null;
}

export function checkSize({ request }: FormSubject): FormError | null {
  return request.body.kind === "too-large"
    ? { ...refuse("invalid_request", "The body is too large"), status: 413 }
    : null;
}

export function checkReadable({ request, parameters }: FormSubject): FormError | null {
  return request.body.kind === "text" && parameters.malformed.size === 0
    ? null
    : refuse("invalid_request", "The body is not UTF-8 in correct percent-encoding");
}

/** RFC 6749 3.2. Names that are not known are not echoed. */
export function checkGivenOnce({ parameters }: FormSubject): FormError | null {
  return parameters.repeated.size === 0
    ? null
    : refuse("invalid_request", "A parameter was given more than once");
}

/** RFC 6749 2.3.1: parameters in the address would end up in logs. */
export function checkQuery({ request }: FormSubject): FormError | null {
  const { values, repeated, malformed } = parseParameters(request.search);
  return values.size + repeated.size + malformed.size === 0
    ? null
    : refuse("invalid_request", "Parameters belong into the body, not into the address");
}

/** Clients are public: they have no secret to show (RFC 6749 5.2). */
export function checkBasic({ request }: FormSubject): FormError | null {
  return /^basic(?: |$)/i.test(request.authorization ?? "")
    ? {
        ...refuse("invalid_client", "Clients are public here: send client_id in the body"),
        challenge: `Basic realm="${REALM}"`,
      }
    : null;
}

export function checkGiven(name: string): FormCheck {
  return ({ parameters }) =>
    parameters.values.has(name) ? null : refuse("invalid_request", `${name} is missing`);
}

export function checkClientKnown({ parameters, clients }: FormSubject): FormError | null {
  const clientId = parameters.values.get("client_id");
  return clients.some(({ id }) => id === clientId) ? null : refuse("invalid_client");
}

export function refuse(error: EventsErrorCode, description?: string): FormError {
  const known = EVENTS_ERRORS[error];
  return {
    kind: "refused",
    status: known.status,
    error,
    description: description ?? known.description,
    challenge: null,
  };
}
