/** A backup that would fill the disk of a store would stop its service: it is not begun. */
import {
  readDatabaseBytes,
  readTableBytes,
  type ReadFreeBytes,
} from "../../database/disk-space.ts";
import type { Database } from "../../database/database.ts";
import type { BackupFormat } from "../format/backup-format.ts";
import { BackupPlaceError } from "./backup-destination.ts";

/**
 * The backup is at most as large as the store. The scratch store that verifies it is as large once more,
 * and twice while its log is written.
 */
const SPACE_FACTOR = 3;

export async function expectDiskSpace(
  database: Database,
  format: BackupFormat,
  folder: string,
  readFree: ReadFreeBytes,
): Promise<void> {
  const storeBytes =
    database.dialect === "sqlite"
      ? await readDatabaseBytes(database)
      : await readTableBytes(
          database,
          format.tables.map(({ name }) => name),
        );
  const neededBytes = storeBytes * SPACE_FACTOR;
  const freeBytes = await readFree(folder);
  if (freeBytes >= neededBytes) return;
  throw new BackupPlaceError(
    `There is too little space on the disk of "${folder}": ${toMebibytes(freeBytes)} MiB are free, and a backup may need ${toMebibytes(neededBytes)} MiB with its verification; free some, or name another folder`,
  );
}

function toMebibytes(bytes: number): number {
  return Math.ceil(bytes / 1024 ** 2);
}
