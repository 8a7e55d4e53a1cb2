/** The secret of an instance, a file of 32 bytes, and the keys derived from it. */
import { createHmac, hkdfSync } from "node:crypto";
import {
  closeSync,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { encodeBase64Url } from "../rules/base64url.ts";
import { randomBytes, type Bytes } from "../rules/web-crypto.ts";

export const INSTANCE_KEY_BYTES = 32;

export interface InstanceKey {
  /** A key of 32 bytes for one purpose (HKDF, RFC 5869). */
  derive(purpose: string): Bytes;
}

export function createInstanceKey(secret: Uint8Array): InstanceKey {
  if (secret.length !== INSTANCE_KEY_BYTES) {
    throw new Error(`An instance key has ${INSTANCE_KEY_BYTES} bytes, not ${secret.length}`);
  }
  const own = Uint8Array.from(secret);
  return {
    derive: (purpose) =>
      new Uint8Array(hkdfSync("sha256", own, "", `trellis/v1/${purpose}`, INSTANCE_KEY_BYTES)),
  };
}

export function toInstanceKey(given: Uint8Array | InstanceKey): InstanceKey {
  return given instanceof Uint8Array ? createInstanceKey(given) : given;
}

/** Hashes lists of texts with a key of its own, so that no value can be found by hashing guesses. */
export function createKeyedHash(instanceKey: InstanceKey, purpose: string) {
  const key = instanceKey.derive(purpose);
  return (...values: readonly string[]): string =>
    createHmac("sha256", key).update(JSON.stringify(values)).digest("base64url");
}

/** Reads the key file, or creates it. Throws when it is no key, or when others may read it. */
export function openInstanceKey(path: string): InstanceKey {
  const secret =
    readInstanceSecret(path) ?? placeInstanceSecret(path, randomBytes(INSTANCE_KEY_BYTES));
  return createInstanceKey(secret);
}

/** Null when there is no such file. */
export function readInstanceSecret(path: string): Bytes | null {
  const file = openToRead(path);
  if (file === null) return null;
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw new Error(`The instance key "${path}" is not a file`);
    // On Windows, `mode` shows every file as readable by all.
    if (process.platform !== "win32" && (stats.mode & 0o077) !== 0) {
      const mode = (stats.mode & 0o777).toString(8).padStart(4, "0");
      throw new Error(
        `The instance key "${path}" can be read by others (mode ${mode}): run chmod 600 on it`,
      );
    }
    if (stats.size !== INSTANCE_KEY_BYTES) {
      throw new Error(
        `The instance key "${path}" has ${stats.size} bytes instead of ${INSTANCE_KEY_BYTES}: put back the right file from a backup`,
      );
    }
    return Uint8Array.from(readFileSync(file));
  } finally {
    closeSync(file);
  }
}

function openToRead(path: string): number | null {
  try {
    return openSync(path, "r");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return null;
    throw new Error(`Cannot read the instance key "${path}"`, { cause: error });
  }
}

/**
 * Writes a temporary file and links it to its name: a crash leaves no partial key, and of two
 * processes that start together one creates the key and both use it. Returns the file's bytes.
 */
export function placeInstanceSecret(path: string, bytes: Uint8Array): Bytes {
  const folder = dirname(path);
  const draft = `${path}.${encodeBase64Url(randomBytes(9))}.tmp`;
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(draft, bytes, { flag: "wx", mode: 0o600, flush: true });
    linkUnlessThere(draft, path);
    rmSync(draft);
    syncFolder(folder);
  } catch (error) {
    throw new Error(`Cannot make the instance key "${path}"`, { cause: error });
  }
  const secret = readInstanceSecret(path);
  if (secret === null) throw new Error(`The instance key "${path}" vanished after it was made`);
  return secret;
}

function linkUnlessThere(draft: string, path: string): void {
  try {
    linkSync(draft, path);
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  }
}

function syncFolder(folder: string): void {
  // Windows cannot open a folder, and its file systems journal names.
  if (process.platform === "win32") return;
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
