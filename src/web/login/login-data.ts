/** What the page tells its script, as one attribute of the form. */
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
export interface LoginMessages {
  readonly usernameMissing: string;
  readonly passwordMissing: string;
  readonly contacting: string;
  readonly deriving: string;
  readonly proving: string;
  readonly wrong: string;
  readonly expired: string;
  readonly throttled: string;
  readonly waitFor: string;
  readonly mayTryAgain: string;
  readonly offline: string;
  readonly unanswered: string;
  readonly forged: string;
  readonly weakened: string;
  /** The words on the small button, and what it is called where there is nothing to see. */
  readonly show: string;
  readonly showPassword: string;
  readonly hide: string;
  readonly hidePassword: string;
}

export interface LoginData {
  readonly endpoint: string;
  readonly csrfHeader: string;
  readonly purpose: string;
  readonly attempt: LoginAttempt & SignedAttempt;
  readonly delivery: Delivery;
  readonly messages: LoginMessages;
}

/** Escaped to ASCII, so that no clean-up of text on its way can touch an address or a state. */
export function writeLoginData(data: LoginData): string {
  return JSON.stringify(data).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

export function readLoginData(text: string): LoginData {
  return JSON.parse(text) as LoginData;
}
