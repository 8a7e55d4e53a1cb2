/** Writes a backup of a sync store, beside whoever writes to it. */
import { writeBackup as writeBackupFile } from "../../database/backup/write-backup.ts";
import type { BackupOrigin } from "../../database/backup/write-backup.ts";
import type { Database } from "../../database/database.ts";
import type { SealedKey } from "../../identity/seal-key.ts";
import { SYNC_BACKUP } from "./backup-format.ts";

export interface BackupOptions extends BackupOrigin {
  readonly instanceKey: SealedKey | null;
}

/** `path` must not exist; the file is on the disk when this settles, and still to be verified. */
export function writeBackup(
  database: Database,
  path: string,
  { instanceKey, ...origin }: BackupOptions,
): Promise<void> {
  return writeBackupFile(database, path, SYNC_BACKUP, origin, { instanceKey });
}
