import { columnsOf } from "../../database/columns.ts";
import type { Queryable } from "../../database/database.ts";
import { keyRow } from "../../database/one-row.ts";
import { moveSessionEpoch, type SessionTables } from "../../identity/session-epoch.ts";
import {
  SYNC_REALM,
  type AccessGrant,
  type DeviceSession,
  type ListedDevice,
  type SessionRecords,
} from "../store.ts";

export const BROWSER_SESSION_TABLE = "sync_browser_sessions";
/** Access tokens are deleted with their sessions. */
export const SYNC_SESSIONS: SessionTables = {
  realm: SYNC_REALM,
  tables: ["sync_sessions", BROWSER_SESSION_TABLE],
};

const SESSION = columnsOf<DeviceSession>(
  "family",
  "deviceId",
  "counter",
  "refreshHash",
  "createdAt",
  "rotatedAt",
  "lastUsedAt",
  "idleExpiresAt",
  "absoluteExpiresAt",
);
const IS_ALIVE = "s.instance = $instance AND s.idle_expires_at > $1 AND s.absolute_expires_at > $1";

/** `onRevoked` gets the session epoch after a revocation. */
export function createSqlSessions(
  tx: Queryable,
  onRevoked: (epoch: number) => void,
): SessionRecords {
  const end = async (condition: string, values: readonly string[]) => {
    const rows = await tx.query<{ name: string | null }>(
      `DELETE FROM sync_sessions WHERE instance = $instance AND ${condition} RETURNING name`,
      values,
    );
    if (rows.length > 0) onRevoked(await moveSessionEpoch(tx, SYNC_REALM));
    return rows;
  };
  const revoke = async (condition: string, values: readonly string[]): Promise<number> =>
    (await end(condition, values)).length;

  return {
    async open(session, name = null) {
      // One live session per device: a new sign-in replaces the old one.
      const [replaced] = await end("device_id = $1", [session.deviceId]);
      await tx.query(
        `INSERT INTO sync_sessions (instance, ${SESSION.names}, name)
         VALUES ($instance, ${SESSION.placeholders}, $10)`,
        [...SESSION.values(session), replaced?.name ?? name],
      );
    },
    async find(family) {
      const [session] = await tx.query<Pick<DeviceSession, keyof DeviceSession>>(
        `SELECT ${SESSION.select("s")} FROM sync_sessions s
         WHERE s.instance = $instance AND s.family = $1`,
        [family],
      );
      return session ?? null;
    },
    async renew(session) {
      const { family, counter, refreshHash, rotatedAt, lastUsedAt, idleExpiresAt } = session;
      await tx.query(
        `UPDATE sync_sessions SET counter = $2, refresh_hash = $3, rotated_at = $4,
           last_used_at = $5, idle_expires_at = $6 WHERE instance = $instance AND family = $1`,
        [family, counter, refreshHash, rotatedAt, lastUsedAt, idleExpiresAt],
      );
    },
    async addAccess(family, { hash, expiresAt }) {
      await tx.query(
        `INSERT INTO sync_access_tokens (instance, token_hash, family, expires_at)
         VALUES ($instance, $1, $2, $3)`,
        [hash, family, expiresAt],
      );
    },
    revokeFamily: async (family) => (await revoke("family = $1", [family])) > 0,
    revokeDevice: async (deviceId) => (await revoke("device_id = $1", [deviceId])) > 0,
    async revokeAll() {
      const revoked = await revoke("true", []);
      // The password may have changed, so the session epoch moves even without sessions.
      if (revoked === 0) onRevoked(await moveSessionEpoch(tx, SYNC_REALM));
      return revoked;
    },
    list: (now) =>
      tx.query<Pick<ListedDevice, keyof ListedDevice>>(
        `SELECT ${SESSION.select("s")}, s.name FROM sync_sessions s WHERE ${IS_ALIVE}
         ORDER BY s.created_at DESC, s.device_id`,
        [now],
      ),
    async nameDevice(deviceId, name) {
      const rows = await tx.query(
        `UPDATE sync_sessions SET name = $2 WHERE instance = $instance AND device_id = $1
         RETURNING family`,
        [deviceId, name],
      );
      return rows.length > 0;
    },
  };
}

const FIND_ACCESS = `SELECT ${SESSION.select("s")}, a.expires_at AS "accessExpiresAt"
  FROM ${keyRow("sync_access_tokens", "token_hash", "$2")} a
  JOIN sync_sessions s ON s.family = a.family WHERE a.token_hash = $2 AND a.expires_at > $1 AND ${IS_ALIVE}`;

/** Reads outside a transaction, so that a request with a token does not wait for writers. */
export async function findSqlAccess(
  store: Queryable,
  hash: string,
  now: number,
): Promise<AccessGrant | null> {
  const [row] = await store.query<
    Pick<DeviceSession, keyof DeviceSession> & { accessExpiresAt: number }
  >(FIND_ACCESS, [now, hash]);
  if (row === undefined) return null;
  const { accessExpiresAt, ...session } = row;
  return { session, accessExpiresAt };
}

/** Reads outside a transaction, so that a check of streams does not wait for writers. */
export async function listSqlFamilies(store: Queryable, now: number): Promise<string[]> {
  const rows = await store.query<{ family: string }>(
    `SELECT s.family FROM sync_sessions s WHERE ${IS_ALIVE}`,
    [now],
  );
  return rows.map(({ family }) => family);
}

export async function pruneSqlSessions(tx: Queryable, now: number): Promise<void> {
  await tx.query("DELETE FROM sync_access_tokens WHERE instance = $instance AND expires_at <= $1", [
    now,
  ]);
  for (const table of SYNC_SESSIONS.tables) {
    await tx.query(
      `DELETE FROM ${table} WHERE instance = $instance
         AND (idle_expires_at <= $1 OR absolute_expires_at <= $1)`,
      [now],
    );
  }
}

export interface DeviceUse {
  /** How many devices are signed in. */
  readonly devices: number;
  /** When a signed-in device last renewed its session; null without a device. */
  readonly lastUsedAt: number | null;
  readonly hasAccount: boolean;
}

export async function readDeviceUse(store: Queryable, now: number): Promise<DeviceUse> {
  const [row] = await store.query<{
    devices: number;
    last: number | null;
    username: string | null;
  }>(
    `SELECT count(*) AS devices, max(s.last_used_at) AS last,
       (SELECT a.username FROM identity_accounts a WHERE a.instance = $instance AND a.realm = $2
        ORDER BY a.username LIMIT 1) AS username
     FROM sync_sessions s WHERE ${IS_ALIVE}`,
    [now, SYNC_REALM],
  );
  return {
    devices: row?.devices ?? 0,
    lastUsedAt: row?.last ?? null,
    hasAccount: typeof row?.username === "string",
  };
}
