/** Values of the sign-ins of all services. */

/** A state is printable, because URLs and headers carry it. */
export const STATE_PATTERN = "^[\\x21-\\x7e]{16,512}$";
export const ID_PATTERN = "^[A-Za-z0-9._~-]{1,128}$";
export const CODE_CHALLENGE_PATTERN = "^[A-Za-z0-9_-]{43}$";
/** RFC 7636 4.1 */
export const CODE_VERIFIER_PATTERN = "^[A-Za-z0-9._~-]{43,128}$";

/** The value that a known browser keeps, in requests and responses of the sync sign-in. */
export const KNOWN_BROWSER_HEADER = "Trellis-Known-Browser";

export const CHALLENGE_LIFETIME_SECONDS = 300;
/** Long enough to fetch a security key; begun ceremonies store nothing. */
export const PASSKEY_CHALLENGE_SECONDS = 300;
/** Bounds what a flood of begun sign-ins stores; the network that has most loses its oldest first. */
export const MAX_LIVE_CHALLENGES = 1000;
/** At most this many live challenges are those of known browsers, which lose none to other clients. */
export const MAX_KNOWN_CHALLENGES = 500;
/** A second redemption this soon after the first is a race of one client, not a replay. */
export const CODE_RACE_SECONDS = 2;

/** What a browser says about itself, as names that people know; null when they are not known. */
export interface BrowserName {
  readonly browser: string | null;
  readonly system: string | null;
}

/** A browser that is signed in to the pages of an account. */
export interface SignedInBrowser extends BrowserName {
  readonly id: string;
  /** Whether it is the one that asks. */
  readonly isThis: boolean;
  readonly createdAt: number;
  readonly lastUsedAt: number;
}

export type SignInPurpose =
  | "app"
  | "page"
  | "password"
  | "invitation"
  | "reset"
  | "passkey-added"
  | "passkey-removed";

/** A sign-in, or several refusals, as a person sees them. */
export interface SignInItem extends BrowserName {
  readonly result: "accepted" | "refused";
  /** A sign-in for an app or to the owner's page, a link that was used, or a change of the ways in. */
  readonly purpose: SignInPurpose;
  readonly method: "password" | "passkey";
  /** Whether the account had not signed in from this browser before. */
  readonly isNew: boolean;
  readonly network: string | null;
  /** The time of the last one. */
  readonly at: number;
  readonly tries: number;
}
