/** The authorization endpoint: checks of a request, and redirects back to the app (RFC 6749 4.1). */
import type { AuthorizationErrorCode } from "../../../contract/events/errors.ts";
import { SCOPE } from "../../../contract/events/values.ts";
import { CODE_CHALLENGE_PATTERN } from "../../../contract/identity.ts";
import { appendToRedirect } from "../../identity/redirect.ts";
import type { Parameters } from "./parse-parameters.ts";

export interface RegisteredClient {
  readonly id: string;
  readonly name: string;
  /** Compared as whole strings: no wildcard, and 127.0.0.1 is not localhost. */
  readonly redirectUris: readonly string[];
}

export interface AuthorizationRequest {
  readonly clientId: string;
  readonly redirectUri: string;
  /** Decoded; null when the app sent none. */
  readonly state: string | null;
  readonly codeChallenge: string;
  readonly scope: typeof SCOPE;
}

/** RFC 6749 4.1.2.1: without a known client and redirect URI the browser must not be redirected. */
export interface AuthorizePageError {
  readonly kind: "page-error";
  readonly code: "unknown-client" | "unregistered-redirect";
}

export interface RedirectError {
  readonly kind: "redirect-error";
  readonly error: AuthorizationErrorCode;
  /** Printable ASCII without quotes and backslashes. */
  readonly description: string;
}

export type AuthorizationResult =
  | { readonly kind: "accepted"; readonly request: AuthorizationRequest }
  | AuthorizePageError
  | (RedirectError & { readonly redirectUri: string; readonly state: string | null });

interface Subject {
  readonly parameters: Parameters;
  readonly client: RegisteredClient | undefined;
}

type AuthorizationCheck = (subject: Subject) => AuthorizePageError | RedirectError | null;

/** The first error in this order counts. Before the first two no redirect is safe. */
const AUTHORIZATION_CHECKS: readonly AuthorizationCheck[] = [
  checkClient,
  checkRedirectUri,
  checkGivenOnce,
  checkReadable,
  checkResponseTypeGiven,
  checkResponseTypeSupported,
  checkCodeChallenge,
  checkCodeChallengeMethod,
  checkScope,
  checkRequestObject,
  checkResponseMode,
];

export function checkAuthorization(
  parameters: Parameters,
  clients: readonly RegisteredClient[],
): AuthorizationResult {
  const clientId = parameters.values.get("client_id") ?? "";
  const client = clients.find(({ id }) => id === clientId);
  const redirectUri = parameters.values.get("redirect_uri") ?? "";
  const state = parameters.values.get("state") ?? null;
  for (const check of AUTHORIZATION_CHECKS) {
    const error = check({ parameters, client });
    if (error?.kind === "redirect-error") return { ...error, redirectUri, state };
    if (error !== null) return error;
  }
  const codeChallenge = parameters.values.get("code_challenge") ?? "";
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

function checkClient({ client }: Subject): AuthorizePageError | null {
  return client === undefined ? { kind: "page-error", code: "unknown-client" } : null;
}

/** RFC 9700 2.1: exact string matching. */
function checkRedirectUri({ parameters, client }: Subject): AuthorizePageError | null {
  const redirectUri = parameters.values.get("redirect_uri");
  return redirectUri !== undefined && client?.redirectUris.includes(redirectUri) === true
    ? null
    : { kind: "page-error", code: "unregistered-redirect" };
}

/** RFC 6749 3.1: parameters must not be included more than once. */
function checkGivenOnce({ parameters }: Subject): RedirectError | null {
  const name = KNOWN.find((candidate) => parameters.repeated.has(candidate));
  return name === undefined ? null : refuse("invalid_request", `${name} was given more than once`);
}

function checkReadable({ parameters }: Subject): RedirectError | null {
  const name = KNOWN.find((candidate) => parameters.malformed.has(candidate));
  return name === undefined
    ? null
    : refuse("invalid_request", `${name} is not UTF-8 in correct percent-encoding`);
}

function checkResponseTypeGiven({ parameters }: Subject): RedirectError | null {
  return parameters.values.has("response_type")
    ? null
    : refuse("invalid_request", "response_type is missing; it must be code");
}

function checkResponseTypeSupported({ parameters }: Subject): RedirectError | null {
  return parameters.values.get("response_type") === "code"
    ? null
    : refuse("unsupported_response_type", "Only the response type code is supported");
}

/** RFC 7636 4.4.1 */
function checkCodeChallenge({ parameters }: Subject): RedirectError | null {
  return CODE_CHALLENGE.test(parameters.values.get("code_challenge") ?? "")
    ? null
    : refuse("invalid_request", "code_challenge must be 43 characters of unpadded Base64URL");
}

/** RFC 7636 4.3 would read an absent method as plain, which protects nothing. */
function checkCodeChallengeMethod({ parameters }: Subject): RedirectError | null {
  return parameters.values.get("code_challenge_method") === "S256"
    ? null
    : refuse("invalid_request", "code_challenge_method must be S256");
}

function checkScope({ parameters }: Subject): RedirectError | null {
  const scopes = (parameters.values.get("scope") ?? "").split(" ").filter((scope) => scope !== "");
  return scopes.every((scope) => scope === SCOPE)
    ? null
    : refuse("invalid_scope", `Only the scope ${SCOPE} is supported`);
}

/** RFC 9101 is not supported, and to ignore a request object would change the request. */
function checkRequestObject({ parameters }: Subject): RedirectError | null {
  const name = ["request", "request_uri"].find((candidate) => parameters.values.has(candidate));
  return name === undefined ? null : refuse("invalid_request", `${name} is not supported`);
}

function checkResponseMode({ parameters }: Subject): RedirectError | null {
  return (parameters.values.get("response_mode") ?? "query") === "query"
    ? null
    : refuse("invalid_request", "response_mode must be query");
}

function refuse(error: AuthorizationErrorCode, description: string): RedirectError {
  return { kind: "redirect-error", error, description };
}

interface Destination {
  readonly redirectUri: string;
  /** Decoded. */
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
