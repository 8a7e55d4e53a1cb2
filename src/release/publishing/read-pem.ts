/** PEM files that Trellis or OpenSSL wrote, and their damage as far as it shows without a passphrase. */

const BLOCK = /-----BEGIN ([A-Z ]+)-----([\s\S]*?)-----END \1-----/;

/** What to do about a secret pasted into a field of one line; null when readable, as a sealed key is. */
export function explainLostLineEnds(text: string, needsLines: boolean): string | null {
  const [, label = "", body] = BLOCK.exec(text) ?? [];
  if (body === undefined) return null;
  const [begin, end] = [`"-----BEGIN ${label}-----"`, `"-----END ${label}-----"`];
  if (body.includes("\\n")) {
    return `it has a backslash and an n where its lines end: put line ends there (\`printf '%b'\` writes them)`;
  }
  if (!needsLines || /^[ \t]*\r?\n/.test(body)) return null;
  return `write ${begin}, the letters after it and ${end} as lines of their own, with a line end in place of each space between the letters`;
}

export interface WholePem {
  readonly kind: "plain" | "encrypted";
  readonly text: string;
}

const ENCRYPTED_BLOCK =
  /-----BEGIN ENCRYPTED PRIVATE KEY-----([\s\S]*?)-----END ENCRYPTED PRIVATE KEY-----/;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Whether an encrypted key, which OpenSSL or an earlier Trellis wrote, is there as a whole. */
export function readPem(
  text: string,
): WholePem | { readonly kind: "damaged"; readonly detail: string } {
  if (!text.includes("ENCRYPTED")) return { kind: "plain", text };
  // The form of before PKCS#8, with the cipher in a header, is left to OpenSSL.
  if (!text.includes("BEGIN ENCRYPTED PRIVATE KEY")) return { kind: "encrypted", text };
  const body = ENCRYPTED_BLOCK.exec(text)?.[1]?.replaceAll(/\s/g, "");
  if (body === undefined) return { kind: "damaged", detail: "its end is missing" };
  if (!BASE64.test(body)) return { kind: "damaged", detail: "its lines are not Base64" };
  return isWholeSequence(Buffer.from(body, "base64"))
    ? { kind: "encrypted", text }
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
