/** Padded Base64 (RFC 4648 section 4), strict: exactly one text for each byte string. */
import { decodeBase64Url } from "./base64url.ts";

const PADDED = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Null when the text is not canonical. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  if (!PADDED.test(text)) return null;
  return decodeBase64Url(text.replace(/=+$/, "").replaceAll("+", "-").replaceAll("/", "_"));
}
