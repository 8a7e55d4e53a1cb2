import type { OwnerBackups } from "../contract/sync/page-views.ts";
import { readLastBackupOf } from "../database/backup/write-backup.ts";

/** What the owner's page shows of the backups of the instance in `dataDir`. */
export async function readOwnerBackups(dataDir: string): Promise<OwnerBackups> {
  const last = await readLastBackupOf(dataDir, "sync");
  return {
    last: last === null ? null : { createdAt: Date.parse(last.createdAt), bytes: null },
    failingSince: null,
  };
}
