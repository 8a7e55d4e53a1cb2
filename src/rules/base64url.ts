/** Unpadded Base64URL (RFC 4648 section 5), strict: one spelling for each byte string. */

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const VALUES = new Int16Array(128).fill(-1);
for (let index = 0; index < 64; index++) VALUES[ALPHABET.charCodeAt(index)] = index;

/** The bytes, or null when the text is not canonical: padding, foreign characters, stray bits. */
export function decodeBase64Url(text: string): Uint8Array<ArrayBuffer> | null {
  const rest = text.length % 4;
  if (rest === 1) return null;
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  let buffer = 0;
  let bits = 0;
  let written = 0;
  for (let index = 0; index < text.length; index++) {
    const value = VALUES[text.charCodeAt(index)] ?? -1;
    if (value < 0) return null;
    buffer = ((buffer << 6) | value) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[written++] = (buffer >> bits) & 0xff;
  }
  return (buffer & ((1 << bits) - 1)) === 0 ? bytes : null;
}

export function encodeBase64Url(bytes: Uint8Array): string {
  let text = "";
  for (let index = 0; index < bytes.length; index += 3) {
    const [a, b, c] = [bytes[index] ?? 0, bytes[index + 1] ?? 0, bytes[index + 2] ?? 0];
    const group = (a << 16) | (b << 8) | c;
    const letters = Math.min(4, bytes.length - index + 1);
    for (let at = 0; at < letters; at++) text += ALPHABET[(group >> (18 - 6 * at)) & 63];
  }
  return text;
}
