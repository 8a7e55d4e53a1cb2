/**
 * Secret keys of minisign and of `tauri signer generate`, which wraps the same file in Base64. A
 * password encrypts the key by scrypt. https://jedisct1.github.io/minisign/
 */
import { scrypt } from "node:crypto";
import { decodeBase64 } from "../../rules/base64.ts";
import { toEd25519PrivateKey, toRawPublicKey } from "./ed25519-key.ts";
import type { ImportedKey } from "./imported-key.ts";

export type MinisignSecretResult =
  | ({ readonly kind: "secret" } & MinisignSecret)
  /** `detail` completes "the file … is no secret key of minisign". */
  | { readonly kind: "no-secret"; readonly detail: string };

export interface MinisignSecret {
  readonly isEncrypted: boolean;
  /** The decoded second line. */
  readonly bytes: Buffer;
}

const COMMENT = "untrusted comment:";
// The algorithms of the signature, of the key derivation (none or scrypt) and of the checksum, the
// salt and the two limits of scrypt, then the number, the key and its checksum.
const SALT = { start: 6, end: 38 };
const OPERATIONS_AT = 38;
const MEMORY_AT = 46;
const KEY_START = 54;
const NUMBER_BYTES = 8;
const SEED_BYTES = 32;
const CHECKSUM_BYTES = 32;
const SECRET_BYTES = KEY_START + NUMBER_BYTES + 2 * SEED_BYTES + CHECKSUM_BYTES;
const SCRYPT = "Sc";
const NO_DERIVATION = "\0\0";

/** `text` is what the file has: two lines, or their Base64. */
export function readMinisignSecret(text: string): MinisignSecretResult {
  const lines = unwrap(text.trim());
  if (lines === null) return noSecret("it does not begin with the comment of one");
  const line = lines.split(/\r?\n/)[1]?.trim() ?? "";
  const decoded = decodeBase64(line);
  if (decoded === null) return noSecret("its second line is not Base64");
  const bytes = Buffer.from(decoded);
  if (bytes.length !== SECRET_BYTES) return noSecret(explainLength(bytes.length));
  const [signature, derivation, checksum] = [0, 2, 4].map((at) =>
    bytes.toString("latin1", at, at + 2),
  );
  const isKnown = derivation === SCRYPT || derivation === NO_DERIVATION;
  if (signature !== "Ed" || checksum !== "B2" || !isKnown) {
    return noSecret("it names algorithms that minisign does not have");
  }
  return { kind: "secret", isEncrypted: derivation === SCRYPT, bytes };
}

/** Whether a text is any file of minisign, also in Tauri's form. */
export function isMinisignFile(text: string): boolean {
  return unwrap(text.trim()) !== null;
}

function unwrap(text: string): string | null {
  if (text.startsWith(COMMENT)) return text;
  const decoded = Buffer.from(decodeBase64(text) ?? []).toString("utf8");
  return decoded.startsWith(COMMENT) ? decoded : null;
}

const PUBLIC_KEY_BYTES = 42;
const SIGNATURE_BYTES = 74;

function explainLength(length: number): string {
  if (length === PUBLIC_KEY_BYTES) return "it is the public key";
  if (length === SIGNATURE_BYTES) return "it is a signature";
  return `its second line has ${length} bytes, not ${SECRET_BYTES}`;
}

function noSecret(detail: string): MinisignSecretResult {
  return { kind: "no-secret", detail };
}

export type OpenMinisignResult =
  | ({ readonly kind: "opened" } & ImportedKey)
  | { readonly kind: "wrong-password" }
  /** The file names limits for scrypt that no key of minisign has. */
  | { readonly kind: "wrong-limits" };

/** `password` is not read for a key that is not encrypted. */
export async function openMinisignSecret(
  { bytes, isEncrypted }: MinisignSecret,
  password: string,
): Promise<OpenMinisignResult> {
  const key = Buffer.from(bytes.subarray(KEY_START));
  if (isEncrypted) {
    const stream = await deriveStream(bytes, password, key.length);
    if (stream === null) return { kind: "wrong-limits" };
    for (const [index, byte] of stream.entries()) key[index] = (key[index] ?? 0) ^ byte;
  }
  const number = key.subarray(0, NUMBER_BYTES);
  const seed = key.subarray(NUMBER_BYTES, NUMBER_BYTES + SEED_BYTES);
  const publicKey = key.subarray(NUMBER_BYTES + SEED_BYTES, NUMBER_BYTES + 2 * SEED_BYTES);
  const privateKey = toEd25519PrivateKey(seed);
  // In place of the checksum, which minisign leaves empty in a key without a password.
  if (!toRawPublicKey(privateKey).equals(publicKey)) return { kind: "wrong-password" };
  const line = Buffer.concat([Buffer.from("Ed"), number, publicKey]).toString("base64");
  return { kind: "opened", privateKey, publicKey: line };
}

const BLOCK_SIZE = 8;
/** Twice what minisign uses by default: a damaged file must not use up the memory of a machine. */
const MAX_SCRYPT_BYTES = 2 * 1024 ** 3;

/** Null when the limits in the file cannot be those of a key. */
function deriveStream(bytes: Buffer, password: string, length: number): Promise<Buffer | null> {
  const parameters = scryptParameters(
    Number(bytes.readBigUInt64LE(OPERATIONS_AT)),
    Number(bytes.readBigUInt64LE(MEMORY_AT)),
  );
  const { N, p } = parameters;
  const needed = 128 * BLOCK_SIZE * (N + p + 2);
  if (p < 1 || needed > MAX_SCRYPT_BYTES) return Promise.resolve(null);
  const salt = bytes.subarray(SALT.start, SALT.end);
  return new Promise((resolve, reject) => {
    scrypt(password, salt, length, { ...parameters, maxmem: needed * 2 }, (error, stream) =>
      error === null ? resolve(stream) : reject(error),
    );
  });
}

const MIN_OPERATIONS = 32_768;

/** As libsodium chooses them for crypto_pwhash_scryptsalsa208sha256, which minisign calls. */
function scryptParameters(operations: number, memory: number) {
  const allowed = Math.max(operations, MIN_OPERATIONS);
  const isShort = allowed < Math.floor(memory / 32);
  const maxCost = isShort ? allowed / (BLOCK_SIZE * 4) : memory / (BLOCK_SIZE * 128);
  const N = 2 ** Math.max(1, Math.floor(Math.log2(Math.max(1, maxCost))));
  return { N, r: BLOCK_SIZE, p: isShort ? 1 : Math.floor(allowed / 4 / N / BLOCK_SIZE) };
}
