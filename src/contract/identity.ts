/** What the sign-ins of all services have in common on the wire. */

/** A sign-in page and an app share these through addresses and headers, so they stay printable. */
export const STATE_PATTERN = "^[\\x21-\\x7e]{16,512}$";
export const ID_PATTERN = "^[A-Za-z0-9._~-]{1,128}$";
export const CODE_CHALLENGE_PATTERN = "^[A-Za-z0-9_-]{43}$";
/** RFC 7636 4.1 */
export const CODE_VERIFIER_PATTERN = "^[A-Za-z0-9._~-]{43,128}$";

/** The password proof is answered within minutes, by a person. */
export const CHALLENGE_LIFETIME_SECONDS = 300;
/** What a flood of beginnings may keep alive at most; the oldest go first. */
export const MAX_LIVE_CHALLENGES = 1000;
/** Losers of a race for one code are no attack when they come this soon after the winner. */
export const CODE_RACE_SECONDS = 2;
