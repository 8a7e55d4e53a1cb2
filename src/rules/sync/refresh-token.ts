/**
 * Refresh tokens that authenticate themselves: family, counter, secret and a tag over them. By the tag
 * the service tells a genuine old token (a replay, which revokes the device) from a forged one (which
 * revokes nothing), without storing every token it issued.
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
  /** The device session that the token belongs to, in Base64URL. */
  readonly family: string;
  readonly counter: number;
}

/** The first token of a family. */
export function createRefreshToken(family: Uint8Array, mac: Mac): RefreshToken {
  return buildToken(family, 0, mac("refresh-first", family), mac);
}

/** The next token is always the same for the same token, so that a lost response can be repeated. */
export function nextRefreshToken(token: string, mac: Mac): RefreshToken {
  const bytes = decodeToken(token);
  if (bytes === null) throw new Error("Only a token that was read can be followed by another");
  const family = bytes.subarray(0, FAMILY_BYTES);
  const secret = mac("refresh-next", bytes.subarray(0, SIGNED_BYTES));
  return buildToken(family, readCounter(bytes) + 1, secret, mac);
}

/** Null when this instance did not issue the token. */
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

/** The part of a device session that decides. */
export interface RefreshState {
  readonly counter: number;
  /** When the current token was issued. */
  readonly rotatedAt: number;
  readonly idleExpiresAt: number;
  readonly absoluteExpiresAt: number;
}

/**
 * - `rotate`: the current token, which is replaced.
 * - `repeat`: the previous token within the grace period; the response was lost and is repeated.
 * - `ahead`: a later token than the session has. Only this instance issues them, so the store was put
 *   back to a state before it; the device is revoked, because an earlier token may be good again.
 * - `reuse`: any other genuine token, so there is a copy of it, and the device is revoked.
 */
export type RefreshTokenResult = "rotate" | "repeat" | "ahead" | "reuse" | "expired";

export function checkRefresh(
  { counter }: Pick<RefreshToken, "counter">,
  state: RefreshState,
  now: number,
): RefreshTokenResult {
  if (now >= state.idleExpiresAt || now >= state.absoluteExpiresAt) return "expired";
  if (counter === state.counter) return "rotate";
  if (counter > state.counter) return "ahead";
  const isInGrace = now - state.rotatedAt <= REFRESH_GRACE_SECONDS * 1000;
  // The token was rotated only once since, so the token that replaced it was never used.
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
