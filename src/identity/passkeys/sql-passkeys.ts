import { columnsOf } from "../../database/columns.ts";
import type { Queryable, Row } from "../../database/database.ts";
import type { KnownPasskey, PasskeyRecord, PasskeyRecords } from "./passkey-records.ts";

const PASSKEY = columnsOf<Pick<PasskeyRecord, keyof PasskeyRecord>>(
  "credentialId",
  "accountId",
  "publicKey",
  "counter",
  "name",
  "createdAt",
  "lastUsedAt",
);

const IS_OWN = "instance = $instance AND account_id = $1";

export function createSqlPasskeys(tx: Queryable, realm: string): PasskeyRecords {
  const changes = async (sql: string, ...params: string[]): Promise<number> =>
    (await tx.query(`${sql} RETURNING credential_id`, params)).length;
  return {
    async findPasskey(credentialId) {
      const [passkey] = await tx.query<KnownPasskey & Row>(
        `SELECT ${PASSKEY.select("p")}, a.username
         FROM identity_passkeys p JOIN identity_accounts a
           ON a.instance = p.instance AND a.account_id = p.account_id
         WHERE p.instance = $instance AND p.credential_id = $1 AND a.realm = $2`,
        [credentialId, realm],
      );
      return passkey ?? null;
    },
    listPasskeys: (accountId) =>
      tx.query<PasskeyRecord & Row>(
        `SELECT ${PASSKEY.select("p")} FROM identity_passkeys p
         WHERE p.instance = $instance AND p.account_id = $1 ORDER BY p.created_at, p.credential_id`,
        [accountId],
      ),
    async addPasskey(passkey) {
      const rows = await tx.query(
        `INSERT INTO identity_passkeys (instance, ${PASSKEY.names})
         VALUES ($instance, ${PASSKEY.placeholders}) ON CONFLICT DO NOTHING RETURNING credential_id`,
        PASSKEY.values(passkey),
      );
      return rows.length > 0;
    },
    async usePasskey(credentialId, counter, usedAt) {
      await tx.query(
        `UPDATE identity_passkeys SET counter = $2, last_used_at = $3
         WHERE instance = $instance AND credential_id = $1`,
        [credentialId, counter, usedAt],
      );
    },
    renamePasskey: async (accountId, credentialId, name) =>
      (await changes(
        `UPDATE identity_passkeys SET name = $3 WHERE ${IS_OWN} AND credential_id = $2`,
        accountId,
        credentialId,
        name,
      )) > 0,
    removePasskey: async (accountId, credentialId) =>
      (await changes(
        `DELETE FROM identity_passkeys WHERE ${IS_OWN} AND credential_id = $2`,
        accountId,
        credentialId,
      )) > 0,
    removePasskeys: (accountId) =>
      changes(`DELETE FROM identity_passkeys WHERE ${IS_OWN}`, accountId),
  };
}
