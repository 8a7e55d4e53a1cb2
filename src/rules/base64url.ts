/** Unpadded Base64URL (RFC 4648 section 5), strict: exactly one text for each byte string. */

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
/** The table is pure, so that bundlers leave it out of a client that only encodes. */
const VALUES = /* @__PURE__ */ createValues();

function createValues(): Int16Array {
  const values = new Int16Array(128).fill(-1);
  for (let index = 0; index < 64; index++) values[ALPHABET.charCodeAt(index)] = index;
  return values;
}

/** Null when the text is not canonical: padding, other characters, non-zero spare bits. */
export function decodeBase64Url(text: string): Uint8Array<ArrayBuffer> | null {
  const rest = text.length % 4;
  if (rest === 1) return null;
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  const whole = text.length - rest;
  let written = 0;
  // One comparison finds a -1 in any of the four, because it sets the sign bit.
  for (let index = 0; index < whole; index += 4) {
    const group =
      (valueAt(text, index) << 18) |
      (valueAt(text, index + 1) << 12) |
      (valueAt(text, index + 2) << 6) |
      valueAt(text, index + 3);
    if (group < 0) return null;
    bytes[written++] = group >> 16;
    bytes[written++] = group >> 8;
    bytes[written++] = group;
  }
  if (rest === 0) return bytes;
  const third = rest === 3 ? valueAt(text, whole + 2) : 0;
  const group = (valueAt(text, whole) << 12) | (valueAt(text, whole + 1) << 6) | third;
  if (group < 0) return null;
  bytes[written++] = group >> 10;
  if (rest === 3) bytes[written] = group >> 2;
  return (group & (rest === 3 ? 0b11 : 0b11_1111_1111)) === 0 ? bytes : null;
}

function valueAt(text: string, index: number): number {
  return VALUES[text.charCodeAt(index)] ?? -1;
}

export function encodeBase64Url(bytes: Uint8Array): string {
  let text = "";
  let rest = 0;
  let restBits = 0;
  for (const byte of bytes) {
    // At most four bits are left from the bytes before.
    rest = (rest << 8) | byte;
    restBits += 8;
    while (restBits >= 6) {
      restBits -= 6;
      text += ALPHABET.charAt((rest >> restBits) & 63);
    }
    rest &= 15;
  }
  return restBits === 0 ? text : text + ALPHABET.charAt((rest << (6 - restBits)) & 63);
}
