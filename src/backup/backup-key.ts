/** The keys that authenticate the backups of a service, derived from those of the instance. */
import type { BackupHeader, BackupKey } from "./format/backup-format.ts";
import { encodeBase64Url } from "../rules/base64url.ts";
import type { Bytes } from "../rules/web-crypto.ts";
import { readKeyRing } from "../identity/instance-key.ts";
import { createDerivation, type InstanceKeyRing } from "../identity/key-ring.ts";

/** The number of bytes that tells keys apart. */
const ID_BYTES = 12;

function deriveBackupKey(secret: Bytes, realm: string): BackupKey {
  const derive = createDerivation(secret);
  return {
    id: encodeBase64Url(derive(`${realm}/backup-key-id`).subarray(0, ID_BYTES)),
    secret: derive(`${realm}/backup-hmac`),
  };
}

/** The first one is in force; the others wrote backups before a rotation. */
export function listBackupKeys(
  { secret, retired }: InstanceKeyRing,
  realm: string,
): [BackupKey, ...BackupKey[]] {
  return [
    deriveBackupKey(secret, realm),
    ...retired.map((old) => deriveBackupKey(old.secret, realm)),
  ];
}

/** Chooses the key that wrote the backup, or else the key in force. */
export function chooseBackupKey(
  ring: InstanceKeyRing | null,
  realm: string,
  { authentication }: Pick<BackupHeader, "authentication">,
): BackupKey | null {
  if (ring === null) return null;
  const keys = listBackupKeys(ring, realm);
  return keys.find(({ id }) => id === authentication?.keyId) ?? keys[0];
}

/** The one in force; null when there is no instance key. */
export function backupKeyOf(ring: InstanceKeyRing | null, realm: string): BackupKey | null {
  return ring === null ? null : listBackupKeys(ring, realm)[0];
}

/** That of the key in a file, which is not created. */
export function readBackupKey(instanceKeyFile: string, realm: string): BackupKey | null {
  return backupKeyOf(readKeyRing(instanceKeyFile), realm);
}
