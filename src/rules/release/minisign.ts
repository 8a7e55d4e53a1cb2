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
  /** The signature of the signature and the trusted comment. */
  readonly globalSignature: Uint8Array;
}

export type MinisignSignatureResult =
  | { readonly kind: "parsed"; readonly signature: MinisignSignature }
  | { readonly kind: "malformed"; readonly detail: string };

const KEY_NUMBER_BYTES = 8;
const PUBLIC_KEY_BYTES = 2 + KEY_NUMBER_BYTES + 32;

/** Null when the text is not the second line of a public key file. */
export function parseMinisignPublicKey(line: string): MinisignPublicKey | null {
  const bytes = decodeBase64(line);
  if (bytes?.length !== PUBLIC_KEY_BYTES || !line.startsWith("RW")) return null;
  return {
    keyNumber: bytes.slice(2, 2 + KEY_NUMBER_BYTES),
    publicKey: bytes.slice(2 + KEY_NUMBER_BYTES),
  };
}

/** Parses what a `.sig` file of Tauri has. */
export function parseTauriSignature(text: string): MinisignSignatureResult {
  const bytes = decodeBase64(text);
  return bytes === null ? malformed(NO_BASE64) : parseMinisignSignature(bytes);
}

/** What is wrong with the content of a `.sig` file; null when nothing is. A catalogue has many. */
export function findTauriSignatureError(text: string): string | null {
  const bytes = decodeBase64(text);
  const lines = bytes === null ? NO_BASE64 : readLines(bytes);
  return typeof lines === "string" ? lines : null;
}

/** Parses the four lines as bytes, because the trusted comment is signed as bytes. */
export function parseMinisignSignature(text: Uint8Array): MinisignSignatureResult {
  const lines = readLines(text);
  if (typeof lines === "string") return malformed(lines);
  const bytes = decodeLine(lines.signature);
  const signature = {
    isPrehashed: lines.signature.startsWith(PREHASHED),
    keyNumber: bytes.slice(2, 2 + KEY_NUMBER_BYTES),
    signature: bytes.slice(2 + KEY_NUMBER_BYTES),
    trustedComment: Uint8Array.from(lines.trustedComment, (letter) => letter.charCodeAt(0)),
    globalSignature: decodeLine(lines.globalSignature),
  };
  return { kind: "parsed", signature };
}

const NO_BASE64 = "it is not one line of Base64";
const UNTRUSTED = "untrusted comment:";
const TRUSTED = "trusted comment: ";
/** The Base64 of "ED"; that of "Ed" is RW. */
const PREHASHED = "RU";
/** The algorithm, the number of the key and 64 bytes, in canonical Base64. */
const SIGNATURE_LINE = /^R[UW][QRST][A-Za-z0-9+/]{95}[AEIMQUYcgkosw048]=$/;
const GLOBAL_LINE = /^[A-Za-z0-9+/]{85}[AQgw]==$/;
// The text of a secret key begins with the names of its algorithms: "EdScB2".
const SECRET_KEY = "RWRTY0Iy";

interface SignatureLines {
  readonly signature: string;
  readonly trustedComment: string;
  readonly globalSignature: string;
}

/** The lines with one character for each byte, or what is wrong with them. */
function readLines(text: Uint8Array): SignatureLines | string {
  const [untrusted = "", signature = "", trusted = "", globalSignature = "", ...rest] =
    toByteString(text).split(/\r?\n/);
  if (!untrusted.startsWith(UNTRUSTED)) {
    return `its first line does not begin with "${UNTRUSTED}"`;
  }
  if (!SIGNATURE_LINE.test(signature)) {
    if (signature.startsWith(SECRET_KEY)) return "it is a secret key";
    return parseMinisignPublicKey(signature) === null
      ? "its second line is not a signature"
      : "it is a public key";
  }
  if (!trusted.startsWith(TRUSTED)) {
    return `its third line does not begin with "${TRUSTED.trim()}"`;
  }
  if (!GLOBAL_LINE.test(globalSignature)) return "its fourth line is not a signature";
  if (rest.some((line) => line !== "")) return "it has more than four lines";
  return { signature, trustedComment: trusted.slice(TRUSTED.length), globalSignature };
}

function decodeLine(line: string): Uint8Array {
  return decodeBase64(line) ?? new Uint8Array();
}

/** Formats the key number as minisign prints it: a number of which the first byte is the lowest. */
export function formatKeyNumber(keyNumber: Uint8Array): string {
  return Array.from(keyNumber.toReversed(), (byte) => byte.toString(16).padStart(2, "0"))
    .join("")
    .toUpperCase();
}

function malformed(detail: string): MinisignSignatureResult {
  return { kind: "malformed", detail };
}

const MAX_ARGUMENTS = 8192;

/** Makes one character of each byte. */
function toByteString(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += MAX_ARGUMENTS) {
    // Spreading the bytes takes five times as long.
    text += Reflect.apply(String.fromCharCode, null, bytes.subarray(at, at + MAX_ARGUMENTS));
  }
  return text;
}
