import { join } from "node:path";
import { writeBackup } from "../database/backup/write-backup.ts";
import { SYNC_BACKUP, SYNC_EXAMINER, type SyncManifest } from "../sync/maintenance/backup.ts";
import { readSyncStatus, type SyncStatus } from "../sync/maintenance/read-status.ts";
import { restoreSyncContents, type SyncRestoreResult } from "../sync/maintenance/restore.ts";
import { openSqlSyncStore } from "../sync/sql/open-sql-store.ts";
import { HIGH_WATER_FILE } from "./open-sync-store.ts";
import type { RestorableService } from "./restore-store.ts";

export const RESTORABLE_SYNC: RestorableService<SyncManifest, SyncStatus, SyncRestoreResult> = {
  name: "sync",
  examiner: SYNC_EXAMINER,
  async open(database, dataDir) {
    const highWaterPath = join(dataDir, HIGH_WATER_FILE);
    const store = await openSqlSyncStore(database, { highWaterPath });
    const status = await readSyncStatus(database);
    return {
      status,
      isEmpty: status.ledger === 0,
      async restore(contents) {
        const result = await restoreSyncContents(store, contents);
        store.highWater.close();
        return result;
      },
    };
  },
  writeBackup: (database, path, options) => writeBackup(database, path, SYNC_BACKUP, options),
};
