/** The steps of a sign-in with a passkey, one function each, so that a case can send a wrong one. */
import { createChecker } from "../../src/contract/check.ts";
import {
  PasskeyRequest,
  type PasskeyAssertion,
  type PasskeyRequest as Request,
} from "../../src/contract/passkey.ts";
import { PasskeyCompleted, type PasskeyAttempt } from "../../src/contract/sync/schemas.ts";
import { createAuthenticator, type Deviations, type SoftwarePasskey } from "../authenticator.ts";
import { skipUnless } from "../case.ts";
import { createBodyExpectation } from "../expect.ts";
import type { ReceivedResponse, SentHeaders } from "../http.ts";
import { expectCapabilities } from "./expectations.ts";
import type { SyncServerUnderTest } from "./server-under-test.ts";
import { createAttempt } from "./sign-in.ts";

export const PASSKEY = "/v1/passkey";

export const expectPasskeyChallenge = createBodyExpectation(createChecker(PasskeyRequest));
export const expectPasskeyCompleted = createBodyExpectation(createChecker(PasskeyCompleted));

export async function hasPasskeys({ api }: SyncServerUnderTest): Promise<boolean> {
  const { authentication } = expectCapabilities(await api.get("/v1/capabilities"));
  return authentication.passkeys === true;
}

/** The extension is announced, so a server may do without it. */
export async function requirePasskeys(server: SyncServerUnderTest): Promise<void> {
  skipUnless(await hasPasskeys(server), "The capabilities do not announce passkeys");
}

/** A passkey that the account has. */
export async function requirePasskey(server: SyncServerUnderTest): Promise<SoftwarePasskey> {
  await requirePasskeys(server);
  const { passkey } = server.input;
  skipUnless(passkey !== undefined, "No passkey of the account is known; checkSync takes one");
  return passkey;
}

export interface StartedPasskeyAttempt {
  readonly attempt: PasskeyAttempt;
  readonly codeVerifier: string;
}

export async function createPasskeyAttempt(
  server: SyncServerUnderTest,
): Promise<StartedPasskeyAttempt> {
  const { attempt, codeVerifier } = await createAttempt(server);
  const { username: _, ...rest } = attempt;
  return { attempt: rest, codeVerifier };
}

/** Posts as the sign-in page does, with the state in the CSRF header. */
export function postPasskey(
  server: SyncServerUnderTest,
  body: { readonly csrf: string; readonly [member: string]: unknown },
  headers: SentHeaders = {},
): Promise<ReceivedResponse> {
  return server.post(PASSKEY, body, { [server.csrfHeader]: body.csrf, ...headers });
}

export const beginBody = (attempt: PasskeyAttempt) =>
  ({ action: "begin", csrf: attempt.state, attempt }) as const;

export const completeBody = (attempt: PasskeyAttempt, credential: PasskeyAssertion) =>
  ({ action: "complete", csrf: attempt.state, attempt, credential }) as const;

export interface BegunPasskeyAttempt extends StartedPasskeyAttempt {
  readonly request: Request;
}

export async function beginWithPasskey(server: SyncServerUnderTest): Promise<BegunPasskeyAttempt> {
  const started = await createPasskeyAttempt(server);
  const response = await postPasskey(server, beginBody(started.attempt));
  return { ...started, request: expectPasskeyChallenge(response) };
}

/** As the browser does on the page of the server, apart from the deviations. */
export function signWithPasskey(
  server: SyncServerUnderTest,
  request: Request,
  passkey: SoftwarePasskey,
  given: Deviations = {},
): PasskeyAssertion {
  return createAuthenticator(new URL(server.publicUrl).origin).get(request, passkey, given);
}
