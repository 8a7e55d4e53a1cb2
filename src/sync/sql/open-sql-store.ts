/** The sync store on the database port, for SQLite and PostgreSQL. */
import type { SyncProfile } from "../../contract/sync/operation-limits.ts";
import type { Database } from "../../database/database.ts";
import { eraseFreePages } from "../../database/disk-space.ts";
import { migrate, type Scope } from "../../database/migrate.ts";
import type { RollbackFindings, StoreOpening } from "../../database/store-kind.ts";
import {
  createSqlIdentityRecords,
  hasSqlAccount,
  probeSqlWrite,
  pruneSqlIdentity,
} from "../../identity/sql-identity-records.ts";
import { areSessionsBehind, moveSessionEpoch } from "../../identity/session-epoch.ts";
import {
  createSqlBrowserSessions,
  findSqlBrowserSession,
} from "../../identity/sql-browser-sessions.ts";
import { createSqlRateLimitCounters } from "../../identity/sql-rate-limits.ts";
import { SYNC_REALM, type SyncStore } from "../store.ts";
import { findProfileError } from "./check-profile.ts";
import {
  type HighWaterFile,
  openHighWaterFile,
  prepareStore,
  type RollbackWatch,
  watchForRollback,
} from "./high-water.ts";
import { CHANGES_CHANNEL, type StoredHead } from "./log-head.ts";
import { createSqlLogRecords, isRolledBack } from "./prepare-log.ts";
import { listDays } from "./sql-days.ts";
import { createSqlKeys } from "./sql-keys.ts";
import { createSqlOperations } from "./sql-operations.ts";
import { readStoredBytes } from "./stored-bytes.ts";
import {
  BROWSER_SESSION_TABLE,
  createSqlSessions,
  findSqlAccess,
  listSqlFamilies,
  pruneSqlSessions,
} from "./sql-sessions.ts";
import { createSqlStreams, pruneSqlStreams } from "./sql-streams.ts";

export interface SqlStoreOptions extends StoreOpening {
  /** The profile of the service; a store whose entities are of another kind is refused. */
  readonly profile?: SyncProfile;
  /** Called after each transaction that appended, with how many pushes shared it. */
  readonly onAppendGroup?: ((pushes: number) => void) | undefined;
}

export interface SqlSyncStore extends SyncStore, RollbackFindings {
  /** The database, for maintenance that works on the tables. */
  readonly database: Database;
  readonly highWater: HighWaterFile;
}

/** The tables must be those of this version. Closing the store closes the database. */
export async function openSqlSyncStore(
  database: Database,
  options: SqlStoreOptions,
): Promise<SqlSyncStore> {
  const { profile } = options;
  const error = profile === undefined ? null : await findProfileError(database, profile);
  if (error !== null) throw error;
  const highWater = openHighWaterFile(options.highWaterPath);
  highWater.create();
  const findings = await prepareStore(database, highWater);
  const watch = watchForRollback(database, highWater, options.onRollback);
  return createSqlSyncStore(database, highWater, findings, watch, options.onAppendGroup);
}

/**
 * Opens a store for readers: no generation begins, no session is revoked and the high-water file is
 * not written; the store only says what will happen.
 */
export async function readSqlSyncStore(
  database: Database,
  options: SqlStoreOptions,
): Promise<SqlSyncStore> {
  const highWater = openHighWaterFile(options.highWaterPath);
  const findings: RollbackFindings = {
    wasRolledBack: await isRolledBack(database, highWater.read()),
    sessionsWereRevoked: await areSessionsBehind(
      database,
      SYNC_REALM,
      highWater.readSessionEpoch(),
    ),
  };
  return createSqlSyncStore(database, highWater, findings, NO_WATCH);
}

/** The watch of a store that only reads. */
const NO_WATCH: RollbackWatch = {
  onHead() {},
  onSessionEpoch() {},
  async check() {},
  close() {},
};

function createSqlSyncStore(
  database: Database,
  highWater: HighWaterFile,
  findings: RollbackFindings,
  watch: RollbackWatch,
  onAppendGroup?: (pushes: number) => void,
): SqlSyncStore {
  const identityReads = createSqlIdentityRecords(database, SYNC_REALM);
  return {
    ...findings,
    database,
    highWater,
    async transaction(work, options) {
      let epoch: number | null = null;
      let head: StoredHead | null = null;
      let wasCleared = false;
      const result = await database.transaction(async (tx) => {
        [epoch, head, wasCleared] = [null, null, false];
        const done = await work({
          identity: createSqlIdentityRecords(tx, SYNC_REALM),
          sessions: createSqlSessions(tx, (moved) => {
            epoch = moved;
          }),
          browserSessions: createSqlBrowserSessions(tx, BROWSER_SESSION_TABLE, async () => {
            epoch = await moveSessionEpoch(tx, SYNC_REALM);
          }),
          log: createSqlLogRecords(tx, (begun, isCleared) => {
            [head, wasCleared] = [begun, isCleared];
          }),
          rateLimitCounters: createSqlRateLimitCounters(tx),
          streams: createSqlStreams(tx),
        });
        if (epoch !== null || head !== null) tx.notify(CHANGES_CHANNEL);
        return done;
      }, options);
      if (epoch !== null) watch.onSessionEpoch(epoch);
      if (head !== null) highWater.write(head);
      // What was deleted is deleted, also when its pages cannot be given back now.
      if (wasCleared) await eraseFreePages(database).catch(() => {});
      return result;
    },
    findAccess: (hash, now) => findSqlAccess(database, hash, now),
    findBrowserSession: (hash, now) =>
      findSqlBrowserSession(database, BROWSER_SESSION_TABLE, hash, now),
    findKnownBrowsers: identityReads.findKnownBrowsers,
    readFailures: identityReads.readFailures,
    hasAccount: () => hasSqlAccount(database, SYNC_REALM),
    readUsage: async (from) => ({
      bytes: await readStoredBytes(database),
      days: await listDays(database, from),
    }),
    listFamilies: (now) => listSqlFamilies(database, now),
    watch: (onChange) => database.watch(CHANGES_CHANNEL, onChange),
    operations: createSqlOperations(database, (moved) => watch.onHead(moved), onAppendGroup),
    keys: createSqlKeys(database),
    ping: async () => void (await database.query("SELECT 1 AS alive")),
    probeWrite: (now) => probeSqlWrite(database, SYNC_REALM, now),
    async prune(now) {
      await watch.check();
      await database.transaction(async (tx) => {
        await pruneSqlSessions(tx, now);
        await pruneSqlStreams(tx, now);
        await pruneSqlIdentity(tx, now);
      });
    },
    async close() {
      watch.close();
      await database.close();
      highWater.close();
    },
  };
}

export const SYNC_SCHEMA: readonly Scope[] = [
  { name: "identity", folder: new URL("../../identity/migrations/", import.meta.url) },
  { name: "sync", folder: new URL("../migrations/", import.meta.url) },
];

export async function migrateSync(database: Database): Promise<void> {
  await migrate(database, SYNC_SCHEMA);
}
