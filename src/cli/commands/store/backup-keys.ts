/** The keys that authenticate a backup: that of the instance, or the one inside of the backup. */
import type { BackupKey, SealedKey } from "../../../database/backup/backup-format.ts";
import { deriveBackupKey } from "../../../identity/backup-key.ts";
import { readInstanceSecret } from "../../../identity/instance-key.ts";
import { openSealedKey } from "../../../identity/seal-key.ts";
import { CommandError } from "../../command.ts";

/** Null when there is no instance key, which is not created. */
export function readBackupKey(instanceKeyFile: string, realm: string): BackupKey | null {
  const secret = readInstanceSecret(instanceKeyFile);
  return secret === null ? null : deriveBackupKey(secret, realm);
}

/** The instance secret inside of a backup. Fails the command when there is none, or it stays sealed. */
export async function openBackupSecret(
  sealed: SealedKey | null,
  passphrase: string,
  realm: string,
): Promise<Uint8Array> {
  if (sealed === null) {
    throw new CommandError("The backup does not include the instance key: omit --with-key");
  }
  const secret = await openSealedKey(sealed, passphrase, realm);
  if (secret !== null) return secret;
  throw new CommandError(
    "The passphrase does not decrypt the backup's instance key, nothing was changed",
  );
}
