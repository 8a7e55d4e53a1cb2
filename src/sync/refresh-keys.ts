/**
 * The keys of refresh tokens. After the instance key was rotated, a device still holds a token of the old
 * one: it stays good until the device renews it, which gives it a token of the new key, or until it
 * expires unused.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { REFRESH_IDLE_SECONDS } from "../contract/sync/values.ts";
import type { InstanceKey } from "../identity/instance-key.ts";
import type { Derive } from "../identity/key-ring.ts";
import { readRefreshToken, type Mac, type RefreshToken } from "../rules/sync/refresh-token.ts";

export interface RefreshKey {
  readonly mac: Mac;
  /** Infinity for the one in force. */
  readonly retiredAt: number;
}

export interface RefreshKeys {
  readonly current: RefreshKey;
  /** Null when no key that is accepted now has issued the token. */
  read(
    text: string,
    now: number,
  ): { readonly token: RefreshToken; readonly key: RefreshKey } | null;
  /** The one that issued tokens at that time. */
  inForceAt(time: number): RefreshKey;
}

/** How long a retired key is accepted: no token rests for longer. */
export const RETIRED_KEY_LIFETIME_MS = REFRESH_IDLE_SECONDS * 1000;

const PURPOSE = "sync/refresh-token";

export function createRefreshKeys(instanceKey: InstanceKey): RefreshKeys {
  const current = createRefreshKey(instanceKey.derive, Number.POSITIVE_INFINITY);
  // The newest first, as the ring has them.
  const retired = instanceKey.retired.map(({ derive, retiredAt }) =>
    createRefreshKey(derive, retiredAt),
  );
  const keys = [current, ...retired];
  return {
    current,
    read(text, now) {
      for (const key of keys) {
        if (now >= key.retiredAt + RETIRED_KEY_LIFETIME_MS) continue;
        const token = readRefreshToken(text, key.mac, isEqual);
        if (token !== null) return { token, key };
      }
      return null;
    },
    inForceAt: (time) => retired.findLast(({ retiredAt }) => time < retiredAt) ?? current,
  };
}

/**
 * Whether the key may have issued the current token of a session. A thief of a retired key cannot make
 * a token for a device that has renewed its own since.
 */
export function mayHaveIssued({ retiredAt }: RefreshKey, rotatedAt: number): boolean {
  return rotatedAt < retiredAt;
}

function createRefreshKey(derive: Derive, retiredAt: number): RefreshKey {
  const key = derive(PURPOSE);
  return {
    mac: (label, bytes) => createHmac("sha256", key).update(`${label}\0`).update(bytes).digest(),
    retiredAt,
  };
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
