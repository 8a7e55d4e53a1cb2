/** The authorization endpoint: checks of a request, and redirects back to the app (RFC 6749 4.1). */
import type { AuthorizationErrorCode } from "../../../contract/events/errors.ts";
import { MAX_STATE_CHARACTERS, SCOPE } from "../../../contract/events/values.ts";
import { CODE_CHALLENGE_PATTERN } from "../../../contract/identity.ts";
import { appendToRedirect } from "../../identity/redirect.ts";
import type { Parameters } from "./parse-parameters.ts";

export interface RegisteredClient {
  readonly id: string;
  readonly name: string;
  /** Redirect URIs are compared as whole strings: no wildcard, and 127.0.0.1 is not localhost. */
  readonly redirectUris: readonly string[];
}

export interface AuthorizationRequest {
  readonly clientId: string;
  readonly redirectUri: string;
  /** The decoded state; null when the app sent none. */
  readonly state: string | null;
  readonly codeChallenge: string;
  readonly scope: typeof SCOPE;
}

/** RFC 6749 4.1.2.1: without a known client and redirect URI the browser must not be redirected. */
export type AuthorizePageError =
  | { readonly kind: "page-error"; readonly code: "unknown-client" }
  | {
      readonly kind: "page-error";
      readonly code: "unregistered-redirect";
      readonly clientId: string;
    };

export interface RedirectError {
  readonly kind: "redirect-error";
  readonly error: AuthorizationErrorCode;
  /** The description is printable ASCII without quotes and backslashes. */
  readonly description: string;
}

export type AuthorizationResult =
  | { readonly kind: "accepted"; readonly request: AuthorizationRequest }
  | AuthorizePageError
  | (RedirectError & { readonly redirectUri: string; readonly state: string | null });

export function checkAuthorization(
  parameters: Parameters,
  clients: readonly RegisteredClient[],
): AuthorizationResult {
  const { values } = parameters;
  const clientId = values.get("client_id") ?? "";
  const redirectUri = values.get("redirect_uri") ?? "";
  const client = clients.find(({ id }) => id === clientId);
  if (client === undefined) return { kind: "page-error", code: "unknown-client" };
  // RFC 9700 2.1: exact string matching.
  if (!client.redirectUris.includes(redirectUri)) {
    return { kind: "page-error", code: "unregistered-redirect", clientId };
  }
  const state = values.get("state") ?? null;
  const error = findRequestError(parameters);
  if (error !== null) return { ...error, redirectUri, state };
  const codeChallenge = values.get("code_challenge") ?? "";
  return {
    kind: "accepted",
    request: { clientId, redirectUri, state, codeChallenge, scope: SCOPE },
  };
}

/** RFC 6749 3.1: all other parameters are ignored, also when they are repeated. */
const KNOWN = [
  "state",
  "response_type",
  "code_challenge",
  "code_challenge_method",
  "scope",
  "request",
  "request_uri",
  "response_mode",
] as const;
const CODE_CHALLENGE = new RegExp(CODE_CHALLENGE_PATTERN);

/** The first error in the order of these lines counts. */
function findRequestError({ values, repeated, malformed }: Parameters): RedirectError | null {
  const twice = KNOWN.find((name) => repeated.has(name));
  if (twice !== undefined) return refuse("invalid_request", `${twice} was given more than once`);
  const broken = KNOWN.find((name) => malformed.has(name));
  if (broken !== undefined) {
    return refuse("invalid_request", `${broken} is not UTF-8 in correct percent-encoding`);
  }
  if (isTooLong(values.get("state") ?? "")) {
    return refuse("invalid_request", `state has more than ${MAX_STATE_CHARACTERS} characters`);
  }
  const responseType = values.get("response_type");
  if (responseType === undefined) {
    return refuse("invalid_request", "response_type is missing; it must be code");
  }
  if (responseType !== "code") {
    return refuse("unsupported_response_type", "Only the response type code is supported");
  }
  // RFC 7636 4.4.1
  if (!CODE_CHALLENGE.test(values.get("code_challenge") ?? "")) {
    return refuse("invalid_request", "code_challenge must be 43 characters of unpadded Base64URL");
  }
  // RFC 7636 4.3 would read an absent method as plain, which protects nothing.
  if (values.get("code_challenge_method") !== "S256") {
    return refuse("invalid_request", "code_challenge_method must be S256");
  }
  const scopes = (values.get("scope") ?? "").split(" ").filter((scope) => scope !== "");
  if (!scopes.every((scope) => scope === SCOPE)) {
    return refuse("invalid_scope", `Only the scope ${SCOPE} is supported`);
  }
  // RFC 9101 is not supported, and to ignore a request object would change the request.
  const object = ["request", "request_uri"].find((name) => values.has(name));
  if (object !== undefined) return refuse("invalid_request", `${object} is not supported`);
  if ((values.get("response_mode") ?? "query") !== "query") {
    return refuse("invalid_request", "response_mode must be query");
  }
  return null;
}

/** The length counts code points, as JSON Schema does. */
function isTooLong(state: string): boolean {
  return state.length > MAX_STATE_CHARACTERS && Array.from(state).length > MAX_STATE_CHARACTERS;
}

function refuse(error: AuthorizationErrorCode, description: string): RedirectError {
  return { kind: "redirect-error", error, description };
}

interface Destination {
  readonly redirectUri: string;
  readonly state: string | null;
  /** RFC 9207: sent as `iss`, so that an app detects the response of another server. */
  readonly issuer: string;
}

/** RFC 6749 4.1.2 */
export function codeRedirect(destination: Destination & { readonly code: string }): string {
  return redirectWith(destination, { code: destination.code });
}

/** RFC 6749 4.1.2.1 */
export function errorRedirect(
  destination: Destination & Pick<RedirectError, "error" | "description">,
): string {
  const { error, description } = destination;
  return redirectWith(destination, { error, error_description: description });
}

function redirectWith(
  { redirectUri, state, issuer }: Destination,
  result: Readonly<Record<string, string>>,
): string {
  const values = { ...result, ...(state !== null && { state }), iss: issuer };
  return appendToRedirect(redirectUri, values, "query");
}
