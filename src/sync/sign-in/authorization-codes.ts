/** Authorization codes: a sign-in gives one, and it is redeemed once. */
import { CODE_LIFETIME_SECONDS, REFRESH_ABSOLUTE_SECONDS } from "../../contract/sync/values.ts";
import type { PasskeyAttempt } from "../../contract/sync/schemas.ts";
import type { IdentityRecords } from "../../identity/identity-records.ts";
import { issueSecret, type SecretKind } from "../../identity/one-time-secrets.ts";
import { encodeBase64Url } from "../../rules/base64url.ts";
import { FAMILY_BYTES } from "../../rules/sync/refresh-token.ts";
import type { RandomBytes } from "../../rules/web-crypto.ts";

export const CODES: SecretKind = {
  purpose: "authorization-code",
  lifetimeMs: CODE_LIFETIME_SECONDS * 1000,
  // The longest life of a session that was opened with the code.
  rememberMs: REFRESH_ABSOLUTE_SECONDS * 1000,
};

export interface CodeBinding {
  readonly codeChallenge: string;
  readonly redirectUri: string;
  readonly attemptId: string;
  readonly deviceId: string;
  /** The family of the session that the code will open, so that a replayed code can revoke that session. */
  readonly family: string;
}

/** Call it in the transaction of the sign-in. Returns the code. */
export function issueCode(
  records: IdentityRecords,
  attempt: Omit<PasskeyAttempt, "state">,
  now: number,
  randomBytes: RandomBytes,
): Promise<string> {
  const { codeChallenge, redirectUri, attemptId, deviceId } = attempt;
  const family = encodeBase64Url(randomBytes(FAMILY_BYTES));
  const bound: CodeBinding = { codeChallenge, redirectUri, attemptId, deviceId, family };
  return issueSecret(records, CODES, JSON.stringify(bound), now, randomBytes);
}
