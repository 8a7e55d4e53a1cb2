/**
 * What a client remembers of the manifests it verified, so that one stolen key cannot strand it. Every
 * claim is remembered with the key that made it, and counts only while that key is pinned and not
 * revoked: what a thief claimed ends with the stolen key.
 */
import { parseDateTime } from "../../contract/date-time.ts";
import type { ManifestPayload } from "../../contract/release/types.ts";
import { encodeBase64Url } from "../base64url.ts";
import { sha256 } from "../web-crypto.ts";
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
  /** The newest manifest that each key signed. */
  readonly newest: Readonly<Record<string, SeenManifest>>;
  /** Revoked key to the key that revoked it. */
  readonly revokedBy: Readonly<Record<string, string>>;
}

export interface SeenManifest {
  readonly sequence: number;
  /** Milliseconds since the epoch. */
  readonly issuedAt: number;
  /** Of the payload, in Base64URL. */
  readonly sha256: string;
}

export const NO_MANIFEST_MEMORY: ManifestMemory = { newest: {}, revokedBy: {} };

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
  | ManifestError;

export async function verifyNextManifest(
  envelopeText: string,
  { keys, product, memory, now }: RememberingTrust,
): Promise<NextManifestResult> {
  const manifest = await openManifest(envelopeText, { keys, product });
  if (manifest.kind !== "genuine") return manifest;
  const { payload } = manifest;
  if (!isTrusted(manifest.publicKey, keys, memory)) {
    return { kind: "revoked-key", keyId: manifest.keyId };
  }
  const seen = await toSeen(manifest);
  // Before the sequence and the clock are compared, because the revoked key may have raised both.
  const trusted = forgetUntrusted(applyRevocations(memory, manifest, keys), keys);
  const floor = findFloor(trusted);
  const clock = Math.max(now, ...Object.values(trusted.newest).map(({ issuedAt }) => issuedAt));
  const error =
    checkSequence(payload, floor?.sequence ?? 0) ??
    checkBytes(seen, floor) ??
    checkLifetime(payload) ??
    checkExpiry(payload, clock);
  if (error !== null) return error;
  const newest = { ...trusted.newest, [manifest.publicKey]: seen };
  return {
    kind: "verified",
    payload,
    memory: { ...trusted, newest },
    now: Math.max(clock, seen.issuedAt),
  };
}

/** Also for a manifest that is remembered as a whole: its signature proves what it says. */
export async function toSeen({ bytes, payload }: GenuineManifest): Promise<SeenManifest> {
  return {
    sequence: payload.sequence,
    issuedAt: parseDateTime(payload.issuedAt) ?? 0,
    sha256: encodeBase64Url(await sha256(bytes)),
  };
}

/** Whether the key is pinned and no other pinned key revoked it. */
export function isTrusted(
  publicKey: string,
  keys: ManifestTrust["keys"],
  { revokedBy }: ManifestMemory,
): boolean {
  const pinned = Object.values(keys);
  const revoker = Object.hasOwn(revokedBy, publicKey) ? revokedBy[publicKey] : undefined;
  return pinned.includes(publicKey) && (revoker === undefined || !pinned.includes(revoker));
}

/** A key cannot revoke itself, or a stolen one could leave the client with none. */
function applyRevocations(
  memory: ManifestMemory,
  { payload, publicKey: revoker }: GenuineManifest,
  keys: ManifestTrust["keys"],
): ManifestMemory {
  const named = new Set(payload.revokedKeys);
  const revoked = new Set(
    Object.entries(keys)
      .filter(([keyId, key]) => named.has(keyId) && key !== revoker)
      .map(([, key]) => key),
  );
  // What a revoked key revoked before is no longer revoked, unless this manifest says it too.
  const kept = Object.entries(memory.revokedBy).filter(([, by]) => !revoked.has(by));
  const added = [...revoked].map((key) => [key, revoker] as const);
  return { ...memory, revokedBy: Object.fromEntries([...kept, ...added]) };
}

function forgetUntrusted(memory: ManifestMemory, keys: ManifestTrust["keys"]): ManifestMemory {
  const newest = Object.entries(memory.newest).filter(([key]) => isTrusted(key, keys, memory));
  return { ...memory, newest: Object.fromEntries(newest) };
}

function findFloor({ newest }: ManifestMemory): SeenManifest | null {
  const [highest] = Object.values(newest).toSorted((a, b) => b.sequence - a.sequence);
  return highest ?? null;
}

function checkBytes(seen: SeenManifest, floor: SeenManifest | null): ManifestError | null {
  return floor !== null && seen.sequence === floor.sequence && seen.sha256 !== floor.sha256
    ? { kind: "conflicting-manifest", sequence: seen.sequence }
    : null;
}
