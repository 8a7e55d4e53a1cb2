/** Challenges of the password proof: bound to the whole attempt, good for one answer. */
import { CHALLENGE_LIFETIME_SECONDS, MAX_LIVE_CHALLENGES } from "../contract/identity.ts";
import { encodeBase64Url } from "../rules/base64url.ts";
import type { PasswordChallenge, SignedAttempt } from "../rules/identity/auth-message.ts";
import type { PasswordVerifier } from "../rules/identity/scram.ts";
import type { IdentityRecords } from "./identity-records.ts";
import type { RandomBytes } from "./node-primitives.ts";

export interface IssuedChallenge extends PasswordChallenge {
  readonly expiresAt: number;
}

export interface ChallengedAttempt {
  readonly challenge: IssuedChallenge;
  /** In NFC. */
  readonly username: string;
  readonly attempt: SignedAttempt;
}

const ID_BYTES = 32;
const CHALLENGE_ID = /^[A-Za-z0-9_-]{43}$/;

export async function issueChallenge(
  records: IdentityRecords,
  { username, attempt }: Omit<ChallengedAttempt, "challenge">,
  verifier: Pick<PasswordVerifier, "salt" | "iterations">,
  now: number,
  randomBytes: RandomBytes,
): Promise<IssuedChallenge> {
  const challenge = {
    challengeId: encodeBase64Url(randomBytes(ID_BYTES)),
    salt: encodeBase64Url(verifier.salt),
    iterations: verifier.iterations,
    serverNonce: encodeBase64Url(randomBytes(ID_BYTES)),
    expiresAt: now + CHALLENGE_LIFETIME_SECONDS * 1000,
  };
  await records.addChallenge(
    { ...challenge, username, attempt: JSON.stringify(attempt), createdAt: now },
    MAX_LIVE_CHALLENGES,
  );
  return challenge;
}

/** Takes the challenge out of the store, whatever becomes of the answer. Null when there is none. */
export async function consumeChallenge(
  records: IdentityRecords,
  challengeId: string,
): Promise<ChallengedAttempt | null> {
  // Not every text of a stranger is one that every store takes: PostgreSQL has no U+0000.
  if (!CHALLENGE_ID.test(challengeId)) return null;
  const record = await records.takeChallenge(challengeId);
  if (record === null) return null;
  const { username, salt, iterations, serverNonce, expiresAt } = record;
  return {
    challenge: { challengeId, salt, iterations, serverNonce, expiresAt },
    username,
    attempt: JSON.parse(record.attempt) as SignedAttempt,
  };
}
