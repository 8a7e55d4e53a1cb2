import type { StoreSection } from "../../configuration/configuration-schema.ts";
import type { StoreOwner } from "../../database/store-kind.ts";
import { createBackupSchedule, type BackupNotice } from "../../backup/schedule/backup-schedule.ts";
import { listHeld } from "../../backup/schedule/make-backup.ts";
import { runBackupInThread } from "./run-in-thread.ts";
import { BACKUP_TOOLS } from "./backup-tools.ts";

/** A minute late is early enough, and a clock that was set is noticed. */
const CHECK_MS = 30_000;

/** Returns how the backups are ended, which comes before the store is closed. */
export function startServiceBackups(
  service: StoreOwner,
  { store, instanceKeyFile, backup: settings }: StoreSection,
  dataDir: string,
  onNotice: (notice: BackupNotice) => void,
): () => Promise<void> {
  if (settings === undefined) return async () => {};
  const schedule = createBackupSchedule({
    job: { service, store, dataDir, instanceKeyFile, settings },
    make: runBackupInThread,
    look: (job) => listHeld(job, BACKUP_TOOLS),
    onNotice,
  });
  const timer = setInterval(() => void schedule.check(), CHECK_MS).unref();
  // A time that was missed while the service was off is made up.
  void schedule.check();
  return async () => {
    clearInterval(timer);
    await schedule.close();
  };
}
