/** Authorization codes: a password proof gives one, and it is redeemed once. */
import { CODE_LIFETIME_SECONDS, REFRESH_ABSOLUTE_SECONDS } from "../../contract/sync/values.ts";
import type { SecretKind } from "../../identity/one-time-secrets.ts";

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
