/**
 * Verifies a signed manifest: the checks a client must make, in the order it must make them. The
 * payload is not parsed before its signature is verified. The release service checks its own manifest
 * with these functions before it serves it, so server and client cannot disagree.
 *
 * The sections are those of the client workflow of The Update Framework (TUF) 1.0.31. One manifest is its
 * timestamp, snapshot and targets in one, so no parts of different times can be mixed (5.5.2, 5.6.2).
 */
import { parseDateTime } from "../../contract/date-time.ts";
import { DAY_MS } from "../../contract/durations.ts";
import { isObject } from "../../contract/is-object.ts";
import { parseJson } from "../parse-json.ts";
import type { ManifestPayload, SignedManifestEnvelope } from "../../contract/release/schemas.ts";
import {
  KEY_ID_PATTERN,
  MANIFEST_ALGORITHM,
  MANIFEST_SCHEMA_VERSION,
  MAX_MANIFEST_LIFETIME_DAYS,
  MAX_SEQUENCE_STEP,
} from "../../contract/release/values.ts";
import { decodeBase64Url } from "../base64url.ts";
import { decodeUtf8, verifyEd25519, type Bytes } from "../web-crypto.ts";
import { isManifestPayload } from "./manifest-payload.ts";

/** A server sets another verifier: its payload may have many megabytes, which WebCrypto would copy. */
export interface SignatureOptions {
  readonly verifyEd25519?: (
    publicKey: Bytes,
    signature: Bytes,
    bytes: Bytes,
  ) => boolean | ReturnType<typeof verifyEd25519>;
}

/** What a manifest is checked against: the keys, the product, the highest sequence seen, and the time. */
export interface ManifestTrust {
  /** The pinned key ring: public keys in unpadded Base64URL, by key id. */
  readonly keys: Readonly<Record<string, string>>;
  /** A manifest of another product is refused. */
  readonly product: string;
  /** The highest sequence verified so far; 0 when there was none. */
  readonly highestSequence: number;
  /** The time that expiry is compared with, in milliseconds since 1970. */
  readonly now: number;
}

/**
 * Why a signed manifest is not trusted, such as a signature of another key or a manifest that is older than
 * one seen before.
 */
export type ManifestError =
  | { readonly kind: "malformed-envelope"; readonly detail: string }
  | { readonly kind: "wrong-algorithm"; readonly algorithm: string }
  | { readonly kind: "unknown-key"; readonly keyId: string }
  | { readonly kind: "revoked-key"; readonly keyId: string }
  /** Keys revoke each other, so one of them is stolen: none is trusted, that of this manifest included. */
  | {
      readonly kind: "conflicting-revocations";
      readonly keyId: string;
      readonly contestedKeys: readonly string[];
    }
  | { readonly kind: "unsupported-runtime"; readonly algorithm: string }
  | { readonly kind: "bad-signature"; readonly keyId: string }
  | { readonly kind: "malformed-payload"; readonly detail: string }
  | { readonly kind: "wrong-product"; readonly expected: string; readonly found: string }
  | { readonly kind: "rollback"; readonly sequence: number; readonly highestSequence: number }
  | { readonly kind: "sequence-jump"; readonly sequence: number; readonly highestSequence: number }
  /** Another manifest of the same sequence was verified before. */
  | { readonly kind: "conflicting-manifest"; readonly sequence: number }
  | { readonly kind: "lifetime-too-long"; readonly issuedAt: string; readonly expiresAt: string }
  | { readonly kind: "expired"; readonly expiresAt: string };

/** What verifying a manifest came to: the payload with the key that signed it, or why it is not trusted. */
export type ManifestResult =
  | { readonly kind: "verified"; readonly keyId: string; readonly payload: ManifestPayload }
  | ManifestError;

/**
 * Verifies a signed manifest against pinned keys, for a program that fetches the manifest itself. The update
 * client does it in every check.
 * @param envelopeText - the envelope exactly as it was received, not serialised again
 * @param trust - the keys, the product, the highest sequence that was seen, and the time
 * @param options - another implementation of Ed25519
 * @returns the verified payload, or why it is not trusted
 * @example
 * ```ts
 * import { verifyManifest } from "trellis/client";
 *
 * const response = await fetch("https://releases.example.com/api/v1/manifest");
 * const result = await verifyManifest(await response.text(), {
 *   keys: { "2026": "mC1hHcaNUFC6xRmbr1LYoVHlj1fIFLrqjAdBYgRh6gE" },
 *   product: "habits",
 *   highestSequence: 0,
 *   now: Date.now(),
 * });
 * if (result.kind === "verified") console.log(result.payload.sequence);
 * ```
 */
export async function verifyManifest(
  envelopeText: string,
  trust: ManifestTrust,
  options: SignatureOptions = {},
): Promise<ManifestResult> {
  const opened = await openManifest(envelopeText, trust, options);
  if (opened.kind !== "genuine") return opened;
  const { keyId, payload } = opened;
  const error =
    checkSequence(payload, trust.highestSequence) ??
    checkLifetime(payload) ??
    checkExpiry(payload, trust.now);
  return error ?? { kind: "verified", keyId, payload };
}

/** Signed by a pinned key, readable, and of the right product; it may be old or expired. */
export interface GenuineManifest {
  readonly kind: "genuine";
  readonly keyId: string;
  /** The public key as it is pinned. */
  readonly publicKey: string;
  /** The signed bytes. */
  readonly bytes: Bytes;
  readonly payload: ManifestPayload;
}

