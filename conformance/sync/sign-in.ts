/** The steps of a sign-in, one function each, so that a case can send a wrong one. */
import { KNOWN_BROWSER_HEADER } from "../../src/contract/identity.ts";
import type {
  Attempt,
  AuthorizeComplete,
  ChallengeResponse,
  TokenBody,
} from "../../src/contract/sync/schemas.ts";
import { LOGIN_PURPOSE } from "../../src/contract/sync/values.ts";
import { createCodeChallenge } from "../../src/rules/identity/pkce.ts";
import { provePassword, type ProofResult } from "../../src/rules/identity/prove-password.ts";
import { fail } from "../expect.ts";
import type { ReceivedResponse, SentHeaders } from "../http.ts";
import { deriveKeyOnce, randomText } from "../sign-in-keys.ts";
import { expectChallenge, expectCompleted } from "./expectations.ts";
import type { SyncServerUnderTest } from "./server-under-test.ts";

export const AUTHORIZE = "/v1/authorize";

export interface StartedAttempt {
  readonly attempt: Attempt;
  readonly codeVerifier: string;
}

export async function createAttempt(
  server: SyncServerUnderTest,
  changes: Partial<Attempt> = {},
): Promise<StartedAttempt> {
  const codeVerifier = randomText(64);
  return {
    codeVerifier,
    attempt: {
      username: server.input.username,
      codeChallenge: await createCodeChallenge(codeVerifier),
      state: randomText(32),
      redirectUri: server.redirectUri,
      attemptId: server.newId("attempt"),
      deviceId: server.newId("device"),
      ...changes,
    },
  };
}

/** Posts as the sign-in page does, with the state in the CSRF header. */
export function postAuthorize(
  server: SyncServerUnderTest,
  body: unknown,
  state: string,
  headers: SentHeaders = {},
): Promise<ReceivedResponse> {
  return server.post(AUTHORIZE, body, { [server.csrfHeader]: state, ...headers });
}

export function postBegin(
  server: SyncServerUnderTest,
  attempt: Attempt,
): Promise<ReceivedResponse> {
  return postAuthorize(server, { action: "begin", csrf: attempt.state, attempt }, attempt.state);
}

export interface ChallengedAttempt extends StartedAttempt {
  readonly challenge: ChallengeResponse;
}

export async function requestChallenge(
  server: SyncServerUnderTest,
  changes: Partial<Attempt> = {},
): Promise<ChallengedAttempt> {
  const started = await createAttempt(server, changes);
  return { ...started, challenge: expectChallenge(await postBegin(server, started.attempt)) };
}

type Proof = Extract<ProofResult, { kind: "proved" }>;

export async function createAttemptProof(
  server: SyncServerUnderTest,
  { attempt, challenge }: ChallengedAttempt,
  password: string = server.input.password,
): Promise<Proof> {
  const { username, ...signed } = attempt;
  const result = await provePassword(
    { purpose: LOGIN_PURPOSE, username, password, attempt: signed, challenge },
    deriveKeyOnce,
  );
  if (result.kind === "proved") return result;
  return fail(
    `POST ${AUTHORIZE} begin`,
    "a challenge that a browser accepts",
    result.kind === "salt-refused"
      ? "a salt of less than 16 bytes"
      : `${result.iterations} iterations`,
  );
}

export async function createCompletion(
  server: SyncServerUnderTest,
  challenged: ChallengedAttempt,
  password?: string,
): Promise<AuthorizeComplete> {
  return toCompletion(challenged, await createAttemptProof(server, challenged, password));
}

export function toCompletion(
  { attempt, challenge: { challengeId } }: ChallengedAttempt,
  { clientNonce, proof }: Pick<Proof, "clientNonce" | "proof">,
): AuthorizeComplete {
  return { action: "complete", csrf: attempt.state, challengeId, clientNonce, proof };
}

/** Requests a challenge, and returns the completion with the right proof. */
export async function proveNewChallenge(server: SyncServerUnderTest): Promise<AuthorizeComplete> {
  return createCompletion(server, await requestChallenge(server));
}

export function postCompletion(
  server: SyncServerUnderTest,
  body: AuthorizeComplete,
): Promise<ReceivedResponse> {
  return postAuthorize(server, body, body.csrf);
}

export function postRefresh(
  server: SyncServerUnderTest,
  refreshToken: string,
): Promise<ReceivedResponse> {
  return server.post("/v1/refresh", { grantType: "refresh_token", refreshToken });
}

/** Signs in up to the code, and returns the request that redeems it. */
export async function obtainCode(
  server: SyncServerUnderTest,
  changes: Partial<Attempt> = {},
): Promise<TokenBody> {
  const challenged = await requestChallenge(server, changes);
  const { codeVerifier, attempt } = challenged;
  const completion = await createCompletion(server, challenged);
  const { code } = expectCompleted(await postCompletion(server, completion));
  const { redirectUri, attemptId } = attempt;
  return { grantType: "authorization_code", code, codeVerifier, redirectUri, attemptId };
}

/** The server as a browser that has signed in sees it; null when the server does not know browsers. */
export async function becomeKnownBrowser(
  server: SyncServerUnderTest,
): Promise<SyncServerUnderTest | null> {
  const browser = rememberKnownBrowser(server);
  const response = await postCompletion(browser, await proveNewChallenge(browser));
  return response.header(KNOWN_BROWSER_HEADER) === undefined ? null : browser;
}

/** The server as a browser that sends this value, and receives no other, sees it. */
export function asKnownBrowser(server: SyncServerUnderTest, value: string): SyncServerUnderTest {
  return {
    ...server,
    post: (path, body, headers = {}) =>
      server.post(path, body, { [KNOWN_BROWSER_HEADER]: value, ...headers }),
  };
}

/** The server as a browser that sends the value of its last sign-in sees it. */
function rememberKnownBrowser(server: SyncServerUnderTest): SyncServerUnderTest {
  let value: string | undefined;
  return {
    ...server,
    async post(path, body, headers = {}) {
      const known = value === undefined ? {} : { [KNOWN_BROWSER_HEADER]: value };
      const response = await server.post(path, body, { ...known, ...headers });
      value = response.header(KNOWN_BROWSER_HEADER) ?? value;
      return response;
    },
  };
}
