/** Signs a device in over HTTP. */
import { createHash } from "node:crypto";
import type {
  ChallengeResponse,
  CompletedResponse,
  TokenResponse,
} from "../../src/contract/sync/schemas.ts";
import { LOGIN_PURPOSE } from "../../src/contract/sync/values.ts";
import { encodeBase64Url } from "../../src/rules/base64url.ts";
import {
  provePassword,
  type PasswordLogin,
  type ProofResult,
} from "../../src/rules/identity/prove-password.ts";
import { randomBytes } from "../../src/rules/web-crypto.ts";
import { deriveKey } from "../fixtures/password-keys.ts";

/** Sends a request, to a service in this process or to a server. */
export type Ask = (path: string, init?: RequestInit) => Promise<Response>;

export interface SignInOptions {
  readonly username: string;
  readonly password: string;
  readonly deviceId: string;
  readonly redirectUri: string;
  readonly csrfHeader?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** By default those of the test's own attempt. */
  readonly state?: string;
  readonly codeChallenge?: string;
  readonly displayName?: string;
}

export const VERIFIER = "a-verifier-of-at-least-forty-three-characters-000";

export function postJson(
  ask: Ask,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
) {
  return ask(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}

/** Does what the sign-in page does, without a browser. */
export async function signIn(ask: Ask, options: SignInOptions): Promise<TokenResponse> {
  const attemptId = `attempt-${Math.random().toString(36).slice(2)}`;
  const { code } = await authorize(ask, options, attemptId);
  const response = await postJson(ask, "/v1/token", {
    grantType: "authorization_code",
    code,
    codeVerifier: VERIFIER,
    redirectUri: options.redirectUri,
    attemptId,
    displayName: options.displayName,
  });
  if (response.status !== 200) throw new Error(`The token request returned ${response.status}`);
  return (await response.json()) as TokenResponse;
}

export async function authorize(
  ask: Ask,
  options: SignInOptions,
  attemptId: string,
): Promise<CompletedResponse> {
  const begun = await beginSignIn(ask, options, attemptId);
  if (begun.kind !== "challenged") {
    const { response } = begun;
    throw new Error(`begin returned ${response.status}: ${await response.text()}`);
  }
  const completed = await begun.complete();
  if (completed.status !== 200) throw new Error(`complete returned ${completed.status}`);
  const response = (await completed.json()) as CompletedResponse;
  const { expectedServerSignature } = await begun.prove();
  if (response.serverSignature !== expectedServerSignature) throw new Error("Forged server");
  return response;
}

type Proof = Extract<ProofResult, { readonly kind: "proved" }>;

export type BegunSignIn =
  | { readonly kind: "refused"; readonly response: Response }
  | {
      readonly kind: "challenged";
      /** Derives the key, which a test without a right proof does not need. */
      prove(): Promise<Proof>;
      /** With the right proof, unless another one is given. */
      complete(proof?: string): Promise<Response>;
    };

export async function beginSignIn(
  ask: Ask,
  options: SignInOptions,
  attemptId = "attempt-of-the-test",
): Promise<BegunSignIn> {
  const { username, password, deviceId, redirectUri, csrfHeader = "X-Service-CSRF" } = options;
  const { state = "state-of-the-test-device" } = options;
  const headers = { [csrfHeader]: state, ...options.headers };
  const { codeChallenge = createHash("sha256").update(VERIFIER).digest("base64url") } = options;
  const attempt = { codeChallenge, state, redirectUri, attemptId, deviceId };
  const begun = await postJson(
    ask,
    "/v1/authorize",
    { action: "begin", csrf: state, attempt: { username, ...attempt } },
    headers,
  );
  if (begun.status !== 200) return { kind: "refused", response: begun };
  const challenge = (await begun.json()) as ChallengeResponse;
  const login = { purpose: LOGIN_PURPOSE, username, password, attempt, challenge };
  let proved: Promise<Proof> | undefined;
  const prove = () => (proved ??= proveLogin(login));
  const { challengeId } = challenge;
  return {
    kind: "challenged",
    prove,
    async complete(given) {
      const { clientNonce, proof } =
        given === undefined ? await prove() : { clientNonce: ANY_NONCE, proof: given };
      return postJson(
        ask,
        "/v1/authorize",
        { action: "complete", csrf: state, challengeId, clientNonce, proof },
        headers,
      );
    },
  };
}

const ANY_NONCE = encodeBase64Url(randomBytes(32));

async function proveLogin(login: PasswordLogin): Promise<Proof> {
  const result = await provePassword(login, deriveKey);
  if (result.kind !== "proved") throw new Error(result.kind);
  return result;
}
