/** A backup from the first row to its name: written, proved by reading it back, then put in place. */
import { placeFile } from "../../database/backup/place-file.ts";
import { writeBackup, type BackupOrigin } from "../../database/backup/write-backup.ts";
import type { Database } from "../../database/database.ts";
import type { SealedKey } from "../../identity/seal-key.ts";
import { EVENTS_BACKUP, type EventsManifest } from "./backup-format.ts";
import { verifyEventsBackup } from "./open-backup.ts";

export interface EventsBackupOptions extends BackupOrigin {
  readonly instanceKey: SealedKey | null;
}

/** Beside whoever writes to the store. `path` must not exist. */
export function createEventsBackup(
  database: Database,
  path: string,
  { instanceKey, ...origin }: EventsBackupOptions,
): Promise<EventsManifest> {
  return placeFile(path, async (draft) => {
    await writeBackup(database, draft, EVENTS_BACKUP, origin, { instanceKey });
    return verifyEventsBackup(draft);
  });
}
