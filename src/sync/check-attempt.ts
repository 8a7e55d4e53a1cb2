/** Whether a sign-in attempt is one: each member by its grammar, the redirect by the allowlist. */
import type { Attempt } from "../contract/sync/schemas.ts";
import { CODE_CHALLENGE_PATTERN, ID_PATTERN, STATE_PATTERN } from "../contract/identity.ts";
import { parseUsername } from "../rules/identity/grammar.ts";
import type { RedirectAllowlist } from "./redirect-allowlist.ts";

const STATE = new RegExp(STATE_PATTERN);
const ID = new RegExp(ID_PATTERN);
const CODE_CHALLENGE = new RegExp(CODE_CHALLENGE_PATTERN);

/** The attempt with its user name in the one spelling, or null. */
export function checkAttempt(attempt: Attempt, redirects: RedirectAllowlist): Attempt | null {
  const username = parseUsername(attempt.username);
  const isRight =
    STATE.test(attempt.state) &&
    CODE_CHALLENGE.test(attempt.codeChallenge) &&
    ID.test(attempt.attemptId) &&
    ID.test(attempt.deviceId) &&
    redirects.find(attempt.redirectUri) !== undefined;
  return isRight && username !== null ? { ...attempt, username } : null;
}
