/** The journey of a sign-in, step by step, so that a case can take a wrong one. */
import type { Attempt, ChallengeResponse } from "../../contract/sync/schemas.ts";
import { LOGIN_PURPOSE } from "../../contract/sync/values.ts";
import { createCodeChallenge } from "../../rules/identity/pkce.ts";
import { provePassword } from "../../rules/identity/prove-password.ts";
import { violate } from "../expect.ts";
import type { HttpResponse, RequestHeaders } from "../http.ts";
import { expectChallenge, expectCompleted } from "./bodies.ts";
import { deriveKeyOnce, randomText } from "../primitives.ts";
import type { SyncTarget } from "./target.ts";

export const AUTHORIZE = "/v1/authorize";

export interface Started {
  readonly attempt: Attempt;
  readonly codeVerifier: string;
}

export async function newAttempt(
  target: SyncTarget,
  changes: Partial<Attempt> = {},
): Promise<Started> {
  const codeVerifier = randomText(64);
  return {
    codeVerifier,
    attempt: {
      username: target.input.username,
      codeChallenge: await createCodeChallenge(codeVerifier),
      state: randomText(32),
      redirectUri: target.redirectUri,
      attemptId: target.newId("attempt"),
      deviceId: target.newId("device"),
      ...changes,
    },
  };
}

/** Sends what the sign-in page sends: JSON, with the state in the CSRF header. */
export function postAuthorize(
  target: SyncTarget,
  body: unknown,
  state: string,
  headers: RequestHeaders = {},
): Promise<HttpResponse> {
  return target.post(AUTHORIZE, body, { [target.csrfHeader]: state, ...headers });
}

export function begin(target: SyncTarget, attempt: Attempt): Promise<HttpResponse> {
  return postAuthorize(target, { action: "begin", csrf: attempt.state, attempt }, attempt.state);
}

export interface Challenged extends Started {
  readonly challenge: ChallengeResponse;
}

export async function challenge(
  target: SyncTarget,
  changes: Partial<Attempt> = {},
): Promise<Challenged> {
  const started = await newAttempt(target, changes);
  return { ...started, challenge: expectChallenge(await begin(target, started.attempt)) };
}

export interface Proof {
  readonly clientNonce: string;
  readonly proof: string;
  readonly expectedServerSignature: string;
}

/** The right proof, or with another password or another attempt a wrong one. */
export async function prove(
  target: SyncTarget,
  { attempt, challenge: posed }: Challenged,
  password: string = target.input.password,
): Promise<Proof> {
  const { username, ...signed } = attempt;
  const outcome = await provePassword(
    { purpose: LOGIN_PURPOSE, username, password, attempt: signed, challenge: posed },
    deriveKeyOnce,
  );
  if (outcome.kind === "proved") return outcome;
  return violate(
    `POST ${AUTHORIZE} begin`,
    "a challenge that a browser accepts",
    outcome.kind === "salt-refused"
      ? "a salt of less than 16 bytes"
      : `${outcome.iterations} iterations`,
  );
}

export interface Completion {
  readonly action: "complete";
  readonly csrf: string;
  readonly challengeId: string;
  readonly clientNonce: string;
  readonly proof: string;
}

export async function completion(
  target: SyncTarget,
  challenged: Challenged,
  password?: string,
): Promise<Completion> {
  const { clientNonce, proof } = await prove(target, challenged, password);
  const { challengeId } = challenged.challenge;
  return { action: "complete", csrf: challenged.attempt.state, challengeId, clientNonce, proof };
}

export function complete(target: SyncTarget, body: Completion): Promise<HttpResponse> {
  return postAuthorize(target, body, body.csrf);
}

/** What the token endpoint takes. */
export interface Grant {
  readonly grantType: "authorization_code";
  readonly code: string;
  readonly codeVerifier: string;
  readonly redirectUri: string;
  readonly attemptId: string;
}

export async function obtainGrant(
  target: SyncTarget,
  changes: Partial<Attempt> = {},
): Promise<Grant> {
  const challenged = await challenge(target, changes);
  const { codeVerifier, attempt } = challenged;
  const body = await completion(target, challenged);
  const { code } = expectCompleted(await complete(target, body));
  const { redirectUri, attemptId } = attempt;
  return { grantType: "authorization_code", code, codeVerifier, redirectUri, attemptId };
}
