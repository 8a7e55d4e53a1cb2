import { hash } from "node:crypto";
import type { AccountKey } from "../src/contract/sync/schemas.ts";
import type { KeyProof } from "../src/sync/keys/key-proof.ts";
import type { PasskeyRecord } from "../src/identity/passkeys/passkey-records.ts";
import { DAY_MS } from "../src/contract/durations.ts";
import type {
  AccountRecord,
  ChallengeBounds,
  ChallengeRecord,
  KnownBrowserBounds,
  NewChallenge,
  NewKnownBrowser,
  NewSignIn,
  SecretRecord,
} from "../src/identity/identity-records.ts";
import type { OperationKind } from "../src/contract/sync/operation-limits.ts";
import { operationIdOf } from "../src/rules/sync/operation.ts";
import { readNewOperation } from "../src/sync/log/read-push.ts";
import type { DeviceSession, NewOperation } from "../src/sync/store.ts";

export const NOW = Date.UTC(2026, 7, 21);

/** Bounds that a case does not reach. */
export const MANY_CHALLENGES: ChallengeBounds = { maxLive: 1000, maxKnown: 500 };
export const MANY_BROWSERS: KnownBrowserBounds = {
  maxTokens: 100,
  maxUnconfirmed: 100,
  maxConfirmed: 100,
};

export interface SampleOperationOptions {
  readonly entityId?: string;
  readonly kind?: OperationKind;
  readonly deviceId?: string;
  /** The JSON text of the payload; a tombstone has none. */
  readonly payload?: string;
}

/** An operation that changes every field of its payload. */
export function sampleOperation(
  sequence: number,
  options: SampleOperationOptions = {},
): NewOperation {
  const { entityId = "note/1", kind = "create", deviceId = "phone" } = options;
  const revision = { deviceId, sequence };
  const deleted = kind === "delete";
  const payload = options.payload ?? `{"text":"${deviceId} ${sequence}"}`;
  const fields = deleted ? [] : Object.keys(JSON.parse(payload) as object);
  const text = `{"protocolVersion":1,"operationId":"${operationIdOf(revision)}","kind":"${kind}","revision":${JSON.stringify(revision)},"document":{"schemaVersion":1,"entityId":"${entityId}","deleted":${deleted}${deleted ? "" : `,"payload":${payload}`}},"changedFields":${JSON.stringify(fields)},"changedMetadataFields":[]}`;
  return readNewOperation(text);
}

/** An operation as if sealed under the key of this name. */
export function sampleSealedOperation(sequence: number, key = "first"): NewOperation {
  return { ...sampleOperation(sequence), keyId: sampleKeyProof(key).keyId };
}

/** What proves the key of this name. */
export function sampleKeyProof(key: string): KeyProof {
  const keyId = hash("sha256", key, "buffer").subarray(0, 16).toString("base64url");
  return { keyId, writeHash: hash("sha256", `${key} writes`, "base64url") };
}

/** The record of the key of this name, which follows another one. */
export function sampleAccountKey(key: string, before?: string): AccountKey {
  const { keyId, writeHash: write } = sampleKeyProof(key);
  const keys = sampleEnvelope(keyId);
  return {
    keyId,
    write,
    keys,
    ...(before && { from: sampleEnvelope(sampleKeyProof(before).keyId) }),
  };
}

function sampleEnvelope(keyId: string): string {
  return `2.${keyId}.${"AAAA".repeat(50)}`;
}

/** Operations of one device, each on another entity. */
export function sampleOperations(count: number, deviceId = "phone", first = 1): NewOperation[] {
  return Array.from({ length: count }, (_, index) =>
    sampleOperation(first + index, { deviceId, entityId: `note/${deviceId}-${first + index}` }),
  );
}

export function sampleSession(deviceId: string, given: Partial<DeviceSession> = {}): DeviceSession {
  return {
    family: `family-of-${deviceId}`,
    deviceId,
    counter: 0,
    refreshHash: `hash-of-${deviceId}`,
    createdAt: NOW,
    rotatedAt: NOW,
    lastUsedAt: NOW,
    idleExpiresAt: NOW + DAY_MS,
    absoluteExpiresAt: NOW + 10 * DAY_MS,
    ...given,
  };
}

export function sampleAccount(username: string, given: Partial<AccountRecord> = {}): AccountRecord {
  return {
    accountId: `account-of-${username}`,
    username,
    sealedVerifier: "c2VhbGVk",
    createdAt: NOW,
    passwordChangedAt: NOW,
    hasPassword: true,
    ...given,
  };
}

/** A passkey of anna's account. */
export function samplePasskey(
  credentialId: string,
  given: Partial<PasskeyRecord> = {},
): PasskeyRecord {
  return {
    credentialId,
    accountId: "account-of-anna",
    publicKey: "a2V5",
    counter: 0,
    name: "Phone",
    createdAt: NOW,
    lastUsedAt: null,
    ...given,
  };
}

/** A challenge of one unknown client. */
export function sampleChallenge(
  challengeId: string,
  given: Partial<NewChallenge> = {},
): NewChallenge {
  return {
    ...sampleChallengeRecord(challengeId),
    client: { isKnown: false, groups: ["d2lkZQ", "bWlkZGxl", "Y2xpZW50"] },
    ...given,
  };
}

/** The challenge of `sampleChallenge` as a store returns it. */
export function sampleChallengeRecord(challengeId: string): ChallengeRecord {
  return {
    challengeId,
    username: "Zoë 🌱",
    attempt: '{"state":"a \\"quoted\\" one"}',
    salt: "c2FsdA",
    iterations: 600_000,
    serverNonce: "bm9uY2U",
    createdAt: NOW,
    expiresAt: NOW + 300_000,
  };
}

/** The only token of a browser, for the account of anna. */
export function sampleKnownBrowser(
  hash: string,
  given: Partial<NewKnownBrowser> = {},
): NewKnownBrowser {
  const browserId = `browser-of-${hash}`;
  const rest = { expiresAt: NOW + DAY_MS, hasSignedIn: true };
  return { hash, accountId: "account-of-anna", browserId, ...rest, ...given };
}

/** A sign-in for an app. */
export function sampleSignIn(given: Partial<NewSignIn> = {}): NewSignIn {
  return {
    result: "accepted",
    purpose: "app",
    method: "password",
    isNew: true,
    browser: "Firefox",
    system: "Linux",
    network: "192.0.2.0/24",
    at: NOW,
    ...given,
  };
}

export function sampleSecret(hash: string, given: Partial<SecretRecord> = {}): SecretRecord {
  return {
    hash,
    purpose: "authorization-code",
    bound: '{"device":"phone ü"}',
    expiresAt: NOW + 60_000,
    keepUntil: NOW + DAY_MS,
    ...given,
  };
}
