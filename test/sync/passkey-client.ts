/** Signs in with a passkey over HTTP, as the script of the login page does. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import {
  createAuthenticator,
  type Deviations,
  type SoftwarePasskey,
} from "../../conformance/authenticator.ts";
import type { PasskeyRequest } from "../../src/contract/passkey.ts";
import { postJson, VERIFIER, type Ask } from "./sync-client.ts";

export const PASSKEY_PATH = "/v1/passkey";

export const PASSKEY_ATTEMPT = {
  codeChallenge: createHash("sha256").update(VERIFIER).digest("base64url"),
  state: "state-of-the-test-device",
  redirectUri: "http://localhost:43823/callback",
  attemptId: "attempt-of-the-test",
  deviceId: "phone",
};

type Members = Readonly<Record<string, unknown>>;

export function postPasskey(ask: Ask, body: Members, headers: Record<string, string> = {}) {
  const { state } = PASSKEY_ATTEMPT;
  const sent = { csrf: state, attempt: PASSKEY_ATTEMPT, ...body };
  return postJson(ask, PASSKEY_PATH, sent, { "X-Service-CSRF": state, ...headers });
}

export interface BegunPasskeySignIn {
  readonly request: PasskeyRequest;
  /** The last argument may send the response elsewhere. */
  complete(passkey: SoftwarePasskey, given?: Deviations, to?: Ask): Promise<Response>;
}

export async function beginPasskeySignIn(ask: Ask, origin: string): Promise<BegunPasskeySignIn> {
  const begun = await postPasskey(ask, { action: "begin" });
  assert.equal(begun.status, 200, await begun.clone().text());
  const request = (await begun.json()) as PasskeyRequest;
  return {
    request,
    complete(passkey, given, to = ask) {
      const credential = createAuthenticator(origin).get(request, passkey, given);
      return postPasskey(to, { action: "complete", credential });
    },
  };
}

/** A passkey that no service knows. */
export function createStrangerPasskey(): SoftwarePasskey {
  const { passkey } = createAuthenticator("http://localhost").create({
    challenge: "AA",
    rp: { id: "localhost", name: "" },
    user: { id: "AAAA", name: "", displayName: "" },
  });
  return passkey;
}
