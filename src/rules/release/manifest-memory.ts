/**
 * What a client remembers of the manifests it received, so that one stolen key cannot strand it. Every
 * claim is remembered with the key that made it, and counts only while that key is pinned and trusted:
 * what a thief claimed ends with the stolen key.
 */
import { parseDateTime } from "../../contract/date-time.ts";
import type { ManifestPayload } from "../../contract/release/schemas.ts";
import { encodeBase64Url } from "../base64url.ts";
import { sha256 } from "../web-crypto.ts";
import { addRevocations, judgeKeys, type KeyStandings, type Revocations } from "./key-trust.ts";
import {
  checkExpiry,
  checkLifetime,
  checkSequence,
  openManifest,
  type GenuineManifest,
  type ManifestError,
  type ManifestTrust,
} from "./verify-manifest.ts";

/** Keys are public keys and not ids, because an app may pin another key under an id it had before. */
export interface ManifestMemory {
  /** The newest manifest that was verified of each key. */
  readonly newest: Readonly<Record<string, SeenManifest>>;
  /** The revocations of every genuine manifest that was received. They only grow. */
  readonly revocations: Revocations;
}

export interface SeenManifest {
  readonly sequence: number;
  /** Milliseconds since the epoch. */
  readonly issuedAt: number;
  /** The digest of the payload, in Base64URL. */
  readonly sha256: string;
}

export const NO_MANIFEST_MEMORY: ManifestMemory = { newest: {}, revocations: {} };

export interface RememberingTrust extends Pick<ManifestTrust, "keys" | "product" | "now"> {
  readonly memory: ManifestMemory;
}

export type NextManifestResult =
  | {
      readonly kind: "verified";
      readonly payload: ManifestPayload;
      readonly memory: ManifestMemory;
      /** The clock, but not before the latest manifest was issued. */
      readonly now: number;
    }
  /** The memory is the same object unless the manifest revokes a key. */
  | { readonly kind: "refused"; readonly error: ManifestError; readonly memory: ManifestMemory };

export async function verifyNextManifest(
  envelopeText: string,
  { keys, product, memory: before, now }: RememberingTrust,
): Promise<NextManifestResult> {
  const manifest = await openManifest(envelopeText, { keys, product });
  if (manifest.kind !== "genuine") return { kind: "refused", error: manifest, memory: before };
  const { payload, publicKey } = manifest;
  // TUF 5.3.11: what a revoked key raised, the sequence and the clock, ends with the key (a fast-forward
  // attack). So revocations are remembered before anything is compared, and also from a manifest that is
  // refused: a revocation has no end, so it is never too old.
  const memory = rememberRevocations(before, manifest, keys);
  const standings = judgeKeys(Object.values(keys), memory.revocations);
  const trusted = Object.entries(memory.newest).flatMap(([key, seen]) =>
    standings.get(key) === "trusted" ? [seen] : [],
  );
  const seen = await toSeen(manifest);
  const floor = findFloor(trusted);
  // TUF 5.1 and 5.4.4: a clock that was set back does not prolong a freeze attack.
  const clock = Math.max(now, ...trusted.map(({ issuedAt }) => issuedAt));
  const error =
    checkStanding(manifest, standings, keys) ??
    checkSequence(payload, floor?.sequence ?? 0) ??
    checkBytes(seen, floor) ??
    checkLifetime(payload) ??
    checkExpiry(payload, clock);
  if (error !== null) return { kind: "refused", error, memory };
  return {
    kind: "verified",
    payload,
    memory: { ...memory, newest: { ...memory.newest, [publicKey]: seen } },
    now: Math.max(clock, seen.issuedAt),
  };
}

/** Sums up a manifest, also one that is remembered as a whole: its signature proves what it says. */
export async function toSeen({ bytes, payload }: GenuineManifest): Promise<SeenManifest> {
  return {
    sequence: payload.sequence,
    issuedAt: parseDateTime(payload.issuedAt) ?? 0,
    sha256: encodeBase64Url(await sha256(bytes)),
  };
}

/** Returns the same object when the manifest revokes no further key that is pinned. */
export function rememberRevocations(
  memory: ManifestMemory,
  { payload, publicKey }: GenuineManifest,
  keys: ManifestTrust["keys"],
): ManifestMemory {
  const named = new Set(payload.revokedKeys);
  const revoked = Object.entries(keys).flatMap(([keyId, key]) => (named.has(keyId) ? [key] : []));
  const revocations = addRevocations(memory.revocations, publicKey, revoked);
  return revocations === memory.revocations ? memory : { ...memory, revocations };
}

/** TUF 5.4.2: an arbitrary software attack with a stolen key. */
function checkStanding(
  { keyId, publicKey }: GenuineManifest,
  standings: KeyStandings,
  keys: ManifestTrust["keys"],
): ManifestError | null {
  switch (standings.get(publicKey)) {
    case "trusted":
      return null;
    case "contested": {
      const contested = Object.entries(keys).filter(
        ([, key]) => standings.get(key) === "contested",
      );
      return {
        kind: "conflicting-revocations",
        keyId,
        contestedKeys: contested.map(([id]) => id),
      };
    }
    default:
      return { kind: "revoked-key", keyId };
  }
}

function findFloor(trusted: readonly SeenManifest[]): SeenManifest | null {
  const [highest] = trusted.toSorted((a, b) => b.sequence - a.sequence);
  return highest ?? null;
}

/** TUF 5.4.3: two manifests of one sequence, of which a client would see either. */
function checkBytes(seen: SeenManifest, floor: SeenManifest | null): ManifestError | null {
  return floor !== null && seen.sequence === floor.sequence && seen.sha256 !== floor.sha256
    ? { kind: "conflicting-manifest", sequence: seen.sequence }
    : null;
}
