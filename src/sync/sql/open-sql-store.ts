/** The sync store on the database port, for SQLite and PostgreSQL. */
import type { Database } from "../../database/database.ts";
import { migrate } from "../../database/migrate.ts";
import { randomBytes } from "../../rules/web-crypto.ts";
import {
  createSqlIdentityRecords,
  probeSqlWrite,
  pruneSqlIdentity,
} from "../../identity/sql-identity-records.ts";
import {
  createSqlRateLimitCounters,
  pruneSqlRateLimitCounters,
} from "../../identity/sql-rate-limits.ts";
import { SYNC_REALM, type SyncStore } from "../store.ts";
import { openHighWaterFile, type HighWaterFile } from "./high-water.ts";
import { isRestored, prepareLog } from "./prepare-log.ts";
import { areSessionsBehind, prepareSessions } from "./session-epoch.ts";
import { createSqlOperations } from "./sql-operations.ts";
import {
  createSqlSessions,
  findSqlAccess,
  listSqlFamilies,
  pruneSqlSessions,
} from "./sql-sessions.ts";
import { createSqlStreams, pruneSqlStreams } from "./sql-streams.ts";

export interface SqlStoreOptions {
  /** The file that detects a database which was replaced by an older copy. */
  readonly highWaterPath: string;
}

export interface SqlSyncStore extends SyncStore {
  /** Whether the database is older than its high-water mark. */
  readonly wasRestored: boolean;
  /** Whether it had sessions again that were revoked, so that every device was revoked. */
  readonly sessionsWereRevoked: boolean;
  /** For maintenance, which works on the tables. */
  readonly database: Database;
  readonly highWater: HighWaterFile;
}

/** What the triggers of PostgreSQL notify. */
const CHANGES_CHANNEL = "trellis_sync_changes";

/** Closing the store closes the database. */
export async function openSqlSyncStore(
  database: Database,
  options: SqlStoreOptions,
): Promise<SqlSyncStore> {
  await migrateSync(database);
  const highWater = openHighWaterFile(options.highWaterPath);
  const { head, wasRestored } = await prepareLog(database, highWater.read(), randomBytes);
  highWater.write(head);
  const sessions = await prepareSessions(database, highWater.readSessionEpoch());
  highWater.writeSessionEpoch(sessions.epoch);
  if (wasRestored || sessions.wereRevoked) await countRestore(database);
  return createSqlSyncStore(database, highWater, {
    wasRestored,
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
    wasRestored: await isRestored(database, highWater.read()),
    sessionsWereRevoked: await areSessionsBehind(database, highWater.readSessionEpoch()),
  });
}

function createSqlSyncStore(
  database: Database,
  highWater: HighWaterFile,
  findings: Pick<SqlSyncStore, "wasRestored" | "sessionsWereRevoked">,
): SqlSyncStore {
  return {
    ...findings,
    database,
    highWater,
    async transaction(work) {
      let epoch: number | null = null;
      const result = await database.transaction((tx) => {
        epoch = null;
        return work({
          identity: createSqlIdentityRecords(tx, SYNC_REALM),
          sessions: createSqlSessions(tx, (moved) => {
            epoch = moved;
          }),
          rateLimitCounters: createSqlRateLimitCounters(tx),
          streams: createSqlStreams(tx),
        });
      });
      if (epoch !== null) highWater.writeSessionEpoch(epoch);
      return result;
    },
    findAccess: (hash, now) => findSqlAccess(database, hash, now),
    listFamilies: (now) => listSqlFamilies(database, now),
    watch: (onChange) => database.watch(CHANGES_CHANNEL, onChange),
    operations: createSqlOperations(database, (moved) => highWater.write(moved)),
    ping: async () => void (await database.query("SELECT 1 AS alive")),
    probeWrite: (now) => probeSqlWrite(database, SYNC_REALM, now),
    prune: (now) =>
      database.transaction(async (tx) => {
        await pruneSqlSessions(tx, now);
        await pruneSqlStreams(tx, now);
        await pruneSqlIdentity(tx, now);
        await pruneSqlRateLimitCounters(tx, now);
      }),
    async close() {
      await database.close();
      highWater.close();
    },
  };
}

/** Here, because whatever opens the store first is the one that notices. */
async function countRestore(database: Database): Promise<void> {
  await database.transaction((tx) =>
    createSqlIdentityRecords(tx, SYNC_REALM).countSecurityEvent("store-restored", Date.now()),
  );
}

export async function migrateSync(database: Database): Promise<void> {
  await migrate(database, "identity", new URL("../../identity/migrations/", import.meta.url));
  await migrate(database, "sync", new URL("../migrations/", import.meta.url));
}
