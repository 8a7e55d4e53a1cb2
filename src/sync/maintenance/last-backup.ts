/** The last good backup of the sync service. */
import {
  readLastBackupOf,
  rememberLastBackup,
  type LastBackup as AnyLastBackup,
} from "../../database/backup/write-backup.ts";

export interface LastBackup extends AnyLastBackup {
  readonly generation: string;
  readonly headOffset: number;
}

export function rememberBackup(dataDir: string, backup: LastBackup): Promise<void> {
  return rememberLastBackup(dataDir, "sync", backup);
}

export function readLastBackup(dataDir: string): Promise<LastBackup | null> {
  return readLastBackupOf(dataDir, "sync");
}
