/** A backup from the first row to its name: written, proved by reading it back, then put in place. */
import type { Database } from "../../database/database.ts";
import type { BackupManifest } from "./backup-format.ts";
import { verifyBackup } from "./open-backup.ts";
import { placeFile } from "../../database/backup/place-file.ts";
import { writeBackup, type BackupOptions } from "./write-backup.ts";

export function createBackup(
  database: Database,
  path: string,
  options: BackupOptions,
): Promise<BackupManifest> {
  return placeFile(path, async (draft) => {
    await writeBackup(database, draft, options);
    return verifyBackup(draft);
  });
}
