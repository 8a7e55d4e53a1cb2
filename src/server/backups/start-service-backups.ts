import type { LineWriter } from "../../http/line-writer.ts";
import { describeNotice } from "../notices.ts";
import { startBackupSchedule } from "./backup-schedule.ts";
import type { BackupJob, BackupSettings } from "./make-backup.ts";
import { runBackupInThread } from "./run-in-thread.ts";

/** Returns how the backups are ended, which comes before the store is closed. */
export function startServiceBackups(
  settings: BackupSettings | undefined,
  job: Omit<BackupJob, "settings" | "now">,
  log: LineWriter,
): () => Promise<void> {
  if (settings === undefined) return async () => {};
  const schedule = startBackupSchedule({
    job: { ...job, settings },
    make: runBackupInThread,
    onNotice: (notice) => log.event(...describeNotice(job.service, notice)),
  });
  return schedule.close;
}
