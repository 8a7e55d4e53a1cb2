/** What the texts of a password proof look like. */

/** Base64URL of at least 16 bytes. */
export const CLIENT_NONCE_PATTERN = "^[A-Za-z0-9_-]{22,128}$";

// `u` counts code points, not halves of them; a lone half has no UTF-8 and is in Cs.
const USERNAME = /^[^\p{Cc}\p{Cs}]{1,128}$/u;

/** The one spelling of a user name (Unicode NFC), or null when it cannot be one. */
export function parseUsername(text: string): string | null {
  const username = text.normalize("NFC");
  return USERNAME.test(username) ? username : null;
}

export const MIN_PASSWORD_CHARACTERS = 12;
export const MAX_PASSWORD_CHARACTERS = 1024;

export type PasswordError = "too-short" | "too-long" | "not-text";

/** What keeps a text from being a new password, or null. Spaces at its ends belong to it. */
export function findPasswordError(text: string): PasswordError | null {
  if (/\p{Cs}/u.test(text)) return "not-text";
  const characters = Array.from(text.normalize("NFC")).length;
  if (characters < MIN_PASSWORD_CHARACTERS) return "too-short";
  return characters > MAX_PASSWORD_CHARACTERS ? "too-long" : null;
}
