/** Reads a backup of an events store and checks that it says one thing only. */
import { BackupRefusedError } from "../../database/backup/backup-format.ts";
import {
  openBackup,
  type BackupExaminer,
  type OpenBackup,
} from "../../database/backup/open-backup.ts";
import type { SealedKey } from "../../identity/seal-key.ts";
import { migrateEvents } from "../sql/open-sql-events-store.ts";
import { EVENTS_BACKUP, type EventsManifest, type EventsTableName } from "./backup-format.ts";
import { findFault } from "./check-store.ts";
import { countEvents } from "./read-status.ts";

export type OpenEventsBackup = OpenBackup<EventsManifest>;

/** Throws a BackupRefusedError when the file is not a sound backup. */
export function openEventsBackup(path: string): Promise<OpenEventsBackup> {
  return openBackup(path, EXAMINER);
}

/** The manifest of a sound backup. */
export async function verifyEventsBackup(path: string): Promise<EventsManifest> {
  const backup = await openEventsBackup(path);
  await backup.close();
  return backup.manifest;
}

const EXAMINER: BackupExaminer<EventsTableName, EventsManifest> = {
  format: EVENTS_BACKUP,
  migrate: migrateEvents,
  async examine(contents, { header, trailer, fileBytes }) {
    const fault = await findFault(contents);
    if (fault !== null) throw new BackupRefusedError(`It is not sound: ${fault}`);
    const accounts = await contents.query<{ username: string }>(
      "SELECT username FROM identity_accounts ORDER BY created_at, account_id",
    );
    return {
      createdAt: header.createdAt,
      product: header.product,
      instanceKey: header["instanceKey"] as SealedKey | null,
      counts: trailer.counts,
      sha256: trailer.sha256,
      fileBytes,
      usernames: accounts.map(({ username }) => username),
      events: await countEvents(contents),
    };
  },
};
