/** Challenges in SQL, with the eviction that bounds them. */
import type { Queryable } from "../database/database.ts";
import type { ChallengeBounds, NewChallenge } from "./identity-records.ts";

export async function addSqlChallenge(
  tx: Queryable,
  realm: string,
  challenge: NewChallenge,
  bounds: ChallengeBounds,
): Promise<void> {
  const { isKnown, groups } = challenge.client;
  await tx.query(
    `INSERT INTO identity_challenges (realm, challenge_id, is_known, wide_hash, middle_hash,
       client_hash, username, attempt, salt, iterations, server_nonce, created_at, expires_at, made)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13,
       (SELECT coalesce(max(made), 0) + 1 FROM identity_challenges WHERE realm = $1))`,
    [
      realm,
      challenge.challengeId,
      Number(isKnown),
      ...groups,
      challenge.username,
      challenge.attempt,
      challenge.salt,
      challenge.iterations,
      challenge.serverNonce,
      challenge.createdAt,
      challenge.expiresAt,
    ],
  );
  await evictChallenges(tx, realm, bounds);
}

async function evictChallenges(
  tx: Queryable,
  realm: string,
  { maxLive, maxKnown }: ChallengeBounds,
): Promise<void> {
  const [row] = await tx.query<{ live: number; known: number }>(
    `SELECT count(*) AS live, count(*) FILTER (WHERE is_known = 1) AS known
     FROM identity_challenges WHERE realm = $1`,
    [realm],
  );
  let { live, known } = row ?? { live: 0, known: 0 };
  while (live > 0 && (known > maxKnown || live > maxLive)) {
    // A known browser gives way to another one alone.
    const isKnown = known > maxKnown || live === known;
    await evictOne(tx, realm, isKnown);
    live--;
    if (isKnown) known--;
  }
}

/**
 * A flood evicts its own challenges: those of its provider where it comes from many sites, those of its
 * site where it comes from many networks there.
 */
async function evictOne(tx: Queryable, realm: string, isKnown: boolean): Promise<void> {
  await tx.query(
    `WITH wide AS (
       SELECT wide_hash AS hash FROM identity_challenges WHERE realm = $1 AND is_known = $2
       GROUP BY wide_hash ORDER BY count(*) DESC, min(made) LIMIT 1
     ), middle AS (
       SELECT middle_hash AS hash FROM identity_challenges
       WHERE realm = $1 AND is_known = $2 AND wide_hash = (SELECT hash FROM wide)
       GROUP BY middle_hash ORDER BY count(*) DESC, min(made) LIMIT 1
     ), client AS (
       SELECT client_hash AS hash FROM identity_challenges
       WHERE realm = $1 AND is_known = $2 AND wide_hash = (SELECT hash FROM wide)
         AND middle_hash = (SELECT hash FROM middle)
       GROUP BY client_hash ORDER BY count(*) DESC, min(made) LIMIT 1
     )
     DELETE FROM identity_challenges WHERE challenge_id = (
       SELECT challenge_id FROM identity_challenges
       WHERE realm = $1 AND is_known = $2 AND wide_hash = (SELECT hash FROM wide)
         AND middle_hash = (SELECT hash FROM middle) AND client_hash = (SELECT hash FROM client)
       ORDER BY made LIMIT 1
     )`,
    [realm, Number(isKnown)],
  );
}
