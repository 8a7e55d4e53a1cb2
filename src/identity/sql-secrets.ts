/** One-time secrets in SQL: codes, links and used challenges, by their hashes. */
import type { Queryable, Row } from "../database/database.ts";
import type { IdentityRecords, SecretRecord, SecretUse } from "./identity-records.ts";

type Columns<T> = T & Row;

const SECRET_COLUMNS = `secret_hash AS "hash", purpose, bound, expires_at AS "expiresAt",
  keep_until AS "keepUntil"`;

const IS_SECRET = "instance = $instance AND secret_hash = $1 AND realm = $2 AND purpose = $3";

export function createSqlSecrets(
  tx: Queryable,
  realm: string,
): Pick<
  IdentityRecords,
  | "addSecret"
  | "addUsedSecret"
  | "consumeSecret"
  | "findSecret"
  | "listSecrets"
  | "removeSecret"
  | "removeUnusedSecrets"
> {
  return {
    async addSecret({ hash, purpose, bound, expiresAt, keepUntil }) {
      await tx.query(
        `INSERT INTO identity_secrets
           (instance, secret_hash, realm, purpose, bound, expires_at, keep_until)
         VALUES ($instance, $1, $2, $3, $4, $5, $6)`,
        [hash, realm, purpose, bound, expiresAt, keepUntil],
      );
    },
    async addUsedSecret({ hash, purpose, bound, expiresAt, keepUntil }, now) {
      const rows = await tx.query(
        `INSERT INTO identity_secrets
           (instance, secret_hash, realm, purpose, bound, expires_at, keep_until, used_at)
         VALUES ($instance, $1, $2, $3, $4, $5, $6, $7)
         ON CONFLICT DO NOTHING RETURNING secret_hash`,
        [hash, realm, purpose, bound, expiresAt, keepUntil, now],
      );
      return rows.length > 0;
    },
    consumeSecret: (hash, purpose, now) => consumeSecret(tx, [hash, realm, purpose], now),
    async findSecret(hash, purpose) {
      const [secret] = await tx.query<Columns<SecretRecord>>(
        `SELECT ${SECRET_COLUMNS} FROM identity_secrets
         WHERE ${IS_SECRET} AND used_at IS NULL`,
        [hash, realm, purpose],
      );
      return secret ?? null;
    },
    listSecrets: (purpose) =>
      tx.query<Columns<SecretRecord>>(
        `SELECT ${SECRET_COLUMNS} FROM identity_secrets
         WHERE instance = $instance AND realm = $1 AND purpose = $2 AND used_at IS NULL
         ORDER BY expires_at, secret_hash`,
        [realm, purpose],
      ),
    async removeSecret(hash, purpose) {
      const rows = await tx.query(
        `DELETE FROM identity_secrets
         WHERE ${IS_SECRET} AND used_at IS NULL
         RETURNING secret_hash`,
        [hash, realm, purpose],
      );
      return rows.length > 0;
    },
    async removeUnusedSecrets(purpose) {
      await tx.query(
        `DELETE FROM identity_secrets
         WHERE instance = $instance AND realm = $1 AND purpose = $2 AND used_at IS NULL`,
        [realm, purpose],
      );
    },
  };
}

async function consumeSecret(
  tx: Queryable,
  key: readonly string[],
  now: number,
): Promise<SecretUse | null> {
  // One statement decides which of several parallel uses is the first.
  const [first] = await tx.query<Columns<SecretUse>>(
    `UPDATE identity_secrets SET used_at = $4
     WHERE ${IS_SECRET} AND used_at IS NULL
     RETURNING bound, expires_at AS "expiresAt", NULL AS "usedBefore"`,
    [...key, now],
  );
  if (first !== undefined) return first;
  const [used] = await tx.query<Columns<SecretUse>>(
    `SELECT bound, expires_at AS "expiresAt", used_at AS "usedBefore" FROM identity_secrets
     WHERE ${IS_SECRET}`,
    key,
  );
  return used ?? null;
}
