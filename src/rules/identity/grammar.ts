/** The grammar of user names, passwords and nonces. */

/** Base64URL of at least 16 bytes. */
export const CLIENT_NONCE_PATTERN = "^[A-Za-z0-9_-]{22,128}$";

// `u` counts code points, not surrogates; a lone surrogate is in Cs and has no UTF-8.
const USERNAME = /^[^\p{Cc}\p{Cs}]{1,128}$/u;

/** Returns the name in NFC; null when the text is no user name. */
export function parseUsername(text: string): string | null {
  const username = text.normalize("NFC");
  return USERNAME.test(username) ? username : null;
}

/** Null also for a name that looks like another one. Only for new names: an account that has one keeps it. */
export function parseNewUsername(text: string): string | null {
  const username = parseUsername(text);
  // Spaces at the ends, and characters without a shape of their own, such as those that turn the direction.
  const hasInvisible = /^\s|\s$|\p{Default_Ignorable_Code_Point}/u.test(username ?? "");
  return hasInvisible ? null : username;
}

export const MIN_PASSWORD_CHARACTERS = 12;
export const MAX_PASSWORD_CHARACTERS = 1024;

export type PasswordError = "too-short" | "too-long" | "not-text";

/** Spaces at the ends of a password belong to it. */
export function findPasswordError(text: string): PasswordError | null {
  if (/\p{Cs}/u.test(text)) return "not-text";
  const characters = Array.from(text.normalize("NFC")).length;
  if (characters < MIN_PASSWORD_CHARACTERS) return "too-short";
  return characters > MAX_PASSWORD_CHARACTERS ? "too-long" : null;
}
