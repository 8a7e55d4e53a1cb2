/** Checks of the token request (RFC 6749 4.1.3) and of the revocation request (RFC 7009 2.1). */
import { EVENTS_ERRORS, type EventsErrorCode } from "../../../contract/events/errors.ts";
import { FORM_TYPE, REALM, REVOKE_PATH, TOKEN_PATH } from "../../../contract/events/values.ts";
import { EVENTS_STRICTNESS } from "../../../contract/strictness.ts";
import type { RegisteredClient } from "./authorization.ts";
import { parseParameters, type Parameters } from "./parse-parameters.ts";

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
      /** The form is not checked: a malformed one consumes the code like any other wrong one. */
      readonly codeVerifier: string;
    }
  | FormError;

export type RevocationRequestResult =
  | { readonly kind: "accepted"; readonly clientId: string; readonly token: string }
  | FormError;

/** Whether the code can be redeemed is not checked here. */
export function checkTokenRequest(
  request: FormRequest,
  clients: readonly RegisteredClient[],
): TokenRequestResult {
  const parameters = readForm(request);
  const { values } = parameters;
  const error =
    findFormError(request, parameters, TOKEN_PATH) ??
    findMissing(values, "grant_type") ??
    (values.get("grant_type") === "authorization_code" ? null : refuse("unsupported_grant_type")) ??
    findMissing(values, "client_id", "code", "redirect_uri", "code_verifier") ??
    findUnknownClient(values, clients);
  if (error !== null) return error;
  return {
    kind: "accepted",
    clientId: values.get("client_id") ?? "",
    code: values.get("code") ?? "",
    redirectUri: values.get("redirect_uri") ?? "",
    codeVerifier: values.get("code_verifier") ?? "",
  };
}

/** `token_type_hint` is ignored (RFC 7009 2.1). */
export function checkRevocationRequest(
  request: FormRequest,
  clients: readonly RegisteredClient[],
): RevocationRequestResult {
  const parameters = readForm(request);
  const { values } = parameters;
  const error =
    findFormError(request, parameters, REVOKE_PATH) ??
    findMissing(values, "token", "client_id") ??
    findUnknownClient(values, clients);
  if (error !== null) return error;
  const clientId = values.get("client_id") ?? "";
  return { kind: "accepted", clientId, token: values.get("token") ?? "" };
}

function readForm({ body }: FormRequest): Parameters {
  return parseParameters(body.kind === "text" ? body.text : "");
}

const NOT_UTF_8 = "The body is not UTF-8 in correct percent-encoding";
const BODY_ERRORS = {
  "unsupported-media-type": `The body must be ${FORM_TYPE} in UTF-8, not encoded`,
  "too-large": "The body is too large",
  "invalid-json": NOT_UTF_8,
  incomplete: NOT_UTF_8,
} as const;

/** The first error in the order of these lines counts. */
function findFormError(
  request: FormRequest,
  parameters: Parameters,
  path: string,
): FormError | null {
  const { body } = request;
  if (body.kind !== "text") {
    const { code, status } = EVENTS_STRICTNESS.errorOf(body.kind, path);
    return { ...refuse(code, BODY_ERRORS[body.kind]), status };
  }
  if (parameters.malformed.size > 0) return refuse("invalid_request", NOT_UTF_8);
  // RFC 6749 3.2. The name is not echoed.
  if (parameters.repeated.size > 0) {
    return refuse("invalid_request", "A parameter was given more than once");
  }
  // RFC 6749 2.3.1: parameters in the URL would end up in logs.
  const query = parseParameters(request.search);
  if (query.values.size + query.repeated.size + query.malformed.size > 0) {
    return refuse("invalid_request", "Parameters belong in the body, not in the address");
  }
  // RFC 6749 5.2: clients are public and have no secret to authenticate with.
  if (/^basic(?: |$)/i.test(request.authorization ?? "")) {
    const error = refuse("invalid_client", "Clients are public here: send client_id in the body");
    return { ...error, challenge: `Basic realm="${REALM}"` };
  }
  return null;
}

function findMissing(values: Parameters["values"], ...names: readonly string[]): FormError | null {
  const missing = names.find((name) => !values.has(name));
  return missing === undefined ? null : refuse("invalid_request", `${missing} is missing`);
}

function findUnknownClient(
  values: Parameters["values"],
  clients: readonly RegisteredClient[],
): FormError | null {
  const clientId = values.get("client_id");
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
