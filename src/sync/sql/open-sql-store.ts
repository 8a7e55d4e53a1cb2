/** The sync store on the database port, for SQLite and PostgreSQL. */
import type { Database } from "../../database/database.ts";
import { migrate } from "../../database/migrate.ts";
import { randomBytes } from "../../rules/web-crypto.ts";
import {
  countSqlPutBack,
  createSqlIdentityRecords,
  probeSqlWrite,
  pruneSqlIdentity,
} from "../../identity/sql-identity-records.ts";
import { areSessionsBehind, prepareSessions } from "../../identity/session-epoch.ts";
import {
  createSqlRateLimitCounters,
  pruneSqlRateLimitCounters,
} from "../../identity/sql-rate-limits.ts";
import { SYNC_REALM, type LogHead, type SyncStore } from "../store.ts";
import { openHighWaterFile, type HighWaterFile } from "./high-water.ts";
import { isPutBack, prepareLog } from "./prepare-log.ts";
import { createSqlLogRecords } from "./sql-log-records.ts";
import { createSqlOperations } from "./sql-operations.ts";
import {
  createSqlSessions,
  findSqlAccess,
  pruneSqlSessions,
  SYNC_SESSIONS,
} from "./sql-sessions.ts";

export interface SqlStoreOptions {
  /** The file that detects a database which was put back. */
  readonly highWaterPath: string;
}

export interface SqlSyncStore extends SyncStore {
  /** Whether the database is behind its high-water mark. */
  readonly wasPutBack: boolean;
  /** Whether it had sessions again that were revoked, so that every device was revoked. */
  readonly sessionsWereRevoked: boolean;
  /** For maintenance, which works on the tables. */
  readonly database: Database;
  readonly highWater: HighWaterFile;
}

/** Closing the store closes the database. */
export async function openSqlSyncStore(
  database: Database,
  options: SqlStoreOptions,
): Promise<SqlSyncStore> {
  await migrateSync(database);
  const highWater = openHighWaterFile(options.highWaterPath);
  const { head, wasPutBack } = await prepareLog(database, highWater.read(), randomBytes);
  highWater.write(head);
  const sessions = await prepareSessions(database, SYNC_SESSIONS, highWater.readSessionEpoch());
  highWater.writeSessionEpoch(sessions.epoch);
  if (wasPutBack || sessions.wereRevoked) await countSqlPutBack(database, SYNC_REALM);
  return createSqlSyncStore(database, highWater, {
    wasPutBack,
    sessionsWereRevoked: sessions.wereRevoked,
  });
}

/**
 * For readers: no generation begins, no session is revoked and the high-water file is not written; the
 * store only says what will happen.
 */
export async function readSqlSyncStore(
  database: Database,
  options: SqlStoreOptions,
): Promise<SqlSyncStore> {
  await migrateSync(database);
  const highWater = openHighWaterFile(options.highWaterPath);
  return createSqlSyncStore(database, highWater, {
    wasPutBack: await isPutBack(database, highWater.read()),
    sessionsWereRevoked: await areSessionsBehind(
      database,
      SYNC_REALM,
      highWater.readSessionEpoch(),
    ),
  });
}

function createSqlSyncStore(
  database: Database,
  highWater: HighWaterFile,
  findings: Pick<SqlSyncStore, "wasPutBack" | "sessionsWereRevoked">,
): SqlSyncStore {
  return {
    ...findings,
    database,
    highWater,
    async transaction(work) {
      let epoch: number | null = null;
      let head: LogHead | null = null;
      const result = await database.transaction((tx) => {
        [epoch, head] = [null, null];
        return work({
          identity: createSqlIdentityRecords(tx, SYNC_REALM),
          sessions: createSqlSessions(tx, (moved) => {
            epoch = moved;
          }),
          log: createSqlLogRecords(tx, (begun) => {
            head = begun;
          }),
          rateLimitCounters: createSqlRateLimitCounters(tx),
        });
      });
      if (epoch !== null) highWater.writeSessionEpoch(epoch);
      if (head !== null) highWater.write(head);
      return result;
    },
    findAccess: (hash, now) => findSqlAccess(database, hash, now),
    operations: createSqlOperations(database, (moved) => highWater.write(moved)),
    ping: async () => void (await database.query("SELECT 1 AS alive")),
    probeWrite: (now) => probeSqlWrite(database, SYNC_REALM, now),
    prune: (now) =>
      database.transaction(async (tx) => {
        await pruneSqlSessions(tx, now);
        await pruneSqlIdentity(tx, now);
        await pruneSqlRateLimitCounters(tx, now);
      }),
    async close() {
      await database.close();
      highWater.close();
    },
  };
}

export async function migrateSync(database: Database): Promise<void> {
  await migrate(database, "identity", new URL("../../identity/migrations/", import.meta.url));
  await migrate(database, "sync", new URL("../migrations/", import.meta.url));
}
