import type { Queryable } from "../../database/database.ts";
import type { BrowserSession, Profile, ProfileRecords, PageSessionRecords } from "../store.ts";
import { columnsOf, toRecords } from "./columns.ts";

type SessionRow = Omit<BrowserSession, "username">;

const PROFILE = columnsOf<Profile>("accountId", "timeZone", "language");
const SESSION = columnsOf<SessionRow>(
  "sessionHash",
  "accountId",
  "createdAt",
  "idleExpiresAt",
  "absoluteExpiresAt",
);

export function createSqlProfiles(tx: Queryable): ProfileRecords {
  return {
    async put(profile) {
      await tx.query(
        `INSERT INTO events_profiles (${PROFILE.names}) VALUES (${PROFILE.placeholders})
         ON CONFLICT (account_id) DO UPDATE SET time_zone = excluded.time_zone,
           language = excluded.language`,
        PROFILE.values(profile),
      );
    },
    async find(accountId) {
      const rows = await tx.query<Pick<Profile, keyof Profile>>(
        `SELECT ${PROFILE.select("p")} FROM events_profiles p WHERE p.account_id = $1`,
        [accountId],
      );
      return toRecords(rows)[0] ?? null;
    },
  };
}

/** `onRevoked` is called when a session was ended. */
export function createSqlSessions(
  tx: Queryable,
  onRevoked: () => Promise<void>,
): PageSessionRecords {
  return {
    async open(session) {
      await tx.query(
        `INSERT INTO events_sessions (${SESSION.names}) VALUES (${SESSION.placeholders})`,
        SESSION.values(session),
      );
    },
    async touch(sessionHash, idleExpiresAt) {
      await tx.query("UPDATE events_sessions SET idle_expires_at = $2 WHERE session_hash = $1", [
        sessionHash,
        idleExpiresAt,
      ]);
    },
    async close(sessionHash) {
      const rows = await tx.query(
        "DELETE FROM events_sessions WHERE session_hash = $1 RETURNING session_hash",
        [sessionHash],
      );
      if (rows.length > 0) await onRevoked();
    },
    async closeAll(accountId) {
      const rows = await tx.query(
        "DELETE FROM events_sessions WHERE account_id = $1 RETURNING session_hash",
        [accountId],
      );
      if (rows.length > 0) await onRevoked();
      return rows.length;
    },
  };
}

export async function findSqlSession(
  store: Queryable,
  sessionHash: string,
  now: number,
): Promise<BrowserSession | null> {
  const rows = await store.query<Pick<BrowserSession, keyof BrowserSession>>(
    `SELECT ${SESSION.select("s")}, a.username
     FROM events_sessions s JOIN identity_accounts a ON a.account_id = s.account_id
     WHERE s.session_hash = $1 AND s.idle_expires_at > $2 AND s.absolute_expires_at > $2`,
    [sessionHash, now],
  );
  return toRecords(rows)[0] ?? null;
}
