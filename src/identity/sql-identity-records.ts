import type { Queryable, Row } from "../database/database.ts";
import { FORGET_FAILURES_MS } from "../rules/identity/throttle.ts";
import type {
  AccountRecord,
  ChallengeRecord,
  IdentityRecords,
  SecretUse,
} from "./identity-records.ts";

interface AccountRow extends Row {
  readonly account_id: string;
  readonly username: string;
  readonly sealed_verifier: string;
  readonly created_at: number;
  readonly password_changed_at: number;
}

interface ChallengeRow extends Row {
  readonly challenge_id: string;
  readonly username: string;
  readonly attempt: string;
  readonly salt: string;
  readonly iterations: number;
  readonly server_nonce: string;
  readonly created_at: number;
  readonly expires_at: number;
}

interface FailureRow extends Row {
  readonly subject: string;
  readonly failures: number;
  readonly last_failure_at: number;
  readonly blocked_until: number;
}

const ACCOUNT_COLUMNS = "account_id, username, sealed_verifier, created_at, password_changed_at";
const CHALLENGE_COLUMNS =
  "challenge_id, username, attempt, salt, iterations, server_nonce, created_at, expires_at";

export function createSqlIdentityRecords(tx: Queryable, realm: string): IdentityRecords {
  return {
    async findAccount(username) {
      const [row] = await tx.query<AccountRow>(
        `SELECT ${ACCOUNT_COLUMNS} FROM identity_accounts WHERE realm = $1 AND username = $2`,
        [realm, username],
      );
      return row === undefined ? null : toAccount(row);
    },
    async listAccounts() {
      const rows = await tx.query<AccountRow>(
        `SELECT ${ACCOUNT_COLUMNS} FROM identity_accounts WHERE realm = $1
         ORDER BY created_at, account_id`,
        [realm],
      );
      return rows.map(toAccount);
    },
    async addAccount({ accountId, username, sealedVerifier, createdAt, passwordChangedAt }) {
      const rows = await tx.query(
        `INSERT INTO identity_accounts
           (account_id, realm, username, sealed_verifier, created_at, password_changed_at)
         VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT DO NOTHING RETURNING account_id`,
        [accountId, realm, username, sealedVerifier, createdAt, passwordChangedAt],
      );
      return rows.length > 0;
    },
    async replaceVerifier(accountId, sealedVerifier, changedAt) {
      await tx.query(
        `UPDATE identity_accounts SET sealed_verifier = $3, password_changed_at = $4
         WHERE realm = $1 AND account_id = $2`,
        [realm, accountId, sealedVerifier, changedAt],
      );
    },

    async addChallenge(challenge, maxLive) {
      // Keeps one less, before the insert. SQLite has no OFFSET without a LIMIT.
      await tx.query(
        `DELETE FROM identity_challenges WHERE challenge_id IN (
           SELECT challenge_id FROM identity_challenges WHERE realm = $1
           ORDER BY created_at DESC, challenge_id LIMIT 1000000 OFFSET $2
         )`,
        [realm, maxLive - 1],
      );
      await tx.query(
        `INSERT INTO identity_challenges (realm, ${CHALLENGE_COLUMNS})
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
        [
          realm,
          challenge.challengeId,
          challenge.username,
          challenge.attempt,
          challenge.salt,
          challenge.iterations,
          challenge.serverNonce,
          challenge.createdAt,
          challenge.expiresAt,
        ],
      );
    },
    async takeChallenge(challengeId) {
      const [row] = await tx.query<ChallengeRow>(
        `DELETE FROM identity_challenges WHERE challenge_id = $1 AND realm = $2
         RETURNING ${CHALLENGE_COLUMNS}`,
        [challengeId, realm],
      );
      return row === undefined ? null : toChallenge(row);
    },

    async addSecret({ hash, purpose, bound, expiresAt, keepUntil }) {
      await tx.query(
        `INSERT INTO identity_secrets (secret_hash, realm, purpose, bound, expires_at, keep_until)
         VALUES ($1, $2, $3, $4, $5, $6)`,
        [hash, realm, purpose, bound, expiresAt, keepUntil],
      );
    },
    consumeSecret: (hash, purpose, now) => consumeSecret(tx, [hash, realm, purpose], now),

    async readFailures(subjects) {
      const rows = await tx.query<FailureRow>(
        `SELECT subject, failures, last_failure_at, blocked_until FROM identity_failures
         WHERE realm = $1 AND subject IN (${placeholders(subjects)})`,
        [realm, ...subjects],
      );
      return new Map(
        rows.map(({ subject, failures, last_failure_at, blocked_until }) => [
          subject,
          { failures, lastFailureAt: last_failure_at, blockedUntil: blocked_until },
        ]),
      );
    },
    async writeFailure(subject, { failures, lastFailureAt, blockedUntil }) {
      await tx.query(
        `INSERT INTO identity_failures (realm, subject, failures, last_failure_at, blocked_until)
         VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (realm, subject) DO UPDATE SET failures = excluded.failures,
           last_failure_at = excluded.last_failure_at, blocked_until = excluded.blocked_until`,
        [realm, subject, failures, lastFailureAt, blockedUntil],
      );
    },
    async clearFailures(subjects) {
      await tx.query(
        `DELETE FROM identity_failures
         WHERE realm = $1 AND subject IN (${placeholders(subjects)})`,
        [realm, ...subjects],
      );
    },
  };
}

/** Deletes expired rows of every realm. Optional: readers ignore expired rows. */
export async function pruneSqlIdentity(tx: Queryable, now: number): Promise<void> {
  await tx.query("DELETE FROM identity_challenges WHERE expires_at <= $1", [now]);
  await tx.query("DELETE FROM identity_secrets WHERE keep_until <= $1", [now]);
  await tx.query("DELETE FROM identity_failures WHERE last_failure_at <= $1", [
    now - FORGET_FAILURES_MS,
  ]);
}

async function consumeSecret(
  tx: Queryable,
  key: readonly string[],
  now: number,
): Promise<SecretUse | null> {
  // One statement decides which of several parallel uses is the first.
  const [consumed] = await tx.query<{ bound: string; expires_at: number }>(
    `UPDATE identity_secrets SET used_at = $4
     WHERE secret_hash = $1 AND realm = $2 AND purpose = $3 AND used_at IS NULL
     RETURNING bound, expires_at`,
    [...key, now],
  );
  if (consumed !== undefined) {
    return { bound: consumed.bound, expiresAt: consumed.expires_at, usedBefore: null };
  }
  const [used] = await tx.query<{ bound: string; expires_at: number; used_at: number }>(
    `SELECT bound, expires_at, used_at FROM identity_secrets
     WHERE secret_hash = $1 AND realm = $2 AND purpose = $3`,
    key,
  );
  return used === undefined
    ? null
    : { bound: used.bound, expiresAt: used.expires_at, usedBefore: used.used_at };
}

/** Of a list after `$1`. */
function placeholders(values: readonly string[]): string {
  return values.map((_, index) => `$${index + 2}`).join(", ");
}

function toAccount(row: AccountRow): AccountRecord {
  return {
    accountId: row.account_id,
    username: row.username,
    sealedVerifier: row.sealed_verifier,
    createdAt: row.created_at,
    passwordChangedAt: row.password_changed_at,
  };
}

function toChallenge(row: ChallengeRow): ChallengeRecord {
  return {
    challengeId: row.challenge_id,
    username: row.username,
    attempt: row.attempt,
    salt: row.salt,
    iterations: row.iterations,
    serverNonce: row.server_nonce,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}
