/**
 * Private keys that the tools of other updaters wrote: `minisign -G`, `tauri signer generate`, Sparkle's
 * `generate_keys -x` and `winsparkle-tool generate-key`.
 */
import { scrypt, type KeyObject } from "node:crypto";
import { decodeBase64 } from "../../rules/base64.ts";
import type { UpdaterKeyKind } from "../../rules/release/updater-keys.ts";
import { publishingError, type PublishingError } from "./change-catalog.ts";
import { toEd25519PrivateKey, toRawPublicKey } from "./ed25519-key.ts";
import { readSmallFile } from "./read-small-file.ts";

export interface UpdaterSecret {
  readonly kind: "opened";
  readonly privateKey: KeyObject;
  /** The public key as catalog.json has it. */
  readonly publicKey: string;
}

export interface SecretFile {
  readonly kind: UpdaterKeyKind;
  readonly file: string;
  /** Called for an encrypted file; undefined when there is no way to ask. */
  askPassword(): Promise<string | undefined>;
}

export async function readUpdaterSecret(
  request: SecretFile,
): Promise<UpdaterSecret | PublishingError> {
  const { kind, file } = request;
  const content = await readSmallFile(file, `"${file}"`, `There is no file "${file}"`);
  if (content === null) return noSecretError(request, "it is too large");
  if ("kind" in content) return content;
  const text = content.toString("utf8").trim();
  return kind === "minisign" ? openMinisign(request, text) : openSparkle(request, text);
}

const MADE_BY = {
  minisign: "that `tauri signer generate -w` or `minisign -G` wrote",
  sparkle: "that Sparkle's `generate_keys -x` or `winsparkle-tool generate-key` wrote",
} as const satisfies Record<UpdaterKeyKind, string>;

function noSecretError({ kind, file }: SecretFile, detail: string): PublishingError {
  return publishingError(
    `"${file}" is not a private key of ${kind} (${detail}): give the file ${MADE_BY[kind]}`,
  );
}

const SEED_BYTES = 32;
/** An older form: not the seed, but its SHA-512, with which node:crypto cannot sign. */
const HASHED_SEED_BYTES = 96;

function openSparkle(request: SecretFile, text: string): UpdaterSecret | PublishingError {
  if (unwrap(text) !== null) {
    return noSecretError(request, "it is a file of minisign: import it with --kind minisign");
  }
  const bytes = decodeBase64(text);
  if (bytes === null) return noSecretError(request, "it is not one line of Base64");
  if (bytes.length === HASHED_SEED_BYTES) {
    return publishingError(
      `"${request.file}" has Sparkle's older form of 96 bytes, which has no seed to import: keep it, sign with Sparkle's \`sign_update\`, and give the signature with \`add-artifact --ed-signature\``,
    );
  }
  if (bytes.length !== SEED_BYTES) {
    return noSecretError(request, `it has ${bytes.length} bytes, not ${SEED_BYTES}`);
  }
  const privateKey = toEd25519PrivateKey(bytes);
  return { kind: "opened", privateKey, publicKey: toRawPublicKey(privateKey).toString("base64") };
}

// https://jedisct1.github.io/minisign/: a comment, and a line in Base64, which has the algorithms of the
// signature, of the key derivation (none or scrypt) and of the checksum, the salt and the two limits of
// scrypt, then the number, the key and its checksum. Tauri wraps both lines in Base64 once more.
const COMMENT = "untrusted comment:";
const SALT = { start: 6, end: 38 };
const OPERATIONS_AT = 38;
const MEMORY_AT = 46;
const KEY_START = 54;
const NUMBER_BYTES = 8;
const CHECKSUM_BYTES = 32;
const SECRET_BYTES = KEY_START + NUMBER_BYTES + 2 * SEED_BYTES + CHECKSUM_BYTES;
const SCRYPT = "Sc";
const NO_DERIVATION = "\0\0";

function unwrap(text: string): string | null {
  if (text.startsWith(COMMENT)) return text;
  const decoded = Buffer.from(decodeBase64(text) ?? []).toString("utf8");
  return decoded.startsWith(COMMENT) ? decoded : null;
}

