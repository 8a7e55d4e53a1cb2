/** The keys of an end-to-end encrypted account, as a server keeps them. Without TypeBox, for any client. */

/**
 * Proves the account's key with every push and with a new key: the key's id, `.`, and its write secret in
 * base64url. It is a secret, and is never logged.
 */
export const KEY_HEADER = "Trellis-Key";

/** A list of this length is a rotation a day for almost three years. */
export const MAX_ACCOUNT_KEYS = 1000;

/** 16 bytes in canonical base64url. */
export const ACCOUNT_KEY_ID_PATTERN = "^[A-Za-z0-9_-]{21}[AQgw]$";
/** 32 bytes in canonical base64url: a write secret, or its SHA-256. */
export const WRITE_SECRET_PATTERN = "^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$";
/** `2.`, the id of the key, `.`, then a nonce of 24 bytes, the cipher text and a tag of 16 bytes. */
export const ENVELOPE_PATTERN =
  "^2\\.[A-Za-z0-9_-]{21}[AQgw]\\.(?:[A-Za-z0-9_-]{4}){13,}(?:[A-Za-z0-9_-]{4}|[A-Za-z0-9_-][AQgw]|[A-Za-z0-9_-]{2}[AEIMQUYcgkosw048])$";

/** Twice what the former keys of the longest list take. */
export const MAX_KEYS_ENVELOPE_CHARACTERS = 131_072;
/** The envelopes of all records together: what those of the longest list take fits, and one response. */
export const MAX_KEY_LIST_CHARACTERS = 33_554_432;
/** It names a key, a device and a time. */
export const MAX_FROM_ENVELOPE_CHARACTERS = 1024;
