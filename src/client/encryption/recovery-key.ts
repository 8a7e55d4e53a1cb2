/** The text in which a person keeps the data key: Crockford's Base32 with a checksum, in groups of four. */
import { sha256 } from "@noble/hashes/sha2.js";
import { encodeUtf8 } from "../../rules/web-crypto.ts";
import { SEALED_CONTEXT, DATA_KEY_BYTES } from "./data-key.ts";

/** Without I, L and O, which look like digits, and U. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const CHECKSUM_BYTES = 3;
const LENGTH = ((DATA_KEY_BYTES + CHECKSUM_BYTES) * 8) / 5;
/** Word processors make other dashes of a hyphen. */
const SEPARATORS = /[\s\u2010-\u2015-]/g;

export function toRecoveryKey(dataKey: Uint8Array): string {
  let bits = "";
  for (const byte of withChecksum(dataKey)) bits += byte.toString(2).padStart(8, "0");
  const characters = bits.replaceAll(/.{5}/g, (five) => ALPHABET.charAt(parseInt(five, 2)));
  return characters.replaceAll(/.{4}(?!$)/g, "$&-");
}

/** Null when a person mistyped it, or when it is another text. */
export function readRecoveryKey(text: string): Uint8Array | null {
  const characters = text
    .replaceAll(SEPARATORS, "")
    .replaceAll(/o/gi, "0")
    .replaceAll(/[il]/gi, "1");
  // Without the flag `u`, `i` takes no letters of other alphabets for these.
  if (characters.length !== LENGTH || !/^[0-9A-HJKMNP-TV-Z]+$/i.test(characters)) return null;
  const bits = characters.replaceAll(/./g, (character) =>
    ALPHABET.indexOf(character.toUpperCase()).toString(2).padStart(5, "0"),
  );
  const bytes = Uint8Array.from(bits.match(/.{8}/g) ?? [], (eight) => parseInt(eight, 2));
  const dataKey = bytes.slice(0, DATA_KEY_BYTES);
  return withChecksum(dataKey).every((byte, index) => byte === bytes[index]) ? dataKey : null;
}

function withChecksum(dataKey: Uint8Array): Uint8Array {
  const hash = sha256
    .create()
    .update(encodeUtf8(`${SEALED_CONTEXT}/recovery-key`))
    .update(dataKey);
  const bytes = new Uint8Array(DATA_KEY_BYTES + CHECKSUM_BYTES);
  bytes.set(dataKey);
  bytes.set(hash.digest().subarray(0, CHECKSUM_BYTES), DATA_KEY_BYTES);
  return bytes;
}
