/**
 * The server's half of a password proof, with its throttle. Both steps belong into a transaction:
 * writers come one after another, so that no burst of parallel answers can outrun the throttle.
 */
import { timingSafeEqual } from "node:crypto";
import { decodeBase64Url, encodeBase64Url } from "../rules/base64url.ts";
import { createAuthMessage, type SignedAttempt } from "../rules/identity/auth-message.ts";
import { CLIENT_NONCE_PATTERN } from "../rules/identity/grammar.ts";
import type { IdentityPrimitives } from "../rules/identity/primitives.ts";
import { createServerSignature, PROOF_BYTES, storedKeyOfProof } from "../rules/identity/scram.ts";
import type { Accounts } from "./accounts.ts";
import { consumeChallenge, issueChallenge, type IssuedChallenge } from "./challenges.ts";
import type { IdentityRecords } from "./identity-records.ts";
import type { Throttle } from "./throttle.ts";

export interface SignInSettings {
  /** Part of what is signed: `trellis-sync-login`. */
  readonly purpose: string;
  readonly accounts: Accounts;
  readonly throttle: Throttle;
  readonly primitives: IdentityPrimitives;
}

export interface BeginRequest {
  /** As `parseUsername` gave it. */
  readonly username: string;
  /** Everything else the attempt is about, by member name; all of it is signed. */
  readonly attempt: SignedAttempt;
  readonly address: string;
}

export interface CompleteRequest {
  readonly challengeId: string;
  readonly clientNonce: string;
  readonly proof: string;
  /** Members of the attempt that this request claims too: they must be the same. */
  readonly claimed: SignedAttempt;
  readonly address: string;
}

export type Throttled = { readonly kind: "throttled"; readonly retryAfterSeconds: number };

export type BeginResult =
  | { readonly kind: "challenged"; readonly challenge: IssuedChallenge }
  | Throttled;

/** Why a proof failed is for the log alone: whoever asks learns only that it did. */
export type FailureReason = "unknown-challenge" | "expired" | "other-attempt" | "wrong-proof";

export type CompleteResult =
  | {
      readonly kind: "proved";
      readonly accountId: string;
      readonly username: string;
      readonly attempt: SignedAttempt;
      readonly serverSignature: string;
    }
  | { readonly kind: "failed"; readonly reason: FailureReason }
  | Throttled;

export interface SignIn {
  begin(records: IdentityRecords, request: BeginRequest, now: number): Promise<BeginResult>;
  /** Consumes the challenge before anything else is looked at. */
  complete(
    records: IdentityRecords,
    request: CompleteRequest,
    now: number,
  ): Promise<CompleteResult>;
}

const CLIENT_NONCE = new RegExp(CLIENT_NONCE_PATTERN);

export function createSignIn(settings: SignInSettings): SignIn {
  const { purpose, accounts, throttle, primitives } = settings;
  return {
    begin: async (records, { username, attempt, address }, now) => {
      const { waitMs } = await throttle.read(records, username, address, now);
      if (waitMs > 0) return throttled(waitMs);
      const { verifier } = await accounts.findCredentials(records, username);
      const signed = { username, attempt };
      const challenge = await issueChallenge(
        records,
        signed,
        verifier,
        now,
        primitives.randomBytes,
      );
      return { kind: "challenged", challenge };
    },

    complete: async (records, { challengeId, clientNonce, proof, claimed, address }, now) => {
      const challenged = await consumeChallenge(records, challengeId);
      if (challenged === null) return failed("unknown-challenge");
      const { challenge, username, attempt } = challenged;
      if (now >= challenge.expiresAt) return failed("expired");
      if (!agrees(claimed, attempt)) return failed("other-attempt");
      const failures = await throttle.read(records, username, address, now);
      if (failures.waitMs > 0) return throttled(failures.waitMs);
      const { accountId, verifier } = await accounts.findCredentials(records, username);
      const parts = { purpose, username, attempt, challenge, clientNonce };
      const authMessage = createAuthMessage(parts);
      const proofBytes = readProof(proof);
      const { storedKey, serverKey } = verifier;
      const recovered = await storedKeyOfProof(
        primitives,
        storedKey,
        authMessage,
        proofBytes ?? new Uint8Array(PROOF_BYTES),
      );
      const signature = await createServerSignature(primitives, serverKey, authMessage);
      const proves = timingSafeEqual(recovered, storedKey);
      const wellFormed = proofBytes !== null && CLIENT_NONCE.test(clientNonce);
      if (accountId === null || !proves || !wellFormed) {
        await throttle.add(records, failures, now);
        return failed("wrong-proof");
      }
      await throttle.clear(records, failures);
      const serverSignature = encodeBase64Url(signature);
      return { kind: "proved", accountId, username, attempt, serverSignature };
    },
  };
}

function failed(reason: FailureReason): CompleteResult {
  return { kind: "failed", reason };
}

function throttled(waitMs: number): Throttled {
  return { kind: "throttled", retryAfterSeconds: Math.ceil(waitMs / 1000) };
}

function agrees(claimed: SignedAttempt, attempt: SignedAttempt): boolean {
  return Object.entries(claimed).every(
    ([name, value]) => Object.hasOwn(attempt, name) && attempt[name] === value,
  );
}

function readProof(proof: string) {
  const bytes = decodeBase64Url(proof);
  return bytes?.length === PROOF_BYTES ? bytes : null;
}
