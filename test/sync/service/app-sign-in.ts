/** The two steps of an app's sign-in, apart: a test may send the proof of one place to another. */
import type { ChallengeResponse } from "../../../src/contract/sync/schemas.ts";
import { LOGIN_PURPOSE } from "../../../src/contract/sync/values.ts";
import { provePassword } from "../../../src/rules/identity/prove-password.ts";
import { deriveKey } from "../../fixtures/password-keys.ts";
import { postJson, type Ask } from "../sync-client.ts";
import { ANNA, REDIRECT_URI } from "./sync-service.ts";

/** A valid proof of the password for one challenge. */
export interface SentProof {
  readonly challengeId: string;
  readonly clientNonce: string;
  readonly proof: string;
}

const STATE = "state-of-the-test-device";
const ATTEMPT = {
  codeChallenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
  state: STATE,
  redirectUri: REDIRECT_URI,
  attemptId: "attempt-1",
  deviceId: "phone",
};

export function createAppSignIn(ask: Ask) {
  const post = (body: object) =>
    postJson(ask, "/v1/authorize", { ...body, csrf: STATE }, { "X-Service-CSRF": STATE });
  return {
    async prove(): Promise<SentProof> {
      const attempt = { ...ATTEMPT, username: ANNA.username };
      const begun = await post({ action: "begin", attempt });
      return toProof((await begun.json()) as ChallengeResponse, ATTEMPT);
    },
    complete: (proof: SentProof) => post({ action: "complete", ...proof }),
  };
}

export async function toProof(
  challenge: Pick<ChallengeResponse, "challengeId" | "salt" | "iterations" | "serverNonce">,
  attempt: Readonly<Record<string, string>>,
  account = ANNA,
): Promise<SentProof> {
  const result = await provePassword(
    { purpose: LOGIN_PURPOSE, ...account, attempt, challenge },
    deriveKey,
  );
  if (result.kind !== "proved") throw new Error(result.kind);
  const { clientNonce, proof } = result;
  return { challengeId: challenge.challengeId, clientNonce, proof };
}
