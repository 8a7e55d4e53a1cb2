/**
 * Refresh tokens that authenticate themselves: family, counter, secret and a tag over them. The tag
 * lets the service tell a genuine old token (a replay, which revokes the device) from noise (which
 * revokes nothing), without keeping every token that ever was.
 */
import { REFRESH_GRACE_SECONDS, REFRESH_TOKEN_PREFIX } from "../../contract/sync/values.ts";
import { decodeBase64Url, encodeBase64Url } from "../base64url.ts";

export const FAMILY_BYTES = 16;
const COUNTER_BYTES = 4;
const SECRET_BYTES = 32;
const TAG_BYTES = 16;
const SIGNED_BYTES = FAMILY_BYTES + COUNTER_BYTES + SECRET_BYTES;

/** HMAC-SHA-256 under a key that only this instance has. */
export type Mac = (label: string, bytes: Uint8Array) => Uint8Array;

export interface RefreshToken {
  readonly text: string;
  /** The device session it belongs to, in Base64URL. */
  readonly family: string;
  readonly counter: number;
}

/** The first token of a family. */
export function createRefreshToken(family: Uint8Array, mac: Mac): RefreshToken {
  return buildToken(family, 0, mac("refresh-first", family), mac);
}

/** The one successor of a token: asked twice, it is the same, so a lost answer can be repeated. */
export function succeedRefreshToken(token: string, mac: Mac): RefreshToken {
  const bytes = decodeToken(token);
  if (bytes === null) throw new Error("Only a token that was read can have a successor");
  const family = bytes.subarray(0, FAMILY_BYTES);
  const secret = mac("refresh-next", bytes.subarray(0, SIGNED_BYTES));
  return buildToken(family, readCounter(bytes) + 1, secret, mac);
}

/** The token's parts, or null when this instance did not make it. */
export function readRefreshToken(
  text: string,
  mac: Mac,
  isEqual: (a: Uint8Array, b: Uint8Array) => boolean,
): RefreshToken | null {
  const bytes = decodeToken(text);
  if (bytes === null) return null;
  const tag = mac("refresh-tag", bytes.subarray(0, SIGNED_BYTES)).subarray(0, TAG_BYTES);
  if (!isEqual(tag, bytes.subarray(SIGNED_BYTES))) return null;
  return {
    text,
    family: encodeBase64Url(bytes.subarray(0, FAMILY_BYTES)),
    counter: readCounter(bytes),
  };
}

/** What the service knows of a device session. */
export interface RefreshState {
  readonly counter: number;
  /** When the current token was made. */
  readonly rotatedAt: number;
  readonly idleExpiresAt: number;
  readonly absoluteExpiresAt: number;
}

/**
 * - `rotate`: the current token; it is replaced.
 * - `repeat`: the one before, soon after; the answer was lost and is given again.
 * - `reuse`: any other genuine token; somebody has a copy, so the device is revoked.
 */
export type RefreshTokenResult = "rotate" | "repeat" | "reuse" | "expired";

export function judgeRefresh(
  { counter }: Pick<RefreshToken, "counter">,
  state: RefreshState,
  now: number,
): RefreshTokenResult {
  if (now >= state.idleExpiresAt || now >= state.absoluteExpiresAt) return "expired";
  if (counter === state.counter) return "rotate";
  const isInGrace = now - state.rotatedAt <= REFRESH_GRACE_SECONDS * 1000;
  // That the current counter is the next one says that the successor was never used.
  return counter === state.counter - 1 && isInGrace ? "repeat" : "reuse";
}

function buildToken(
  family: Uint8Array,
  counter: number,
  secret: Uint8Array,
  mac: Mac,
): RefreshToken {
  const bytes = new Uint8Array(SIGNED_BYTES + TAG_BYTES);
  bytes.set(family, 0);
  new DataView(bytes.buffer).setUint32(FAMILY_BYTES, counter);
  bytes.set(secret.subarray(0, SECRET_BYTES), FAMILY_BYTES + COUNTER_BYTES);
  const tag = mac("refresh-tag", bytes.subarray(0, SIGNED_BYTES));
  bytes.set(tag.subarray(0, TAG_BYTES), SIGNED_BYTES);
  return {
    text: REFRESH_TOKEN_PREFIX + encodeBase64Url(bytes),
    family: encodeBase64Url(family),
    counter,
  };
}

function decodeToken(text: string): Uint8Array | null {
  if (!text.startsWith(REFRESH_TOKEN_PREFIX)) return null;
  const bytes = decodeBase64Url(text.slice(REFRESH_TOKEN_PREFIX.length));
  return bytes?.length === SIGNED_BYTES + TAG_BYTES ? bytes : null;
}

function readCounter(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(FAMILY_BYTES);
}
