import { encodeBase64Url } from "./base64url.ts";
import type { RandomBytes } from "./web-crypto.ts";

/** The entropy of a secret (RFC 7636 7.1, RFC 6749 10.10). */
const SECRET_BYTES = 32;

/** A state, a code verifier, the id of a session or a code, as unpadded Base64URL. */
export function createSecret(randomBytes: RandomBytes): string {
  const bytes = randomBytes(SECRET_BYTES);
  if (bytes.length !== SECRET_BYTES) {
    throw new TypeError(`randomBytes gave ${bytes.length} bytes, not ${SECRET_BYTES}`);
  }
  return encodeBase64Url(bytes);
}