async function openMinisign(
  request: SecretFile,
  text: string,
): Promise<UpdaterSecret | PublishingError> {
  const lines = unwrap(text);
  if (lines === null) return noSecretError(request, "it does not begin with the comment of one");
  const decoded = decodeBase64(lines.split(/\r?\n/)[1]?.trim() ?? "");
  if (decoded === null) return noSecretError(request, "its second line is not Base64");
  const bytes = Buffer.from(decoded);
  if (bytes.length !== SECRET_BYTES) return noSecretError(request, explainLength(bytes.length));
  const [signature, derivation, checksum] = [0, 2, 4].map((at) =>
    bytes.toString("latin1", at, at + 2),
  );
  const isKnown = derivation === SCRYPT || derivation === NO_DERIVATION;
  if (signature !== "Ed" || checksum !== "B2" || !isKnown) {
    return noSecretError(request, "it names algorithms that minisign does not have");
  }
  return derivation === SCRYPT
    ? decryptMinisign(request, bytes)
    : (toMinisignKey(bytes.subarray(KEY_START)) ??
        noSecretError(request, "its two halves do not belong together"));
}

const PUBLIC_KEY_BYTES = 42;
const SIGNATURE_BYTES = 74;

function explainLength(length: number): string {
  if (length === PUBLIC_KEY_BYTES) return "it is the public key";
  if (length === SIGNATURE_BYTES) return "it is a signature";
  return `its second line has ${length} bytes, not ${SECRET_BYTES}`;
}

async function decryptMinisign(
  request: SecretFile,
  bytes: Buffer,
): Promise<UpdaterSecret | PublishingError> {
  const password = await request.askPassword();
  const key = Buffer.from(bytes.subarray(KEY_START));
  // Tauri encrypts with an empty password when it is given none.
  const stream = await deriveStream(bytes, password ?? "", key.length);
  if (stream === null) {
    return noSecretError(request, "it names limits of scrypt that no such key has");
  }
  for (const [index, byte] of stream.entries()) key[index] = (key[index] ?? 0) ^ byte;
  return (
    toMinisignKey(key) ??
    publishingError(
      password === undefined
        ? `"${request.file}" is encrypted and no password was given: use a terminal, --password-stdin, or TAURI_SIGNING_PRIVATE_KEY_PASSWORD`
        : `The password does not open "${request.file}": try it again`,
    )
  );
}

/** Null when the halves do not match, as after decryption with a wrong password. */
function toMinisignKey(key: Buffer): UpdaterSecret | null {
  const number = key.subarray(0, NUMBER_BYTES);
  const seed = key.subarray(NUMBER_BYTES, NUMBER_BYTES + SEED_BYTES);
  const publicKey = key.subarray(NUMBER_BYTES + SEED_BYTES, NUMBER_BYTES + 2 * SEED_BYTES);
  const privateKey = toEd25519PrivateKey(seed);
  // The halves take the place of the checksum, which minisign leaves empty in a key without a password.
  if (!toRawPublicKey(privateKey).equals(publicKey)) return null;
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
    scrypt(password, salt, length, { ...parameters, maxmem: needed * 2 }, (error, stream) => {
      // Bun has `undefined` in the place of null.
      if (error instanceof Error) reject(error);
      else resolve(stream);
    });
  });
}

const MIN_OPERATIONS = 32_768;

/** Chooses the parameters as libsodium does for crypto_pwhash_scryptsalsa208sha256, which minisign calls. */
function scryptParameters(operations: number, memory: number) {
  const allowed = Math.max(operations, MIN_OPERATIONS);
  const isShort = allowed < Math.floor(memory / 32);
  const maxCost = isShort ? allowed / (BLOCK_SIZE * 4) : memory / (BLOCK_SIZE * 128);
  const N = 2 ** Math.max(1, Math.floor(Math.log2(Math.max(1, maxCost))));
  return { N, r: BLOCK_SIZE, p: isShort ? 1 : Math.floor(allowed / 4 / N / BLOCK_SIZE) };
}
