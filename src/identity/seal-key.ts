/** Keys sealed under a passphrase: the instance key in a backup, a signing key in its file. */
import { scrypt, type ScryptOptions } from "node:crypto";
import { createChecker } from "../contract/check.ts";
import { sealedKeySchema, type SealedKey } from "../contract/sealed-key.ts";
import { decodeBase64Url, encodeBase64Url } from "../rules/base64url.ts";
import { randomBytes, type Bytes } from "../rules/web-crypto.ts";
import { createSecretSealer, type SealContext } from "./seal.ts";

export const { is: isSealedKey } = createChecker(sealedKeySchema);

/** RFC 7914: 128 MiB for each guess. */
const PARAMETERS = { kdf: "scrypt", cost: 2 ** 17, blockSize: 8, parallelization: 1 } as const;
/** A forged backup cannot make scrypt exhaust the memory. */
const MAX_MEMORY_BYTES = 512 * 1024 * 1024;
/** Nor keep the processor busy for hours. */
const MAX_PARALLELIZATION = 16;
const SALT_BYTES = 16;
const KEY_BYTES = 32;

export async function sealKey(
  secret: Uint8Array,
  passphrase: string,
  realm: string,
): Promise<SealedKey> {
  const salt = randomBytes(SALT_BYTES);
  const key = await deriveKey(passphrase, salt, PARAMETERS);
  const sealed = createSecretSealer(key).seal(secret, contextOf(realm));
  return { ...PARAMETERS, salt: encodeBase64Url(salt), sealed: encodeBase64Url(sealed) };
}

/** Null when the passphrase is wrong, or the sealed bytes were changed. */
export async function openSealedKey(
  sealed: SealedKey,
  passphrase: string,
  realm: string,
): Promise<Uint8Array | null> {
  const salt = decodeBase64Url(sealed.salt);
  const bytes = decodeBase64Url(sealed.sealed);
  if (salt === null || bytes === null || !isFeasible(sealed)) return null;
  const key = await deriveKey(passphrase, salt, sealed);
  const opened = createSecretSealer(key).open(bytes, contextOf(realm));
  return opened.kind === "opened" ? opened.bytes : null;
}

/** What scrypt takes (RFC 7914 6) within the memory. Node would throw, and fail the next decryption too. */
function isFeasible({ cost, blockSize, parallelization }: SealedKey): boolean {
  return (
    cost > 1 &&
    Number.isInteger(Math.log2(cost)) &&
    blockSize > 0 &&
    parallelization > 0 &&
    parallelization <= MAX_PARALLELIZATION &&
    128 * blockSize * (cost + parallelization) <= MAX_MEMORY_BYTES
  );
}

function contextOf(realm: string): SealContext {
  return { realm, account: "instance", purpose: "backup-key" };
}

async function deriveKey(
  passphrase: string,
  salt: Uint8Array,
  { cost, blockSize, parallelization }: Omit<SealedKey, "kdf" | "salt" | "sealed">,
): Promise<Bytes> {
  const options: ScryptOptions = { cost, blockSize, parallelization, maxmem: MAX_MEMORY_BYTES };
  return new Promise((resolve, reject) => {
    // NFC, like passwords: keyboards differ in how they compose letters.
    scrypt(passphrase.normalize("NFC"), salt, KEY_BYTES, options, (error, key) => {
      // Bun has `undefined` in the place of null.
      if (error instanceof Error) reject(error);
      else resolve(Uint8Array.from(key));
    });
  });
}
