/** The key that authenticates the backups of a service, derived from the instance key. */
import type { BackupKey } from "../database/backup/backup-format.ts";
import { encodeBase64Url } from "../rules/base64url.ts";
import { createInstanceKey } from "./instance-key.ts";

/** Enough to tell keys apart. */
const ID_BYTES = 12;

export function deriveBackupKey(instanceSecret: Uint8Array, realm: string): BackupKey {
  const { derive } = createInstanceKey(instanceSecret);
  return {
    id: encodeBase64Url(derive(`${realm}/backup-key-id`).subarray(0, ID_BYTES)),
    secret: derive(`${realm}/backup-hmac`),
  };
}
