/**
 * The server's half of a password proof, with its throttle. Both steps belong in a transaction:
 * writers are serialised, so no burst of parallel proofs can outrun the throttle.
 */
import { timingSafeEqual } from "node:crypto";
import {
  CHALLENGE_LIFETIME_SECONDS,
  MAX_KNOWN_CHALLENGES,
  MAX_LIVE_CHALLENGES,
} from "../contract/identity.ts";
import { decodeBase64Url, encodeBase64Url } from "../rules/base64url.ts";
import {
  createAuthMessage,
  type PasswordChallenge,
  type SignedAttempt,
} from "../rules/identity/auth-message.ts";
import { CLIENT_NONCE_PATTERN } from "../rules/identity/grammar.ts";
import { createServerSignature, PROOF_BYTES, recoverStoredKey } from "../rules/identity/scram.ts";
import { randomBytes as strongRandomBytes, type RandomBytes } from "../rules/web-crypto.ts";
import type { Accounts } from "./accounts.ts";
import type { IdentityRecords } from "./identity-records.ts";
import { identifyClient, type SignInClient } from "./known-browsers.ts";
import { createSecret } from "../rules/create-secret.ts";
import { isSecret } from "./one-time-secrets.ts";
import type { Throttle } from "./throttle.ts";

export interface SignInSettings {
  /** The purpose is part of what is signed: `trellis-sync-login`. */
  readonly purpose: string;
  readonly accounts: Accounts;
  readonly throttle: Throttle;
  readonly randomBytes?: RandomBytes;
}

/** A challenge is bound to the whole attempt, and valid for one proof. */
export interface IssuedChallenge extends PasswordChallenge {
  readonly expiresAt: number;
}

export interface BeginRequest {
  /** The name was parsed by `parseUsername`, so it is in NFC. */
  readonly username: string;
  /** All other data of the attempt, by member name; the proof signs it. */
  readonly attempt: SignedAttempt;
  readonly client: SignInClient;
}

export interface CompleteRequest {
  readonly challengeId: string;
  readonly clientNonce: string;
  readonly proof: string;
  /** Members of the attempt that this request repeats: they must be equal. */
  readonly claimed: SignedAttempt;
  readonly address: string;
  /** The value that the browser keeps, as it came; null without one. */
  readonly knownBrowser: string | null;
}

export type Throttled = { readonly kind: "throttled"; readonly retryAfterSeconds: number };

export type BeginResult =
  | { readonly kind: "challenged"; readonly challenge: IssuedChallenge }
  | Throttled;

/** The reason is for the log alone: the client learns only that the proof failed. */
export type FailureReason = "unknown-challenge" | "expired" | "other-attempt" | "wrong-proof";

export type CompleteResult =
  | {
      readonly kind: "proved";
      readonly accountId: string;
      readonly username: string;
      readonly attempt: SignedAttempt;
      readonly serverSignature: string;
      /** Whether the account signed in from this browser before. */
      readonly isKnownBrowser: boolean;
    }
  | {
      readonly kind: "failed";
      readonly reason: FailureReason;
      /** The account of the name, where the proof was looked at; null without one. */
      readonly accountId: string | null;
      /** Further attempts of this name or network must wait from now on. */
      readonly beginsThrottling?: true;
    }
  | Throttled;

const CLIENT_NONCE = new RegExp(CLIENT_NONCE_PATTERN);

/** The steps of a sign-in, which need the same settings. */
export function createSignIn(settings: SignInSettings) {
  return {
    begin: (records: IdentityRecords, request: BeginRequest, now: number) =>
      begin(settings, records, request, now),
    complete: (records: IdentityRecords, request: CompleteRequest, now: number) =>
      complete(settings, records, request, now),
  };
}

async function begin(
  { accounts, throttle, randomBytes = strongRandomBytes }: SignInSettings,
  records: IdentityRecords,
  { username, attempt, client }: BeginRequest,
  now: number,
): Promise<BeginResult> {
  const { waitMs } = await throttle.read(records, username, client, now);
  if (waitMs > 0) return toThrottled(waitMs);
  const { verifier } = await accounts.findCredentials(records, username);
  const challenge = {
    challengeId: createSecret(randomBytes),
    salt: encodeBase64Url(verifier.salt),
    iterations: verifier.iterations,
    serverNonce: createSecret(randomBytes),
    expiresAt: now + CHALLENGE_LIFETIME_SECONDS * 1000,
  };
  await records.addChallenge(
    {
      ...challenge,
      client: throttle.hashClient(client),
      username,
      attempt: JSON.stringify(attempt),
      createdAt: now,
    },
    { maxLive: MAX_LIVE_CHALLENGES, maxKnown: MAX_KNOWN_CHALLENGES },
  );
  return { kind: "challenged", challenge };
}

/** Consumes the challenge before any other check. */
async function complete(
  { purpose, accounts, throttle }: SignInSettings,
  records: IdentityRecords,
  { challengeId, clientNonce, proof, claimed, ...from }: CompleteRequest,
  now: number,
): Promise<CompleteResult> {
  const challenge = isSecret(challengeId) ? await records.takeChallenge(challengeId) : null;
  if (challenge === null) return failed("unknown-challenge");
  const { username } = challenge;
  const attempt = JSON.parse(challenge.attempt) as SignedAttempt;
  if (now >= challenge.expiresAt) return failed("expired");
  if (!agreesWith(attempt, claimed)) return failed("other-attempt");
  const client = await identifyClient(records, { username, ...from }, now);
  const failures = await throttle.read(records, username, client, now);
  if (failures.waitMs > 0) return toThrottled(failures.waitMs);
  const { accountId, verifier } = await accounts.findCredentials(records, username);
  const authMessage = createAuthMessage({ purpose, username, attempt, challenge, clientNonce });
  const proofBytes = readProof(proof);
  const { storedKey, serverKey } = verifier;
  const [recovered, signature] = await Promise.all([
    recoverStoredKey(storedKey, authMessage, proofBytes ?? new Uint8Array(PROOF_BYTES)),
    createServerSignature(serverKey, authMessage),
  ]);
  const proves = timingSafeEqual(recovered, storedKey);
  const wellFormed = proofBytes !== null && CLIENT_NONCE.test(clientNonce);
  if (accountId === null || !proves || !wellFormed) {
    const beginsThrottling = await throttle.add(records, failures, now);
    return { ...failed("wrong-proof", accountId), ...(beginsThrottling && { beginsThrottling }) };
  }
  await throttle.clear(records, failures);
  const serverSignature = encodeBase64Url(signature);
  const isKnownBrowser = client.kind === "known-browser" && client.hasSignedIn;
  return { kind: "proved", accountId, username, attempt, serverSignature, isKnownBrowser };
}

function failed(reason: FailureReason, accountId: string | null = null) {
  return { kind: "failed", reason, accountId } as const;
}

export function toThrottled(waitMs: number): Throttled {
  return { kind: "throttled", retryAfterSeconds: Math.ceil(waitMs / 1000) };
}

function agreesWith(attempt: SignedAttempt, claimed: SignedAttempt): boolean {
  return Object.entries(claimed).every(
    ([name, value]) => Object.hasOwn(attempt, name) && attempt[name] === value,
  );
}

function readProof(proof: string) {
  const bytes = decodeBase64Url(proof);
  return bytes?.length === PROOF_BYTES ? bytes : null;
}
