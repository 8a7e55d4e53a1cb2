/** The instance key under a passphrase, so that a backup of a realm can carry it. */
import { scrypt, type ScryptOptions } from "node:crypto";
import type { RandomBytes } from "./node-primitives.ts";
import { createSealer, type SealContext } from "./seal.ts";
import { decodeBase64Url, encodeBase64Url } from "../rules/base64url.ts";

export interface SealedKey {
  readonly kdf: "scrypt";
  readonly cost: number;
  readonly blockSize: number;
  readonly parallelization: number;
  readonly salt: string;
  /** As `seal.ts` writes it. */
  readonly sealed: string;
}

/** RFC 7914: 128 MiB for each guess. */
const PARAMETERS = { kdf: "scrypt", cost: 2 ** 17, blockSize: 8, parallelization: 1 } as const;
/** What a file may ask for at most, so that a forged one cannot exhaust the memory. */
const MAX_MEMORY_BYTES = 512 * 1024 * 1024;
const SALT_BYTES = 16;
const KEY_BYTES = 32;

export async function sealKey(
  secret: Uint8Array,
  passphrase: string,
  realm: string,
  randomBytes: RandomBytes,
): Promise<SealedKey> {
  const salt = randomBytes(SALT_BYTES);
  const key = await deriveKey(passphrase, salt, PARAMETERS);
  const sealed = createSealer(key, randomBytes).seal(secret, contextOf(realm));
  return { ...PARAMETERS, salt: encodeBase64Url(salt), sealed: encodeBase64Url(sealed) };
}

/** Null when the passphrase is not the one, or the sealed bytes were changed. */
export async function openSealedKey(
  sealed: SealedKey,
  passphrase: string,
  realm: string,
  randomBytes: RandomBytes,
): Promise<Uint8Array | null> {
  const salt = decodeBase64Url(sealed.salt);
  const bytes = decodeBase64Url(sealed.sealed);
  if (salt === null || bytes === null) return null;
  const key = await deriveKey(passphrase, salt, sealed);
  const opened = createSealer(key, randomBytes).open(bytes, contextOf(realm));
  return opened.kind === "opened" ? opened.bytes : null;
}

function contextOf(realm: string): SealContext {
  return { realm, account: "instance", purpose: "backup-key" };
}

async function deriveKey(
  passphrase: string,
  salt: Uint8Array,
  { cost, blockSize, parallelization }: Omit<SealedKey, "kdf" | "salt" | "sealed">,
): Promise<Uint8Array<ArrayBuffer>> {
  const options: ScryptOptions = { cost, blockSize, parallelization, maxmem: MAX_MEMORY_BYTES };
  return new Promise((resolve, reject) => {
    // NFC, like passwords: the same letters on every keyboard.
    scrypt(passphrase.normalize("NFC"), salt, KEY_BYTES, options, (error, key) => {
      if (error === null) resolve(Uint8Array.from(key));
      else reject(error);
    });
  });
}
