/** Whether an app's authorization request may be put before a person (RFC 6749 4.1.1, RFC 7636 4.3). */
import type { AuthorizationErrorCode } from "../../../contract/events/errors.ts";
import { SCOPE } from "../../../contract/events/values.ts";
import { CODE_CHALLENGE_PATTERN } from "../../../contract/identity.ts";
import type { Parameters } from "./parse-parameters.ts";

export interface RegisteredClient {
  readonly id: string;
  readonly name: string;
  /** Compared as whole texts: no wildcard, and 127.0.0.1 is not localhost. */
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

/** Nobody knows whose address it is, so nobody is sent there: the person is told. */
export interface AuthorizePageError {
  readonly kind: "page-error";
  readonly code: "unknown-client" | "unregistered-redirect";
}

/** What the app is told through the browser. */
export interface RedirectError {
  readonly kind: "redirect-error";
  readonly error: AuthorizationErrorCode;
  /** Printable ASCII without quotes and backslashes. */
  readonly description: string;
}

export type AuthorizationResult =
  | {
      readonly kind: "accepted";
      readonly request: AuthorizationRequest;
      readonly client: RegisteredClient;
    }
  | AuthorizePageError
  | (RedirectError & { readonly redirectUri: string; readonly state: string | null });

interface Subject {
  readonly parameters: Parameters;
  readonly client: RegisteredClient | undefined;
}

export type AuthorizationCheck = (subject: Subject) => AuthorizePageError | RedirectError | null;

/** In this order; the first fault is the answer. Before the first two no redirect is safe. */
export const AUTHORIZATION_CHECKS: readonly AuthorizationCheck[] = [
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
  const clientId = parameters.values.get("client_id");
  const client = clients.find(({ id }) => id === clientId);
  const redirectUri = parameters.values.get("redirect_uri") ?? "";
  const state = parameters.values.get("state") ?? null;
  for (const check of AUTHORIZATION_CHECKS) {
    const fault = check({ parameters, client });
    if (fault?.kind === "redirect-error") return { ...fault, redirectUri, state };
    if (fault !== null) return fault;
  }
  if (client === undefined) throw new Error("An unknown client passed the authorization checks");
  const codeChallenge = parameters.values.get("code_challenge") ?? "";
  const asked = { clientId: client.id, redirectUri, state, codeChallenge };
  return { kind: "accepted", request: { ...asked, scope: SCOPE }, client };
}

/** What a request is read for. Others are ignored, however often they come (RFC 6749 3.1). */
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
  return name === undefined ? null : fault("invalid_request", `${name} was given more than once`);
}

function checkReadable({ parameters }: Subject): RedirectError | null {
  const name = KNOWN.find((candidate) => parameters.malformed.has(candidate));
  return name === undefined
    ? null
    : fault("invalid_request", `${name} is not UTF-8 in correct percent-encoding`);
}

function checkResponseTypeGiven({ parameters }: Subject): RedirectError | null {
  return parameters.values.has("response_type")
    ? null
    : fault("invalid_request", "response_type is missing; it must be code");
}

function checkResponseTypeSupported({ parameters }: Subject): RedirectError | null {
  return parameters.values.get("response_type") === "code"
    ? null
    : fault("unsupported_response_type", "Only the response type code is supported");
}

/** RFC 7636 4.4.1 */
function checkCodeChallenge({ parameters }: Subject): RedirectError | null {
  return CODE_CHALLENGE.test(parameters.values.get("code_challenge") ?? "")
    ? null
    : fault("invalid_request", "code_challenge must be 43 characters of unpadded Base64URL");
}

/** RFC 7636 4.3 would read an absent method as plain, which protects nothing. */
function checkCodeChallengeMethod({ parameters }: Subject): RedirectError | null {
  return parameters.values.get("code_challenge_method") === "S256"
    ? null
    : fault("invalid_request", "code_challenge_method must be S256");
}

function checkScope({ parameters }: Subject): RedirectError | null {
  const scopes = (parameters.values.get("scope") ?? "").split(" ").filter((scope) => scope !== "");
  return scopes.every((scope) => scope === SCOPE)
    ? null
    : fault("invalid_scope", `Only the scope ${SCOPE} is supported`);
}

/** RFC 9101: not supported, and ignoring them would mean another request than was signed. */
function checkRequestObject({ parameters }: Subject): RedirectError | null {
  const name = ["request", "request_uri"].find((candidate) => parameters.values.has(candidate));
  return name === undefined ? null : fault("invalid_request", `${name} is not supported`);
}

function checkResponseMode({ parameters }: Subject): RedirectError | null {
  return (parameters.values.get("response_mode") ?? "query") === "query"
    ? null
    : fault("invalid_request", "response_mode must be query");
}

function fault(error: AuthorizationErrorCode, description: string): RedirectError {
  return { kind: "redirect-error", error, description };
}
