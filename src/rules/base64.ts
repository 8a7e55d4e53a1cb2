/** Padded Base64 (RFC 4648 section 4), strict: exactly one text for each byte string. */
import { decodeBase64Url } from "./base64url.ts";

const OTHER_ALPHABET = /[-_]/;

/** Null when the text is not canonical. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  if (text.length % 4 !== 0 || OTHER_ALPHABET.test(text)) return null;
  const letters = text.replace(/={1,2}$/, "");
  return decodeBase64Url(letters.replaceAll("+", "-").replaceAll("/", "_"));
}
