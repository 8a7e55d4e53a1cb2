/** The instance key inside of a backup. */
import type { SealedKey } from "../../../database/backup/backup-format.ts";
import { openSealedKey } from "../../../identity/seal-key.ts";
import { CommandError } from "../../command.ts";

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
