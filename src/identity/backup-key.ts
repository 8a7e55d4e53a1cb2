/** The key that authenticates the backups of a service, derived from the instance key. */
import type { BackupKey } from "../database/backup/backup-format.ts";
import { encodeBase64Url } from "../rules/base64url.ts";
import { createInstanceKey, readInstanceSecret } from "./instance-key.ts";

/** Enough to tell keys apart. */
const ID_BYTES = 12;

export function deriveBackupKey(instanceSecret: Uint8Array, realm: string): BackupKey {
  const { derive } = createInstanceKey(instanceSecret);
  return {
    id: encodeBase64Url(derive(`${realm}/backup-key-id`).subarray(0, ID_BYTES)),
    secret: derive(`${realm}/backup-hmac`),
  };
}

/** Null when there is no instance key, which is not created. */
export function readBackupKey(instanceKeyFile: string, realm: string): BackupKey | null {
  const secret = readInstanceSecret(instanceKeyFile);
  return secret === null ? null : deriveBackupKey(secret, realm);
}
