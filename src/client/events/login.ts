/** The authorization code flow with PKCE (RFC 6749 4.1, RFC 7636). */
import { FORM_TYPE, SCOPE } from "../../contract/events/values.ts";
import { isObject } from "../../contract/is-object.ts";
import { readCallback, type CallbackError } from "../../rules/events/client/read-callback.ts";
import { parseServiceOrigin } from "../../rules/events/client/service-origin.ts";
import { createCodeChallenge } from "../../rules/identity/pkce.ts";
import { hasWebCrypto } from "../../rules/web-crypto.ts";
import { isBearerToken } from "../transport/request-text.ts";
import { parseCallback } from "../transport/callback-address.ts";
import { createSecret } from "../../rules/create-secret.ts";
import { requestJson, type EventsClientError } from "./request-json.ts";
import type { EventsSettings } from "./settings.ts";

/** The app stores it, in a safe place, until the browser returns. */
export interface PendingLogin {
  /** The service that the login was begun with. */
  readonly origin: string;
  /** The state that the callback has to bring back. */
  readonly state: string;
  /** The PKCE verifier, a secret until the login is complete. */
  readonly codeVerifier: string;
}

/**
 * What beginning a login came to: the address to open and the state to store meanwhile, or a platform
 * without cryptography.
 */
export type BeginLoginResult =
  /** The app opens the address in the system's browser. */
  | { readonly kind: "begun"; readonly authorizeUrl: string; readonly pending: PendingLogin }
  /** A page outside a secure context has no WebCrypto. */
  | { readonly kind: "unsupported" };

/** Why a login did not complete. */
export type LoginError =
  /** The address is not the app's redirect URI. */
  { readonly kind: "not-the-callback" } | CallbackError | EventsClientError;

/**
 * What completing a login came to: a token for the secure storage of the platform, or the reason why there
 * is none.
 */
export type LoginResult =
  | { readonly kind: "connected"; readonly accessToken: string }
  | { readonly kind: "not-connected"; readonly error: LoginError };

export async function beginLogin(settings: EventsSettings): Promise<BeginLoginResult> {
  const { origin, clientId, redirectUri, randomBytes } = settings;
  if (!hasWebCrypto()) return { kind: "unsupported" };
  const pending = {
    origin,
    state: createSecret(randomBytes),
    codeVerifier: createSecret(randomBytes),
  };
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: "code",
    scope: SCOPE,
    state: pending.state,
    code_challenge: await createCodeChallenge(pending.codeVerifier),
    code_challenge_method: "S256",
  });
  return { kind: "begun", authorizeUrl: `${origin}/api/oauth/authorize?${query}`, pending };
}

export async function completeLogin(
  settings: EventsSettings,
  callbackUrl: string,
  pending: PendingLogin,
  signal?: AbortSignal,
): Promise<LoginResult> {
  const code = readCode(settings, callbackUrl, pending);
  if (code.kind !== "code") return { kind: "not-connected", error: code };
  const response = await requestJson(settings, {
    url: `${settings.origin}/api/oauth/token`,
    method: "POST",
    headers: { "Content-Type": FORM_TYPE },
    body: new URLSearchParams({
      grant_type: "authorization_code",
      code: code.code,
      client_id: settings.clientId,
      redirect_uri: settings.redirectUri,
      code_verifier: pending.codeVerifier,
    }).toString(),
    signal,
  });
  if (response.kind !== "json") return { kind: "not-connected", error: response };
  return readToken(isObject(response.value) ? response.value : {});
}

function readToken(response: Readonly<Record<string, unknown>>): LoginResult {
  const { access_token: accessToken, token_type: type = "bearer" } = response;
  // RFC 6749 7.1: a token of a type that the client does not know must not be used.
  const isBearer = typeof type === "string" && type.toLowerCase() === "bearer";
  if (!isBearer) return refuseToken("the token is not a bearer token");
  if (!isBearerToken(accessToken)) return refuseToken("no access token");
  return { kind: "connected", accessToken };
}

function refuseToken(detail: string): LoginResult {
  return { kind: "not-connected", error: { kind: "malformed-response", detail } };
}

function readCode(settings: EventsSettings, callbackUrl: string, pending: PendingLogin) {
  // RFC 9700 4.4: the code of one service is never sent to another.
  if (pending.origin !== settings.origin) return { kind: "wrong-service" } as const;
  const callback = parseCallback(callbackUrl, settings.redirectUri);
  if (callback === null) return { kind: "not-the-callback" } as const;
  return readCallback([...callback.searchParams], {
    state: pending.state,
    issuerRequired: settings.issuerRequired,
    isIssuer: (text) => {
      // RFC 8414 2: an issuer may have a path. The origin alone tells services apart.
      const issuer = parseServiceOrigin(text.replace(/^(https:\/\/[^/?#]*\/)[^?#]*$/i, "$1"));
      return issuer.kind === "accepted" && issuer.origin === settings.origin;
    },
  });
}
