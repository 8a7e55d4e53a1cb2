import { join } from "node:path";
import { createBackup } from "../database/backup/write-backup.ts";
import { EVENTS_EXAMINER, type EventsBackupManifest } from "../events/maintenance/backup.ts";
import { readEventsStatus, type EventsStatus } from "../events/maintenance/read-status.ts";
import { restoreEventsContents, type EventsRestoreResult } from "../events/maintenance/restore.ts";
import { openSqlEventsStore } from "../events/sql/open-sql-events-store.ts";
import { EVENTS_HIGH_WATER_FILE } from "./open-events-store.ts";
import type { RestorableService } from "./restore-store.ts";

export const RESTORABLE_EVENTS: RestorableService<
  EventsBackupManifest,
  EventsStatus,
  EventsRestoreResult
> = {
  name: "events",
  examiner: EVENTS_EXAMINER,
  async open(database, dataDir) {
    const highWaterPath = join(dataDir, EVENTS_HIGH_WATER_FILE);
    const store = await openSqlEventsStore(database, { highWaterPath });
    const status = await readEventsStatus(database);
    return {
      status,
      isEmpty: status.accounts === 0,
      async restore(contents) {
        const result = await restoreEventsContents(store, contents, Date.now());
        store.highWater.close();
        return result;
      },
    };
  },
  writeBackup: (database, path, options) => createBackup(database, path, EVENTS_EXAMINER, options),
};
