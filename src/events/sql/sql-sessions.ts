/** Signed-in browsers in SQL. */
import type { Queryable } from "../../database/database.ts";
import type { BrowserSession, SessionRecords } from "../store.ts";

export function createSqlSessions(tx: Queryable): SessionRecords {
  return {
    async open({ sessionHash, accountId, createdAt, idleExpiresAt, absoluteExpiresAt }) {
      await tx.query(
        `INSERT INTO events_sessions
           (session_hash, account_id, created_at, idle_expires_at, absolute_expires_at)
         VALUES ($1, $2, $3, $4, $5)`,
        [sessionHash, accountId, createdAt, idleExpiresAt, absoluteExpiresAt],
      );
    },
    async touch(sessionHash, idleExpiresAt) {
      await tx.query("UPDATE events_sessions SET idle_expires_at = $2 WHERE session_hash = $1", [
        sessionHash,
        idleExpiresAt,
      ]);
    },
    async close(sessionHash) {
      await tx.query("DELETE FROM events_sessions WHERE session_hash = $1", [sessionHash]);
    },
    async closeAll(accountId) {
      const rows = await tx.query(
        "DELETE FROM events_sessions WHERE account_id = $1 RETURNING session_hash",
        [accountId],
      );
      return rows.length;
    },
  };
}

export async function findSqlSession(
  store: Queryable,
  sessionHash: string,
  now: number,
): Promise<BrowserSession | null> {
  const [row] = await store.query<{
    account_id: string;
    username: string;
    created_at: number;
    idle_expires_at: number;
    absolute_expires_at: number;
  }>(
    `SELECT s.account_id, a.username, s.created_at, s.idle_expires_at, s.absolute_expires_at
     FROM events_sessions s JOIN identity_accounts a ON a.account_id = s.account_id
     WHERE s.session_hash = $1 AND s.idle_expires_at > $2 AND s.absolute_expires_at > $2`,
    [sessionHash, now],
  );
  if (row === undefined) return null;
  return {
    sessionHash,
    accountId: row.account_id,
    username: row.username,
    createdAt: row.created_at,
    idleExpiresAt: row.idle_expires_at,
    absoluteExpiresAt: row.absolute_expires_at,
  };
}

export async function pruneSqlSessions(tx: Queryable, now: number): Promise<void> {
  await tx.query(
    "DELETE FROM events_sessions WHERE idle_expires_at <= $1 OR absolute_expires_at <= $1",
    [now],
  );
}
