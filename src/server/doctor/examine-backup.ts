/** Whether a service that has a store was backed up lately. */
import { existsSync } from "node:fs";
import { readLastBackupOf } from "../../database/backup/write-backup.ts";
import type { StoreOwner } from "../leased-store.ts";
import { ok, warning, type Finding } from "./finding.ts";

const DAY_MS = 86_400_000;
/** A timer that runs daily and has failed for a week. */
const OLD_BACKUP_DAYS = 7;

export async function examineBackup(
  owner: StoreOwner,
  dataDir: string,
  now: number,
): Promise<Finding> {
  const subject = `${owner} backup`;
  const last = await readLastBackupOf(dataDir, owner);
  if (last === null) {
    return warning(
      subject,
      "there was none yet",
      `run \`trellis ${owner} backup FILE\` on a timer`,
    );
  }
  const days = Math.floor((now - Date.parse(last.createdAt)) / DAY_MS);
  if (!existsSync(last.file)) {
    return warning(subject, `the last one, ${last.file}, is not there`, "see that it is kept");
  }
  return days >= OLD_BACKUP_DAYS
    ? warning(subject, `the last one is ${days} days old`, "check the timer that makes them")
    : ok(subject, `${last.file} is ${days === 0 ? "less than a day" : `${days} days`} old`);
}
