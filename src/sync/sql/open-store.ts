/** The store of the sync service: how it is opened, and what else the server does with it. */
import { areSessionsBehind, readSqlSessionEpoch } from "../../identity/session-epoch.ts";
import { SYNC_EXAMINER, type SyncManifest } from "../maintenance/backup.ts";
import { SYNC_TABLES } from "../maintenance/copied-tables.ts";
import { countOlderTokens, readLastIssue } from "../maintenance/key-holders.ts";
import { readSyncStatus, type SyncStoreStatus } from "../maintenance/read-status.ts";
import { restoreSyncContents, type SyncRestoreResult } from "../maintenance/restore.ts";
import { openHighWaterFile } from "./high-water.ts";
import { readHead } from "./log-head.ts";
import {
  openSqlSyncStore,
  readSqlSyncStore,
  SYNC_SCHEMA,
  type SqlStoreOptions,
  type SqlSyncStore,
} from "./open-sql-store.ts";
import { isRolledBack } from "./prepare-log.ts";
import { SYNC_REALM } from "../store.ts";
import { withMark, type StoreDescription } from "../../backup/store-description.ts";
import { openStore, type OpenOptions } from "../../database/open-store.ts";
import type { StoreAccess, StoreKind } from "../../database/store-kind.ts";

export const SYNC_STORE: StoreDescription<SyncManifest, SyncStoreStatus, SyncRestoreResult> &
  StoreKind<SqlSyncStore, Pick<SqlStoreOptions, "onAppendGroup" | "profile">> = {
  name: SYNC_REALM,
  schema: SYNC_SCHEMA,
  highWaterFile: "sync.highwater",
  open: (database, { access, ...options }) =>
    (access === "read" ? readSqlSyncStore : openSqlSyncStore)(database, options),
  isBehind: (database, path) =>
    withMark(
      openHighWaterFile(path),
      async (file) =>
        (await isRolledBack(database, file.read())) ||
        areSessionsBehind(database, SYNC_REALM, file.readSessionEpoch()),
    ),
  writeMark: (database, path) =>
    withMark(openHighWaterFile(path), async (file) => {
      file.write(await readHead(database));
      file.writeSessionEpoch(await readSqlSessionEpoch(database, SYNC_REALM));
    }),
  tables: SYNC_TABLES,
  contents: ["identity_accounts", "sync_entities", "sync_ledger", "sync_sessions"],
  readLastIssue,
  countHolders: countOlderTokens,
  examiner: SYNC_EXAMINER,
  async prepareRestore(database, highWaterPath) {
    const store = await openSqlSyncStore(database, { highWaterPath });
    const status = await readSyncStatus(database);
    return {
      status,
      isEmpty: status.ledger === 0,
      restore: (contents) => withMark(store.highWater, () => restoreSyncContents(store, contents)),
    };
  },
};

/**
 * Opens a store of sync on SQLite or PostgreSQL. It makes a store that does not exist, and upgrades an older
 * one.
 * @param store - `sqlite:PATH`, or a `postgres://` address
 * @param dataDir - the folder of the high-water mark, by which a store that was rolled back is noticed
 * @param access - `create` makes a store that does not exist; `existing` refuses it
 * @param options - how a store is upgraded, and who learns of it
 * @returns the store, for `createSyncService`
 */
export function openSyncStore(
  store: string,
  dataDir: string,
  access: StoreAccess = "create",
  options: OpenOptions = {},
): Promise<SqlSyncStore> {
  return openStore({ ...options, kind: SYNC_STORE, store, dataDir, access });
}
