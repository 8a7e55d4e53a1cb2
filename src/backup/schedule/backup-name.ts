/**
 * The names of scheduled backups, such as `sync-1f3a9c20-20260131T000007Z.backup`: the service, the key
 * that authenticates it, and the time; an encrypted one ends with `.backup.age`. Instances that share a
 * place by mistake have different keys, so that none deletes the backups of another.
 */
import type { BackupKey } from "../format/backup-format.ts";
import type { StoreOwner } from "../../database/store-kind.ts";

const KEY_CHARACTERS = 8;

export function backupPrefix(service: StoreOwner, key: BackupKey): string {
  return `${service}-${Buffer.from(key.id, "base64url").toString("hex").slice(0, KEY_CHARACTERS)}-`;
}

export function backupName(prefix: string, createdAt: number, isEncrypted = false): string {
  const stamp = new Date(createdAt).toISOString().replaceAll(/[-:]|\.\d+/g, "");
  return `${prefix}${stamp}.backup${isEncrypted ? ".age" : ""}`;
}

const STAMP = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.backup(?:\.age)?$/;

/** The time in a name; null for every file that is not a scheduled backup of this instance. */
export function parseBackupName(prefix: string, name: string): number | null {
  if (!name.startsWith(prefix)) return null;
  const at = Date.parse(name.slice(prefix.length).replace(STAMP, "$1-$2-$3T$4:$5:$6Z"));
  const isBackup = !Number.isNaN(at) && backupName(prefix, at, name.endsWith(".age")) === name;
  return isBackup ? at : null;
}

/** Whether a file is left of a backup that was broken off: its draft, or its scratch store. */
export function isBackupDraft(prefix: string, name: string): boolean {
  const [, backup] =
    /^(.+\.backup(?:\.age)?)\.[0-9a-f]{12}\.(?:partial(?:\.[0-9a-f]{12}\.scratch)?)$/.exec(name) ??
    [];
  return backup !== undefined && parseBackupName(prefix, backup) !== null;
}
