/** Connected apps in SQL. */
import type { Queryable, Row } from "../../database/database.ts";
import type { Grant, GrantRecords } from "../store.ts";

interface GrantRow extends Row {
  readonly grant_id: string;
  readonly account_id: string;
  readonly client_id: string;
  readonly scope: string;
  readonly token_hash: string;
  readonly created_at: number;
  readonly last_used_at: number;
  readonly idle_expires_at: number;
  readonly absolute_expires_at: number;
}

const COLUMNS =
  "g.grant_id, g.account_id, g.client_id, g.scope, g.token_hash, g.created_at, g.last_used_at, g.idle_expires_at, g.absolute_expires_at";
const IS_ALIVE = "g.idle_expires_at > $1 AND g.absolute_expires_at > $1";

export function createSqlGrants(tx: Queryable): GrantRecords {
  const endCodes = async (accountId: string) => {
    await tx.query(
      `INSERT INTO events_code_epochs (account_id, epoch) VALUES ($1, 1)
       ON CONFLICT (account_id) DO UPDATE SET epoch = events_code_epochs.epoch + 1`,
      [accountId],
    );
  };

  return {
    async add(grant) {
      await tx.query(
        `INSERT INTO events_grants (grant_id, account_id, client_id, scope, token_hash, created_at,
           last_used_at, idle_expires_at, absolute_expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
        [
          grant.grantId,
          grant.accountId,
          grant.clientId,
          grant.scope,
          grant.tokenHash,
          grant.createdAt,
          grant.lastUsedAt,
          grant.idleExpiresAt,
          grant.absoluteExpiresAt,
        ],
      );
    },
    async touch(grantId, lastUsedAt, idleExpiresAt) {
      await tx.query(
        "UPDATE events_grants SET last_used_at = $2, idle_expires_at = $3 WHERE grant_id = $1",
        [grantId, lastUsedAt, idleExpiresAt],
      );
    },
    async revoke(grantId, accountId) {
      const ofAccount = accountId === undefined ? "" : " AND account_id = $2";
      return hasRow(
        await tx.query(
          `DELETE FROM events_grants WHERE grant_id = $1${ofAccount} RETURNING grant_id`,
          accountId === undefined ? [grantId] : [grantId, accountId],
        ),
      );
    },
    async revokeAll(accountId) {
      await endCodes(accountId);
      const rows = await tx.query(
        "DELETE FROM events_grants WHERE account_id = $1 RETURNING grant_id",
        [accountId],
      );
      return rows.length;
    },
    async codeEpoch(accountId) {
      const [row] = await tx.query<{ epoch: number }>(
        "SELECT epoch FROM events_code_epochs WHERE account_id = $1",
        [accountId],
      );
      return row?.epoch ?? 0;
    },
    endCodes,
    async revokeToken(tokenHash, clientId) {
      return hasRow(
        await tx.query(
          "DELETE FROM events_grants WHERE token_hash = $1 AND client_id = $2 RETURNING grant_id",
          [tokenHash, clientId],
        ),
      );
    },
    async list(now, accountId) {
      const rows = await tx.query<GrantRow & { username: string }>(
        `SELECT ${COLUMNS}, a.username
         FROM events_grants g JOIN identity_accounts a ON a.account_id = g.account_id
         WHERE ${IS_ALIVE}${accountId === undefined ? "" : " AND g.account_id = $2"}
         ORDER BY g.created_at DESC, g.grant_id`,
        accountId === undefined ? [now] : [now, accountId],
      );
      return rows.map((row) => ({ ...toGrant(row), username: row.username }));
    },
  };
}

/** Asked by every request of an app, beside whatever is being written. */
export async function findSqlGrant(
  store: Queryable,
  tokenHash: string,
  now: number,
): Promise<Grant | null> {
  const [row] = await store.query<GrantRow>(
    `SELECT ${COLUMNS} FROM events_grants g WHERE g.token_hash = $2 AND ${IS_ALIVE}`,
    [now, tokenHash],
  );
  return row === undefined ? null : toGrant(row);
}

export async function pruneSqlGrants(tx: Queryable, now: number): Promise<void> {
  await tx.query(
    "DELETE FROM events_grants WHERE idle_expires_at <= $1 OR absolute_expires_at <= $1",
    [now],
  );
}

function hasRow(rows: readonly unknown[]): boolean {
  return rows.length > 0;
}

function toGrant(row: GrantRow): Grant {
  return {
    grantId: row.grant_id,
    accountId: row.account_id,
    clientId: row.client_id,
    scope: row.scope,
    tokenHash: row.token_hash,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    idleExpiresAt: row.idle_expires_at,
    absoluteExpiresAt: row.absolute_expires_at,
  };
}
