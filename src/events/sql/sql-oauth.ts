import type { Queryable } from "../../database/database.ts";
import type { Grant, GrantRecords, Interaction, InteractionRecords } from "../store.ts";
import { columnsOf } from "../../database/columns.ts";
import { oneRow } from "../../database/one-row.ts";
import { readOfAccount } from "../../identity/identity-tables.ts";

type GrantRow = Pick<Grant, keyof Grant>;

const GRANT = columnsOf<Grant>(
  "grantId",
  "accountId",
  "clientId",
  "scope",
  "tokenHash",
  "createdAt",
  "lastUsedAt",
  "idleExpiresAt",
  "absoluteExpiresAt",
);
const IS_LIVE = "g.idle_expires_at > $1 AND g.absolute_expires_at > $1";

/** `onRevoked` is called when a grant, or the codes of an account, were revoked. */
export function createSqlGrants(tx: Queryable, onRevoked: () => Promise<void>): GrantRecords {
  const revokeCodes = async (accountId: string) => {
    await tx.query(
      `INSERT INTO events_code_epochs (account_id, epoch) VALUES ($1, 1)
       ON CONFLICT (account_id) DO UPDATE SET epoch = events_code_epochs.epoch + 1`,
      [accountId],
    );
    await onRevoked();
  };
  const revoke = async (condition: string, values: readonly string[]): Promise<number> => {
    const rows = await tx.query(
      `DELETE FROM events_grants WHERE ${condition} RETURNING grant_id`,
      values,
    );
    if (rows.length > 0) await onRevoked();
    return rows.length;
  };

  return {
    async add(grant) {
      await tx.query(
        `INSERT INTO events_grants (${GRANT.names}) VALUES (${GRANT.placeholders})`,
        GRANT.values(grant),
      );
    },
    async touch(grantId, lastUsedAt, idleExpiresAt) {
      await tx.query(
        "UPDATE events_grants SET last_used_at = $2, idle_expires_at = $3 WHERE grant_id = $1",
        [grantId, lastUsedAt, idleExpiresAt],
      );
    },
    async revoke(grantId, accountId) {
      const revoked =
        accountId === undefined
          ? await revoke("grant_id = $1", [grantId])
          : await revoke("grant_id = $1 AND account_id = $2", [grantId, accountId]);
      return revoked > 0;
    },
    async revokeAll(accountId) {
      await revokeCodes(accountId);
      return revoke("account_id = $1", [accountId]);
    },
    async codeEpoch(accountId) {
      const [row] = await tx.query<{ epoch: number }>(
        "SELECT epoch FROM events_code_epochs WHERE account_id = $1",
        [accountId],
      );
      return row?.epoch ?? 0;
    },
    revokeCodes,
    revokeToken: async (tokenHash, clientId) =>
      (await revoke("token_hash = $1 AND client_id = $2", [tokenHash, clientId])) > 0,
    // What has expired has indexes too, with which PostgreSQL could read the grants of all accounts.
    list: (now, accountId) =>
      tx.query<GrantRow & { username: string }>(
        `WITH g AS MATERIALIZED (
           SELECT * FROM events_grants${accountId === undefined ? "" : " WHERE account_id = $2"})
         SELECT ${GRANT.select("g")},
           ${readOfAccount("username", "g.account_id")} AS username
         FROM g WHERE ${IS_LIVE} ORDER BY g.created_at DESC, g.grant_id`,
        accountId === undefined ? [now] : [now, accountId],
      ),
  };
}

const FIND_GRANT = `SELECT ${GRANT.select("g")}
  FROM ${oneRow("events_grants", "token_hash = $2")} g WHERE ${IS_LIVE}`;

export async function findSqlGrant(
  store: Queryable,
  tokenHash: string,
  now: number,
): Promise<Grant | null> {
  return (await store.query<GrantRow>(FIND_GRANT, [now, tokenHash]))[0] ?? null;
}

interface InteractionRow {
  readonly [column: string]: unknown;
  readonly binding_hash: string;
  /** JSON, which escapes characters that a database refuses, so that `state` is unchanged. */
  readonly request: string;
  readonly created_at: number;
  readonly expires_at: number;
}

type StoredRequest = Omit<
  Interaction,
  "interactionHash" | "bindingHash" | "createdAt" | "expiresAt"
>;

const INTERACTION_COLUMNS = "binding_hash, request, created_at, expires_at";

export function createSqlInteractions(tx: Queryable): InteractionRecords {
  return {
    async add(interaction, maxLive) {
      // SQLite has no OFFSET without a LIMIT, hence the large one.
      await tx.query(
        `DELETE FROM events_interactions WHERE interaction_hash IN (
           SELECT interaction_hash FROM events_interactions
           ORDER BY created_at DESC, interaction_hash LIMIT 1000000 OFFSET $1
         )`,
        [maxLive - 1],
      );
      const { interactionHash, bindingHash, createdAt, expiresAt, ...request } = interaction;
      await tx.query(
        `INSERT INTO events_interactions (interaction_hash, ${INTERACTION_COLUMNS})
         VALUES ($1, $2, $3, $4, $5)`,
        [interactionHash, bindingHash, JSON.stringify(request), createdAt, expiresAt],
      );
    },
    async find(interactionHash, now) {
      const [row] = await tx.query<InteractionRow>(
        `SELECT ${INTERACTION_COLUMNS} FROM events_interactions
         WHERE interaction_hash = $1 AND expires_at > $2`,
        [interactionHash, now],
      );
      return row === undefined ? null : toInteraction(interactionHash, row);
    },
    async take(interactionHash, now) {
      // One statement takes the interaction, so that of parallel callers exactly one gets the row.
      const [row] = await tx.query<InteractionRow>(
        `DELETE FROM events_interactions WHERE interaction_hash = $1 AND expires_at > $2
         RETURNING ${INTERACTION_COLUMNS}`,
        [interactionHash, now],
      );
      return row === undefined ? null : toInteraction(interactionHash, row);
    },
  };
}

function toInteraction(interactionHash: string, row: InteractionRow): Interaction {
  return {
    interactionHash,
    bindingHash: row.binding_hash,
    ...(JSON.parse(row.request) as StoredRequest),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}
