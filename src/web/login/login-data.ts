/** What the page tells its script. */
import type { SignedAttempt } from "../../rules/identity/auth-message.ts";
import type { Delivery } from "../../rules/identity/redirect.ts";

export interface LoginAttempt {
  readonly codeChallenge: string;
  readonly state: string;
  readonly redirectUri: string;
  readonly attemptId: string;
  readonly deviceId: string;
}

/** Sentences that the script shows; braces stand for what it puts in. */
export interface LoginMessages extends RevealMessages {
  readonly usernameMissing: string;
  readonly passwordMissing: string;
  readonly contacting: string;
  readonly deriving: string;
  readonly proving: string;
  readonly wrong: string;
  readonly expired: string;
  readonly outdated: string;
  readonly throttled: string;
  readonly waitFor: string;
  readonly mayTryAgain: string;
  readonly offline: string;
  readonly unanswered: string;
  readonly forged: string;
  readonly weakened: string;
}

/** The words on the small button, and what it is called where there is nothing to see. */
export interface RevealMessages {
  readonly show: string;
  readonly showPassword: string;
  readonly hide: string;
  readonly hidePassword: string;
}

/** What every sign-in needs, whoever it is for. */
export interface SignInData {
  readonly purpose: string;
  readonly attempt: SignedAttempt;
  readonly messages: LoginMessages;
}

/** A sign-in whose result goes to an app. */
export interface LoginData extends SignInData {
  readonly endpoint: string;
  readonly csrfHeader: string;
  readonly attempt: LoginAttempt & SignedAttempt;
  readonly delivery: Delivery;
}
