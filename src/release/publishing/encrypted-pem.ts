/** Whether an encrypted PEM file, which OpenSSL or an earlier Trellis wrote, is there as a whole. */

export type EncryptedPemResult =
  | { readonly kind: "whole" }
  | { readonly kind: "damaged"; readonly detail: string };

const BLOCK = /-----BEGIN ENCRYPTED PRIVATE KEY-----([\s\S]*?)-----END ENCRYPTED PRIVATE KEY-----/;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

export function readEncryptedPem(text: string): EncryptedPemResult {
  // The form of before PKCS#8, with the cipher in a header, is left to OpenSSL.
  if (!text.includes("BEGIN ENCRYPTED PRIVATE KEY")) return { kind: "whole" };
  const body = BLOCK.exec(text)?.[1]?.replaceAll(/\s/g, "");
  if (body === undefined) return { kind: "damaged", detail: "its end is missing" };
  if (!BASE64.test(body)) return { kind: "damaged", detail: "its lines are not Base64" };
  return isWholeSequence(Buffer.from(body, "base64"))
    ? { kind: "whole" }
    : { kind: "damaged", detail: "a part of it is missing" };
}

const SEQUENCE = 0x30;

/** DER (X.690 8.1.3): a sequence with the length that it states. */
function isWholeSequence(bytes: Buffer): boolean {
  const [tag, first = 0] = bytes;
  if (tag !== SEQUENCE) return false;
  if (first < 0x80) return bytes.length === 2 + first;
  const lengthBytes = first & 0x7f;
  if (lengthBytes < 1 || lengthBytes > 2 || bytes.length < 2 + lengthBytes) return false;
  return bytes.length === 2 + lengthBytes + bytes.readUIntBE(2, lengthBytes);
}
