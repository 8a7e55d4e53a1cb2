import type { BackupEncryption } from "../format/write-backup.ts";
import type { BackupPlan } from "./backup-plan.ts";

/** How backups are encrypted; null when they are not. `scratchFolder` is private, and where the store is. */
export function encryptionOf(
  settings: Pick<BackupPlan, "encryptTo"> | undefined,
  scratchFolder: string,
): BackupEncryption | null {
  const recipients = settings?.encryptTo;
  return recipients === undefined ? null : { recipients, scratchFolder };
}
