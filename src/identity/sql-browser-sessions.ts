/** Browser sessions in a table of each service, which all have the same columns. */
import { columnsOf } from "../database/columns.ts";
import type { Queryable } from "../database/database.ts";
import { keyRow } from "../database/one-row.ts";
import { readOfAccount } from "./identity-tables.ts";
import type { BrowserSession, BrowserSessionRecords } from "./browser-sessions.ts";

export type BrowserSessionTable = "events_sessions" | "sync_browser_sessions";

const SESSION = columnsOf<Omit<BrowserSession, "username">>(
  "sessionHash",
  "accountId",
  "createdAt",
  "idleExpiresAt",
  "absoluteExpiresAt",
  "browser",
  "system",
);
const IS_LIVE = "s.instance = $instance AND s.idle_expires_at > $2 AND s.absolute_expires_at > $2";

/** `onRevoked` is called when a session was ended. */
export function createSqlBrowserSessions(
  tx: Queryable,
  table: BrowserSessionTable,
  onRevoked: () => Promise<void>,
): BrowserSessionRecords {
  const end = async (column: "session_hash" | "account_id", value: string): Promise<number> => {
    const rows = await tx.query(
      `DELETE FROM ${table} WHERE instance = $instance AND ${column} = $1 RETURNING session_hash`,
      [value],
    );
    if (rows.length > 0) await onRevoked();
    return rows.length;
  };
  return {
    isLive: async (sessionHash, now) =>
      (await findSqlBrowserSession(tx, table, sessionHash, now)) !== null,
    async open(session) {
      await tx.query(
        `INSERT INTO ${table} (instance, ${SESSION.names})
         VALUES ($instance, ${SESSION.placeholders})`,
        SESSION.values(session),
      );
    },
    async touch(sessionHash, idleExpiresAt) {
      await tx.query(
        `UPDATE ${table} SET idle_expires_at = $2 WHERE instance = $instance AND session_hash = $1`,
        [sessionHash, idleExpiresAt],
      );
    },
    close: async (sessionHash) => (await end("session_hash", sessionHash)) > 0,
    list: (accountId, now) =>
      tx.query(
        // By the account, whatever a planner believes about the times of others.
        `WITH s AS MATERIALIZED (SELECT * FROM ${table} WHERE account_id = $1)
         SELECT ${SESSION.select("s")} FROM s WHERE ${IS_LIVE}
         ORDER BY s.created_at DESC, s.session_hash`,
        [accountId, now],
      ),
    closeAll: (accountId) => end("account_id", accountId),
  };
}

/** A session that is live at `now`. Pages look outside a transaction, so that they wait for no writer. */
export async function findSqlBrowserSession(
  store: Queryable,
  table: BrowserSessionTable,
  sessionHash: string,
  now: number,
): Promise<BrowserSession | null> {
  const [session] = await store.query<Pick<BrowserSession, keyof BrowserSession>>(
    `SELECT ${SESSION.select("s")},
       ${readOfAccount("username", "s.account_id")} AS username
     FROM ${keyRow(table, "session_hash", "$1")} s
     WHERE s.session_hash = $1 AND ${IS_LIVE}`,
    [sessionHash, now],
  );
  return session ?? null;
}
