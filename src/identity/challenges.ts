/** Challenges of the password proof: bound to the whole attempt, good for one answer. */
import type { Queryable } from "../database/database.ts";
import { encodeBase64Url } from "../rules/base64url.ts";
import type { PasswordChallenge, SignedAttempt } from "../rules/identity/auth-message.ts";
import type { PasswordVerifier } from "../rules/identity/scram.ts";
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

export const CHALLENGE_LIFETIME_MS = 5 * 60_000;
/** What a flood of beginnings may keep alive at most; the oldest go first. */
export const MAX_LIVE_CHALLENGES = 1000;

const ID_BYTES = 32;
const CHALLENGE_ID = /^[A-Za-z0-9_-]{43}$/;

export async function issueChallenge(
  store: Queryable,
  realm: string,
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
    expiresAt: now + CHALLENGE_LIFETIME_MS,
  };
  const { challengeId, salt, iterations, serverNonce, expiresAt } = challenge;
  await makeRoom(store, realm);
  await store.query(
    `INSERT INTO identity_challenges
       (challenge_id, realm, username, attempt, salt, iterations, server_nonce, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      challengeId,
      realm,
      username,
      JSON.stringify(attempt),
      salt,
      iterations,
      serverNonce,
      now,
      expiresAt,
    ],
  );
  return challenge;
}

interface ChallengeRow extends Record<string, unknown> {
  readonly username: string;
  readonly attempt: string;
  readonly salt: string;
  readonly iterations: number;
  readonly server_nonce: string;
  readonly expires_at: number;
}

/** Takes the challenge out of the store, whatever becomes of the answer. Null when there is none. */
export async function consumeChallenge(
  store: Queryable,
  realm: string,
  challengeId: string,
): Promise<ChallengedAttempt | null> {
  // Not every text of a stranger is one that every store takes: PostgreSQL has no U+0000.
  if (!CHALLENGE_ID.test(challengeId)) return null;
  const [row] = await store.query<ChallengeRow>(
    `DELETE FROM identity_challenges WHERE challenge_id = $1 AND realm = $2
     RETURNING username, attempt, salt, iterations, server_nonce, expires_at`,
    [challengeId, realm],
  );
  if (row === undefined) return null;
  return {
    challenge: {
      challengeId,
      salt: row.salt,
      iterations: row.iterations,
      serverNonce: row.server_nonce,
      expiresAt: row.expires_at,
    },
    username: row.username,
    attempt: JSON.parse(row.attempt) as SignedAttempt,
  };
}

export async function pruneChallenges(store: Queryable, now: number): Promise<void> {
  await store.query("DELETE FROM identity_challenges WHERE expires_at <= $1", [now]);
}

/** Leaves place for one more. SQLite has no OFFSET without a LIMIT, hence the large one. */
async function makeRoom(store: Queryable, realm: string): Promise<void> {
  await store.query(
    `DELETE FROM identity_challenges WHERE challenge_id IN (
       SELECT challenge_id FROM identity_challenges WHERE realm = $1
       ORDER BY created_at DESC, challenge_id LIMIT 1000000 OFFSET ${MAX_LIVE_CHALLENGES - 1}
     )`,
    [realm],
  );
}
