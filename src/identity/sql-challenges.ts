/** Challenges in SQL, with the eviction that bounds them. */
import { columnsOf } from "../database/columns.ts";
import type { Queryable, Row } from "../database/database.ts";
import type { ChallengeBounds, ChallengeRecord, NewChallenge } from "./identity-records.ts";

const CHALLENGE = columnsOf<ChallengeRecord>(
  "challengeId",
  "username",
  "attempt",
  "salt",
  "iterations",
  "serverNonce",
  "createdAt",
  "expiresAt",
);

export async function addSqlChallenge(
  tx: Queryable,
  realm: string,
  challenge: NewChallenge,
  bounds: ChallengeBounds,
): Promise<void> {
  const { isKnown, groups } = challenge.client;
  await tx.query(
    `INSERT INTO identity_challenges
       (instance, realm, is_known, wide_hash, middle_hash, client_hash, ${CHALLENGE.names}, made)
     VALUES ($instance, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13,
       (SELECT coalesce(max(made), 0) + 1 FROM identity_challenges
        WHERE instance = $instance AND realm = $1))`,
    [realm, Number(isKnown), ...groups, ...CHALLENGE.values(challenge)],
  );
  await evictChallenges(tx, realm, bounds);
}

export async function takeSqlChallenge(
  tx: Queryable,
  realm: string,
  challengeId: string,
): Promise<ChallengeRecord | null> {
  const [challenge] = await tx.query<ChallengeRecord & Row>(
    `DELETE FROM identity_challenges
     WHERE instance = $instance AND challenge_id = $1 AND realm = $2
     RETURNING ${CHALLENGE.select("identity_challenges")}`,
    [challengeId, realm],
  );
  return challenge ?? null;
}

async function evictChallenges(
  tx: Queryable,
  realm: string,
  { maxLive, maxKnown }: ChallengeBounds,
): Promise<void> {
  const [row] = await tx.query<{ live: number; known: number }>(
    `SELECT count(*) AS live, count(*) FILTER (WHERE is_known = 1) AS known
     FROM identity_challenges WHERE instance = $instance AND realm = $1`,
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

const IS_EQUAL = "instance = $instance AND realm = $1 AND is_known = $2";

/** A flood evicts its own challenges: of its provider if it has many sites, of its site if many networks. */
async function evictOne(tx: Queryable, realm: string, isKnown: boolean): Promise<void> {
  await tx.query(
    `WITH wide AS (
       SELECT wide_hash AS hash FROM identity_challenges WHERE ${IS_EQUAL}
       GROUP BY wide_hash ORDER BY count(*) DESC, min(made) LIMIT 1
     ), middle AS (
       SELECT middle_hash AS hash FROM identity_challenges
       WHERE ${IS_EQUAL} AND wide_hash = (SELECT hash FROM wide)
       GROUP BY middle_hash ORDER BY count(*) DESC, min(made) LIMIT 1
     ), client AS (
       SELECT client_hash AS hash FROM identity_challenges
       WHERE ${IS_EQUAL} AND wide_hash = (SELECT hash FROM wide)
         AND middle_hash = (SELECT hash FROM middle)
       GROUP BY client_hash ORDER BY count(*) DESC, min(made) LIMIT 1
     )
     DELETE FROM identity_challenges WHERE instance = $instance AND challenge_id = (
       SELECT challenge_id FROM identity_challenges
       WHERE ${IS_EQUAL} AND wide_hash = (SELECT hash FROM wide)
         AND middle_hash = (SELECT hash FROM middle) AND client_hash = (SELECT hash FROM client)
       ORDER BY made LIMIT 1
     )`,
    [realm, Number(isKnown)],
  );
}

export async function removeSqlChallenges(
  tx: Queryable,
  realm: string,
  username: string,
): Promise<void> {
  await tx.query(
    "DELETE FROM identity_challenges WHERE instance = $instance AND realm = $1 AND username = $2",
    [realm, username],
  );
}
