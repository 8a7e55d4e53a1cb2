/** What both sides of a password proof sign: the challenge and everything it is for. */
import { canonicalJson } from "../canonical-json.ts";

/** The server's half of the exchange. Salt, nonce and id are unpadded Base64URL. */
export interface PasswordChallenge {
  readonly challengeId: string;
  readonly salt: string;
  readonly iterations: number;
  readonly serverNonce: string;
}

/** What the proof is for, by member name. It may not use the names of the message's own members. */
export type SignedAttempt = Readonly<Record<string, string>>;

export interface AuthMessageFields {
  /** Keeps a proof made for one service from being one for another. */
  readonly purpose: string;
  readonly username: string;
  readonly attempt: SignedAttempt;
  readonly challenge: PasswordChallenge;
  readonly clientNonce: string;
}

export const AUTH_MESSAGE_VERSION = 1;

export function createAuthMessage(parts: AuthMessageFields): string {
  const { challengeId, salt, iterations, serverNonce } = parts.challenge;
  const own = {
    version: AUTH_MESSAGE_VERSION,
    purpose: parts.purpose,
    challengeId,
    serverNonce,
    clientNonce: parts.clientNonce,
    salt,
    iterations,
    username: parts.username.normalize("NFC"),
  };
  const names = Object.keys(own);
  const taken = Object.keys(parts.attempt).find((name) => names.includes(name));
  if (taken !== undefined) {
    throw new Error(`Cannot sign an attempt with a member "${taken}": the message has its own`);
  }
  return canonicalJson({ ...parts.attempt, ...own });
}
