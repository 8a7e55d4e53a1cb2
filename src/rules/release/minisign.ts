/**
 * The texts of minisign, whose signatures Tauri's updater checks. A `.sig` file of Tauri is the Base64
 * of a signature's four lines. https://jedisct1.github.io/minisign/
 */
import { decodeBase64 } from "../base64.ts";

export interface MinisignPublicKey {
  /** Eight bytes by which a signature names its key. */
  readonly keyNumber: Uint8Array;
  readonly publicKey: Uint8Array;
}

export interface MinisignSignature {
  /** Whether the BLAKE2b-512 digest of the file was signed, and not the file itself. */
  readonly isPrehashed: boolean;
  readonly keyNumber: Uint8Array;
  readonly signature: Uint8Array;
  readonly trustedComment: Uint8Array;
  /** Of the signature and the trusted comment. */
  readonly globalSignature: Uint8Array;
}

export type MinisignSignatureResult =
  | { readonly kind: "parsed"; readonly signature: MinisignSignature }
  | { readonly kind: "malformed"; readonly detail: string };

const KEY_NUMBER_BYTES = 8;
const PUBLIC_KEY_BYTES = 2 + KEY_NUMBER_BYTES + 32;
const SIGNATURE_BYTES = 2 + KEY_NUMBER_BYTES + 64;

/** Null when the text is not the second line of a public key file. */
export function parseMinisignPublicKey(line: string): MinisignPublicKey | null {
  const bytes = decodeBase64(line);
  if (bytes?.length !== PUBLIC_KEY_BYTES || algorithmOf(bytes) !== "Ed") return null;
  return {
    keyNumber: bytes.slice(2, 2 + KEY_NUMBER_BYTES),
    publicKey: bytes.slice(2 + KEY_NUMBER_BYTES),
  };
}

/** Parses what a `.sig` file of Tauri has. */
export function parseTauriSignature(text: string): MinisignSignatureResult {
  const bytes = decodeBase64(text);
  return bytes === null ? malformed("it is not one line of Base64") : parseMinisignSignature(bytes);
}

const UNTRUSTED = "untrusted comment:";
const TRUSTED = "trusted comment: ";
// The text of a secret key begins with the names of its algorithms: "EdScB2".
const SECRET_KEY = "RWRTY0Iy";

/** Parses the four lines as bytes, because the trusted comment is signed as bytes. */
export function parseMinisignSignature(text: Uint8Array): MinisignSignatureResult {
  const lines = toByteString(text).split("\n");
  const [untrusted = "", line = "", trusted = "", globalLine = "", ...rest] = lines.map((item) =>
    item.replace(/\r$/, ""),
  );
  if (!untrusted.startsWith(UNTRUSTED)) {
    return malformed(`its first line does not begin with "${UNTRUSTED}"`);
  }
  if (line.startsWith(SECRET_KEY)) return malformed("it is a secret key");
  if (parseMinisignPublicKey(line) !== null) return malformed("it is a public key");
  const bytes = decodeBase64(line);
  const algorithm = bytes === null ? "" : algorithmOf(bytes);
  if (bytes?.length !== SIGNATURE_BYTES || (algorithm !== "ED" && algorithm !== "Ed")) {
    return malformed("its second line is no signature");
  }
  if (!trusted.startsWith(TRUSTED)) {
    return malformed(`its third line does not begin with "${TRUSTED.trim()}"`);
  }
  const globalSignature = decodeBase64(globalLine);
  if (globalSignature?.length !== 64) return malformed("its fourth line is no signature");
  if (rest.some((item) => item !== "")) return malformed("it has more than four lines");
  const signature = {
    isPrehashed: algorithm === "ED",
    keyNumber: bytes.slice(2, 2 + KEY_NUMBER_BYTES),
    signature: bytes.slice(2 + KEY_NUMBER_BYTES),
    trustedComment: fromByteString(trusted.slice(TRUSTED.length)),
    globalSignature,
  };
  return { kind: "parsed", signature };
}

/** As minisign prints it: a number of which the first byte is the lowest. */
export function formatKeyNumber(keyNumber: Uint8Array): string {
  return Array.from(keyNumber.toReversed(), (byte) => byte.toString(16).padStart(2, "0"))
    .join("")
    .toUpperCase();
}

function malformed(detail: string): MinisignSignatureResult {
  return { kind: "malformed", detail };
}

function algorithmOf(bytes: Uint8Array): string {
  return toByteString(bytes.subarray(0, 2));
}

/** One character for each byte. */
function toByteString(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

function fromByteString(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
