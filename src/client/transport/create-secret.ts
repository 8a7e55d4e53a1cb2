import { encodeBase64Url } from "../../rules/base64url.ts";
import type { RandomBytes } from "../../rules/web-crypto.ts";

/** The entropy of a secret in bytes (RFC 7636 7.1, RFC 6749 10.10). */
const SECRET_BYTES = 32;

/** A state or a code verifier, as unpadded Base64URL. */
export function createLoginSecret(randomBytes: RandomBytes): string {
  const bytes = randomBytes(SECRET_BYTES);
  if (bytes.length !== SECRET_BYTES) {
    throw new TypeError(`Cannot begin a login: randomBytes gave ${bytes.length} bytes, not 32`);
  }
  return encodeBase64Url(bytes);
}