/** All checks that need no memory and no clock. */
export async function openManifest(
  envelopeText: string,
  trust: Pick<ManifestTrust, "keys" | "product">,
  options: SignatureOptions = {},
): Promise<GenuineManifest | ManifestError> {
  const signed = await checkSignature(envelopeText, trust.keys, options);
  if (signed.kind !== "signed") return signed;
  const { keyId, publicKey, bytes } = signed;
  const payload = readPayload(bytes, trust.product);
  return "kind" in payload ? payload : { kind: "genuine", keyId, publicKey, bytes, payload };
}

/** All checks up to the signature. TUF 5.4.2: an arbitrary software attack. */
export async function checkSignature(
  envelopeText: string,
  keys: ManifestTrust["keys"],
  options: SignatureOptions = {},
): Promise<SignedBytes | ManifestError> {
  const envelope = readEnvelope(envelopeText);
  if ("kind" in envelope) return envelope;
  const { keyId } = envelope;
  const pinned = Object.hasOwn(keys, keyId) ? keys[keyId] : undefined;
  const publicKey = pinned === undefined ? null : decodeBase64Url(pinned);
  // TUF 5.2: the app brings the keys that it trusts; none comes with the manifest.
  if (publicKey === null) return { kind: "unknown-key", keyId };
  const bytes = decodeBase64Url(envelope.payload);
  const signature = decodeBase64Url(envelope.signature);
  if (bytes === null || signature === null) {
    return { kind: "malformed-envelope", detail: "payload or signature is not unpadded Base64URL" };
  }
  const verify = options.verifyEd25519 ?? verifyEd25519;
  const isGenuine =
    publicKey.length === 32 &&
    signature.length === 64 &&
    (await verify(publicKey, signature, bytes));
  if (isGenuine === "unsupported") {
    return { kind: "unsupported-runtime", algorithm: MANIFEST_ALGORITHM };
  }
  return isGenuine && pinned !== undefined
    ? { kind: "signed", keyId, publicKey: pinned, bytes }
    : { kind: "bad-signature", keyId };
}

interface SignedBytes extends Pick<GenuineManifest, "keyId" | "publicKey" | "bytes"> {
  readonly kind: "signed";
}

const KEY_ID = new RegExp(KEY_ID_PATTERN);
const ENVELOPE_FIELDS = new Set(["schemaVersion", "keyId", "algorithm", "payload", "signature"]);

function readEnvelope(text: string): SignedManifestEnvelope | ManifestError {
  const malformed = (detail: string) => ({ kind: "malformed-envelope", detail }) as const;
  const envelope = parseJson(text);
  if (envelope === undefined) return malformed("not JSON");
  if (!isObject(envelope)) return malformed("not a JSON object");
  const unknown = Object.keys(envelope).find((name) => !ENVELOPE_FIELDS.has(name));
  if (unknown !== undefined) return malformed(`unknown field "${unknown.slice(0, 40)}"`);
  if (envelope["schemaVersion"] !== MANIFEST_SCHEMA_VERSION) {
    return malformed(`schemaVersion is not ${MANIFEST_SCHEMA_VERSION}`);
  }
  const algorithm = envelope["algorithm"];
  if (typeof algorithm !== "string") return malformed("algorithm is malformed");
  // TUF 5.4.2: the signer does not choose a weaker algorithm.
  if (algorithm !== MANIFEST_ALGORITHM) {
    return { kind: "wrong-algorithm", algorithm: algorithm.slice(0, 40) };
  }
  const keyId = envelope["keyId"];
  if (typeof keyId !== "string" || !KEY_ID.test(keyId)) return malformed("keyId is malformed");
  // The characters of payload and signature are checked when they are decoded.
  for (const name of ["payload", "signature"]) {
    const field = envelope[name];
    if (typeof field !== "string" || field === "") return malformed(`${name} is malformed`);
  }
  return envelope as SignedManifestEnvelope;
}

function readPayload(bytes: Bytes, product: string): ManifestPayload | ManifestError {
  let payload: unknown;
  try {
    payload = JSON.parse(decodeUtf8(bytes));
  } catch {
    return { kind: "malformed-payload", detail: "not UTF-8 JSON" };
  }
  if (!isManifestPayload(payload)) {
    return { kind: "malformed-payload", detail: "a field is missing or has the wrong type" };
  }
  // TUF 1.5.2: wrong software installation, with a manifest that the key signed for another product.
  return payload.product === product
    ? payload
    : { kind: "wrong-product", expected: product, found: payload.product };
}

/** Null when the sequence may follow the highest one; 0 is none. */
export function checkSequence(
  { sequence }: ManifestPayload,
  highestSequence: number,
): ManifestError | null {
  // TUF 5.4.3: a rollback attack.
  if (sequence < highestSequence) return { kind: "rollback", sequence, highestSequence };
  // TUF 5.3.11: a fast-forward attack, after which no genuine manifest would be new enough.
  return highestSequence > 0 && sequence - highestSequence > MAX_SEQUENCE_STEP
    ? { kind: "sequence-jump", sequence, highestSequence }
    : null;
}

/** TUF 5.4.4: a freeze attack lasts at most as long as a manifest may. */
export function checkLifetime({ issuedAt, expiresAt }: ManifestPayload): ManifestError | null {
  const lifetime = (parseDateTime(expiresAt) ?? Infinity) - (parseDateTime(issuedAt) ?? 0);
  return lifetime > MAX_MANIFEST_LIFETIME_DAYS * DAY_MS
    ? { kind: "lifetime-too-long", issuedAt, expiresAt }
    : null;
}

/** TUF 5.4.4: a freeze attack. */
export function checkExpiry({ expiresAt }: ManifestPayload, now: number): ManifestError | null {
  return now >= (parseDateTime(expiresAt) ?? 0) ? { kind: "expired", expiresAt } : null;
}
