/** Checks of the token request (RFC 6749 4.1.3) and of the revocation request (RFC 7009 2.1). */
import { EVENTS_ERRORS, type EventsErrorCode } from "../../../contract/events/errors.ts";
import { FORM_TYPE, REALM } from "../../../contract/events/values.ts";
import type { RegisteredClient } from "./authorization.ts";
import { parseParameters, type Parameters } from "./parse-parameters.ts";

/** A request as it was received. */
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
  /** The value of `WWW-Authenticate`, if the response has one. */
  readonly challenge: string | null;
}

export type TokenRequestResult =
  | {
      readonly kind: "accepted";
      readonly clientId: string;
      readonly code: string;
      readonly redirectUri: string;
      /** Not checked: a malformed verifier consumes the code like any other wrong one. */
      readonly codeVerifier: string;
    }
  | FormError;

export type RevocationRequestResult =
  | { readonly kind: "accepted"; readonly clientId: string; readonly token: string }
  | FormError;

interface FormSubject {
  readonly request: FormRequest;
  readonly parameters: Parameters;
  readonly clients: readonly RegisteredClient[];
}

type FormCheck = (subject: FormSubject) => FormError | null;

/** The first error in this order counts. */
const FORM_CHECKS: readonly FormCheck[] = [
  checkMediaType,
  checkSize,
  checkReadable,
  checkGivenOnce,
  checkQuery,
  checkBasic,
];

const TOKEN_CHECKS: readonly FormCheck[] = [
  ...FORM_CHECKS,
  checkGiven("grant_type"),
  checkGrantTypeSupported,
  checkGiven("client_id"),
  checkGiven("code"),
  checkGiven("redirect_uri"),
  checkGiven("code_verifier"),
  checkClientKnown,
];

/** `token_type_hint` is ignored (RFC 7009 2.1). */
const REVOCATION_CHECKS: readonly FormCheck[] = [
  ...FORM_CHECKS,
  checkGiven("token"),
  checkGiven("client_id"),
  checkClientKnown,
];

/** Whether the code can be redeemed is not checked here. */
export function checkTokenRequest(
  request: FormRequest,
  clients: readonly RegisteredClient[],
): TokenRequestResult {
  const result = runFormChecks(TOKEN_CHECKS, request, clients);
  if (result.kind === "refused") return result;
  const { read } = result;
  return {
    kind: "accepted",
    clientId: read("client_id"),
    code: read("code"),
    redirectUri: read("redirect_uri"),
    codeVerifier: read("code_verifier"),
  };
}

export function checkRevocationRequest(
  request: FormRequest,
  clients: readonly RegisteredClient[],
): RevocationRequestResult {
  const result = runFormChecks(REVOCATION_CHECKS, request, clients);
  if (result.kind === "refused") return result;
  return { kind: "accepted", clientId: result.read("client_id"), token: result.read("token") };
}

function runFormChecks(
  checks: readonly FormCheck[],
  request: FormRequest,
  clients: readonly RegisteredClient[],
): FormError | { readonly kind: "passed"; read(name: string): string } {
  const parameters = parseParameters(request.body.kind === "text" ? request.body.text : "");
  for (const check of checks) {
    const error = check({ request, parameters, clients });
    if (error !== null) return error;
  }
  return { kind: "passed", read: (name) => parameters.values.get(name) ?? "" };
}

function checkMediaType({ request }: FormSubject): FormError | null {
  return request.body.kind === "unsupported-media-type"
    ? refuse("invalid_request", `The body must be ${FORM_TYPE}, not encoded`)
    : null;
}

function checkSize({ request }: FormSubject): FormError | null {
  return request.body.kind === "too-large"
    ? { ...refuse("invalid_request", "The body is too large"), status: 413 }
    : null;
}

function checkReadable({ request, parameters }: FormSubject): FormError | null {
  return request.body.kind === "text" && parameters.malformed.size === 0
    ? null
    : refuse("invalid_request", "The body is not UTF-8 in correct percent-encoding");
}

/** RFC 6749 3.2. Unknown names are not echoed. */
function checkGivenOnce({ parameters }: FormSubject): FormError | null {
  return parameters.repeated.size === 0
    ? null
    : refuse("invalid_request", "A parameter was given more than once");
}

/** RFC 6749 2.3.1: parameters in the URL would end up in logs. */
function checkQuery({ request }: FormSubject): FormError | null {
  const { values, repeated, malformed } = parseParameters(request.search);
  return values.size + repeated.size + malformed.size === 0
    ? null
    : refuse("invalid_request", "Parameters belong into the body, not into the address");
}

/** RFC 6749 5.2: clients are public and have no secret to authenticate with. */
function checkBasic({ request }: FormSubject): FormError | null {
  return /^basic(?: |$)/i.test(request.authorization ?? "")
    ? {
        ...refuse("invalid_client", "Clients are public here: send client_id in the body"),
        challenge: `Basic realm="${REALM}"`,
      }
    : null;
}

function checkGiven(name: string): FormCheck {
  return ({ parameters }) =>
    parameters.values.has(name) ? null : refuse("invalid_request", `${name} is missing`);
}

function checkGrantTypeSupported({ parameters }: FormSubject): FormError | null {
  return parameters.values.get("grant_type") === "authorization_code"
    ? null
    : refuse("unsupported_grant_type");
}

function checkClientKnown({ parameters, clients }: FormSubject): FormError | null {
  const clientId = parameters.values.get("client_id");
  return clients.some(({ id }) => id === clientId) ? null : refuse("invalid_client");
}

function refuse(error: EventsErrorCode, description?: string): FormError {
  const known = EVENTS_ERRORS[error];
  return {
    kind: "refused",
    status: known.status,
    error,
    description: description ?? known.description,
    challenge: null,
  };
}
