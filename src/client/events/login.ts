/** The authorization-code login with PKCE (RFC 6749 4.1, RFC 7636), as the events contract has it. */
import { FORM_TYPE, SCOPE } from "../../contract/events/values.ts";
import { encodeBase64Url } from "../../rules/base64url.ts";
import { readCallback, type CallbackError } from "../../rules/events/client/read-callback.ts";
import { createCodeChallenge } from "../../rules/identity/pkce.ts";
import { hasWebCrypto } from "../../rules/web-crypto.ts";
import { parseServiceOrigin } from "./parse-service-origin.ts";
import { requestJson, type EventsClientError } from "./request-json.ts";
import type { EventsSettings } from "./settings.ts";
import { isSendableToken } from "./token.ts";

/** What the app keeps, in a safe place, until the browser comes back. */
export interface PendingLogin {
  readonly origin: string;
  readonly state: string;
  readonly codeVerifier: string;
}

export type LoginBegun =
  /** Open the address in the system's browser. */
  | { readonly kind: "begun"; readonly authorizeUrl: string; readonly pending: PendingLogin }
  /** A page that did not come by https has no WebCrypto. */
  | { readonly kind: "unsupported" };

export type LoginProblem =
  /** The address is not the app's redirect URI. */
  { readonly kind: "not-the-callback" } | CallbackError | EventsClientError;

export type LoginResult =
  | { readonly kind: "connected"; readonly accessToken: string }
  | { readonly kind: "not-connected"; readonly problem: LoginProblem };

/** RFC 7636 4.1 and RFC 6749 10.10: more than anybody can guess. */
const SECRET_BYTES = 32;

export async function beginLogin(settings: EventsSettings): Promise<LoginBegun> {
  const { origin, clientId, redirectUri } = settings;
  if (!hasWebCrypto()) return { kind: "unsupported" };
  const pending = { origin, state: createSecret(settings), codeVerifier: createSecret(settings) };
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

function createSecret({ randomBytes }: EventsSettings): string {
  const bytes = randomBytes(SECRET_BYTES);
  if (bytes.length !== SECRET_BYTES) {
    throw new TypeError(`Cannot begin a login: randomBytes gave ${bytes.length} bytes, not 32`);
  }
  return encodeBase64Url(bytes);
}

export async function completeLogin(
  settings: EventsSettings,
  callbackUrl: string,
  pending: PendingLogin,
  signal?: AbortSignal,
): Promise<LoginResult> {
  const code = readCode(settings, callbackUrl, pending);
  if (code.kind !== "code") return { kind: "not-connected", problem: code };
  const answer = await requestJson(settings, {
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
  if (answer.kind !== "json") return { kind: "not-connected", problem: answer };
  const accessToken = readAccessToken(answer.value);
  if (accessToken === null) {
    const problem = { kind: "malformed-answer", detail: "no access token" } as const;
    return { kind: "not-connected", problem };
  }
  return { kind: "connected", accessToken };
}

function readCode(settings: EventsSettings, callbackUrl: string, pending: PendingLogin) {
  // A login that began at another service ends there (RFC 9700 4.4).
  if (pending.origin !== settings.origin) return { kind: "wrong-service" } as const;
  const callback = URL.canParse(callbackUrl) ? new URL(callbackUrl) : null;
  if (callback === null || placeOf(callback) !== placeOf(new URL(settings.redirectUri))) {
    return { kind: "not-the-callback" } as const;
  }
  return readCallback([...callback.searchParams], {
    state: pending.state,
    issuerRequired: settings.issuerRequired,
    isIssuer: (text) => {
      const issuer = parseServiceOrigin(text);
      return issuer.kind === "accepted" && issuer.origin === settings.origin;
    },
  });
}

function placeOf({ protocol, host, pathname }: URL): string {
  return `${protocol}//${host}${pathname}`;
}

function readAccessToken(value: unknown): string | null {
  if (typeof value !== "object" || value === null || !("access_token" in value)) return null;
  return isSendableToken(value.access_token) ? value.access_token : null;
}
