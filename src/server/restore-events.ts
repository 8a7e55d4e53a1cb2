import { createBackup } from "../database/backup/write-backup.ts";
import { EVENTS_EXAMINER, type EventsBackupManifest } from "../events/maintenance/backup.ts";
import { readEventsStatus, type EventsStatus } from "../events/maintenance/read-status.ts";
import { restoreEventsContents, type EventsRestoreResult } from "../events/maintenance/restore.ts";
import { migrateEvents } from "../events/sql/open-sql-events-store.ts";
import type { RestorableService } from "./restore-store.ts";

export const RESTORABLE_EVENTS: RestorableService<
  EventsBackupManifest,
  EventsStatus,
  EventsRestoreResult
> = {
  name: "events",
  examiner: EVENTS_EXAMINER,
  async open(database) {
    await migrateEvents(database);
    const status = await readEventsStatus(database);
    return {
      status,
      isEmpty: status.accounts === 0,
      restore: (contents) => restoreEventsContents(database, contents, Date.now()),
    };
  },
  writeBackup: (database, path, options) => createBackup(database, path, EVENTS_EXAMINER, options),
};
