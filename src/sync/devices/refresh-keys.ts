/**
 * The keys of refresh tokens. After the instance key was rotated, a device still holds a token of the old
 * one: it stays good until the device renews it, which gives it a token of the new key, or until it
 * expires unused. A thief of the old key could make tokens too, so the session knows by its hash the one
 * that was issued, and no clock decides.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { REFRESH_IDLE_SECONDS } from "../../contract/sync/values.ts";
import type { InstanceKey } from "../../identity/instance-key.ts";
import type { Derive } from "../../identity/key-ring.ts";
import { hashSecret, isSameSecret } from "../../identity/one-time-secrets.ts";
import {
  nextRefreshToken,
  readRefreshToken,
  type Mac,
  type RefreshToken,
} from "../../rules/sync/refresh-token.ts";

/** No refresh token of a retired key rests unused for longer. */
export const RETIRED_KEY_LIFETIME_MS = REFRESH_IDLE_SECONDS * 1000;

const PURPOSE = "sync/refresh-token";

export function createRefreshKeys({ derive, retired }: InstanceKey) {
  const current = createMac(derive);
  const macs = [current, ...retired.map((old) => createMac(old.derive))];
  return {
    /** The key that issues tokens. */
    current,
    /** Null when no key, in force or retired, has made the token. */
    read(text: string): RefreshToken | null {
      for (const mac of macs) {
        const token = readRefreshToken(text, mac, isEqual);
        if (token !== null) return token;
      }
      return null;
    },
    /** The token that replaced this one, with the key of its time; null when the session has another. */
    findSuccessor(text: string, refreshHash: string): RefreshToken | null {
      const successors = macs.map((mac) => nextRefreshToken(text, mac));
      return successors.find((token) => isIssued(token.text, refreshHash)) ?? null;
    },
  };
}

/** Whether the session was given this token. */
export function isIssued(text: string, refreshHash: string): boolean {
  return isSameSecret(hashSecret(text), refreshHash);
}

function createMac(derive: Derive): Mac {
  const key = derive(PURPOSE);
  return (label, bytes) => createHmac("sha256", key).update(`${label}\0`).update(bytes).digest();
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
