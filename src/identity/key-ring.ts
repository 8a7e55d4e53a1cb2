/** A key file: the key in force and those that it replaced; 32 bytes until the first rotation, then JSON. */
import { hkdfSync } from "node:crypto";
import { isObject } from "../contract/is-object.ts";
import { decodeBase64Url, encodeBase64Url } from "../rules/base64url.ts";
import { randomBytes, type Bytes } from "../rules/web-crypto.ts";

export const INSTANCE_KEY_BYTES = 32;

export interface InstanceKeyRing {
  readonly secret: Bytes;
  /** When the key was made; null when that is not known. */
  readonly createdAt: number | null;
  /** The newest first. */
  readonly retired: readonly RetiredSecret[];
  /**
   * The decoys of the first key: if those of unknown names changed with a rotation, the salts that stay
   * the same would tell which names have an account. Null before the first rotation.
   */
  readonly decoyKey: Bytes | null;
}

export interface RetiredSecret {
  readonly secret: Bytes;
  readonly createdAt: number | null;
  /** What was issued at this moment or later was made with a newer key. */
  readonly retiredAt: number;
}

/** A key of 32 bytes for one purpose (HKDF, RFC 5869). */
export type Derive = (purpose: string) => Bytes;

export function createDerivation(secret: Bytes): Derive {
  return (purpose) =>
    new Uint8Array(hkdfSync("sha256", secret, "", `trellis/v1/${purpose}`, INSTANCE_KEY_BYTES));
}

export const DECOY_PURPOSE = "identity/decoy";
const KEY_ID_BYTES = 6;

/** Names a key in messages, and tells nothing about it. */
export function instanceKeyId(secret: Bytes): string {
  const id = createDerivation(secret)("identity/key-id").subarray(0, KEY_ID_BYTES);
  return Buffer.from(id).toString("hex");
}

export function newKeyRing(secret: Bytes, createdAt: number | null = null): InstanceKeyRing {
  return { secret, createdAt, retired: [], decoyKey: null };
}

/** `retiredAt` is later than anything that was issued with the old key. */
export function rotateKeyRing(
  ring: InstanceKeyRing,
  now: number,
  retiredAt: number,
): InstanceKeyRing {
  const { secret, createdAt, retired, decoyKey } = ring;
  return {
    secret: randomBytes(INSTANCE_KEY_BYTES),
    createdAt: now,
    retired: [{ secret, createdAt, retiredAt }, ...retired],
    decoyKey: decoyKey ?? createDerivation(secret)(DECOY_PURPOSE),
  };
}

const VERSION = 1;

export function encodeKeyRing({ secret, createdAt, retired, decoyKey }: InstanceKeyRing): Bytes {
  if (decoyKey === null && retired.length === 0) return secret;
  const content = {
    version: VERSION,
    key: encodeBase64Url(secret),
    createdAt: formatTime(createdAt),
    decoyKey: decoyKey === null ? null : encodeBase64Url(decoyKey),
    retired: retired.map((old) => ({
      key: encodeBase64Url(old.secret),
      createdAt: formatTime(old.createdAt),
      retiredAt: formatTime(old.retiredAt),
    })),
  };
  return Uint8Array.from(Buffer.from(`${JSON.stringify(content, null, 2)}\n`, "utf8"));
}

/** Null when the bytes are no key file. `createdAt` is that of a file which does not tell itself. */
export function parseKeyRing(
  bytes: Uint8Array,
  createdAt: number | null = null,
): InstanceKeyRing | null {
  if (bytes.length === INSTANCE_KEY_BYTES) return newKeyRing(Uint8Array.from(bytes), createdAt);
  const content = parseObject(bytes);
  if (content?.["version"] !== VERSION || !Array.isArray(content["retired"])) return null;
  const current = parseKey(content);
  const retired = content["retired"].map(parseRetired);
  const decoyKey = parseBytes(content["decoyKey"]);
  const isDamaged = decoyKey === null && content["decoyKey"] !== null;
  if (current === null || retired.includes(null) || isDamaged) return null;
  return { ...current, retired: retired.filter((old) => old !== null), decoyKey };
}

function parseObject(bytes: Uint8Array): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString("utf8"));
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function parseRetired(value: unknown): RetiredSecret | null {
  if (!isObject(value)) return null;
  const key = parseKey(value);
  const retiredAt = parseTime(value["retiredAt"]);
  return key === null || retiredAt === null ? null : { ...key, retiredAt };
}

function parseKey({ key, createdAt }: Readonly<Record<string, unknown>>) {
  const secret = parseBytes(key);
  return secret === null ? null : { secret, createdAt: parseTime(createdAt) };
}

function parseBytes(value: unknown): Bytes | null {
  const bytes = typeof value === "string" ? decodeBase64Url(value) : null;
  return bytes?.length === INSTANCE_KEY_BYTES ? bytes : null;
}

function formatTime(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}

function parseTime(value: unknown): number | null {
  const time = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? null : time;
}
