/**
 * Challenges that the server does not store: random bytes, the expiry, and a keyed hash of both with what
 * the challenge is for. So a flood of begun ceremonies costs nothing; the store has only used challenges.
 */
import { DAY_MS } from "../../contract/durations.ts";
import { PASSKEY_CHALLENGE_SECONDS } from "../../contract/identity.ts";
import type { RandomBytes } from "../../rules/web-crypto.ts";
import type { IdentityRecords } from "../identity-records.ts";
import { createKeyedHash, type InstanceKey } from "../instance-key.ts";
import { hashSecret, isSameSecret } from "../one-time-secrets.ts";

export type ChallengeState = "valid" | "expired" | "other-attempt";

export interface IssuedPasskeyChallenge {
  readonly challenge: string;
  readonly expiresAt: number;
}

/** The clock of another process may be behind, and a clock may be set back. */
const REMEMBER_MS = DAY_MS;
const NONCE_BYTES = 18;
/** Milliseconds since 1970 need 41 bits. */
const EXPIRY_BYTES = 6;
/** A multiple of 4, so that the texts of head and hash together are those of their bytes. */
const HEAD_CHARACTERS = ((NONCE_BYTES + EXPIRY_BYTES) / 3) * 4;

export function createPasskeyChallenges(
  realm: string,
  instanceKey: InstanceKey,
  randomBytes: RandomBytes,
) {
  const hash = createKeyedHash(instanceKey, "identity/passkey-challenge");
  const seal = (head: string, boundTo: readonly string[]) => head + hash(realm, head, ...boundTo);

  return {
    /** `boundTo` is the purpose and all that the completing request must repeat. */
    issue(now: number, ...boundTo: readonly string[]): IssuedPasskeyChallenge {
      const expiresAt = now + PASSKEY_CHALLENGE_SECONDS * 1000;
      const head = Buffer.alloc(NONCE_BYTES + EXPIRY_BYTES);
      head.set(randomBytes(NONCE_BYTES));
      head.writeUIntBE(expiresAt, NONCE_BYTES, EXPIRY_BYTES);
      return { challenge: seal(head.toString("base64url"), boundTo), expiresAt };
    },
    check(challenge: string, now: number, ...boundTo: readonly string[]): ChallengeState {
      const head = challenge.slice(0, HEAD_CHARACTERS);
      if (!isSameSecret(challenge, seal(head, boundTo))) return "other-attempt";
      return now < readExpiry(challenge) ? "valid" : "expired";
    },
    /** Call it in the transaction that grants. False when the challenge was used before. */
    consume(records: IdentityRecords, challenge: string, now: number): Promise<boolean> {
      const expiresAt = readExpiry(challenge);
      const keepUntil = expiresAt + REMEMBER_MS;
      const secret = { hash: hashSecret(challenge), purpose: "passkey-challenge", bound: "" };
      return records.addUsedSecret({ ...secret, expiresAt, keepUntil }, now);
    },
  };
}

function readExpiry(challenge: string): number {
  const head = Buffer.from(challenge.slice(0, HEAD_CHARACTERS), "base64url");
  return head.readUIntBE(NONCE_BYTES, EXPIRY_BYTES);
}
