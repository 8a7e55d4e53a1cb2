/** The AuthMessage that both sides of a password proof sign (RFC 5802 3). */
/** Salt, nonce and id are unpadded Base64URL. */
export interface PasswordChallenge {
  readonly challengeId: string;
  readonly salt: string;
  readonly iterations: number;
  readonly serverNonce: string;
}

/** The data of the sign-in attempt, by member name; the names of the message are reserved. */
export type SignedAttempt = Readonly<Record<string, string>>;

export interface AuthMessageFields {
  /** The purpose names one service: a proof for it is invalid at another. */
  readonly purpose: string;
  readonly username: string;
  readonly attempt: SignedAttempt;
  readonly challenge: PasswordChallenge;
  readonly clientNonce: string;
}

export const AUTH_MESSAGE_VERSION = 1;

export function createAuthMessage(fields: AuthMessageFields): string {
  const { purpose, username, attempt, challenge, clientNonce } = fields;
  const { challengeId, salt, iterations, serverNonce } = challenge;
  const message = {
    version: AUTH_MESSAGE_VERSION,
    purpose,
    challengeId,
    serverNonce,
    clientNonce,
    salt,
    iterations,
    username: username.normalize("NFC"),
  };
  const reserved = Object.keys(attempt).find((name) => Object.hasOwn(message, name));
  if (reserved !== undefined) {
    throw new Error(`Cannot sign an attempt with a member "${reserved}": the message has its own`);
  }
  // The members are sorted by code unit, without white space, so that one message has one text.
  const members = Object.entries({ ...attempt, ...message })
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
  return `{${members.join(",")}}`;
}
