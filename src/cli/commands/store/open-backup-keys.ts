import type { SealedKey } from "../../../contract/sealed-key.ts";
import { openSealedKey } from "../../../identity/seal-key.ts";
import { parseKeyRing, type InstanceKeyRing } from "../../../identity/key-ring.ts";
import { CommandError, type PromptContext } from "../../command.ts";
import { askSecret, readSecret } from "../../secret-input.ts";

export function readBackupPassphrase(context: PromptContext): Promise<string> {
  return readSecret(context, "passphrase", () =>
    askSecret(context, "Passphrase of the instance key"),
  );
}

/** The keys inside of a backup. Fails the command when there are none, or they stay sealed. */
export async function openBackupKeys(
  sealed: SealedKey | null,
  passphrase: string,
  realm: string,
): Promise<InstanceKeyRing> {
  if (sealed === null) {
    throw new CommandError("The backup does not include the instance key: omit --with-key");
  }
  const opened = await openSealedKey(sealed, passphrase, realm);
  const ring = opened === null ? null : parseKeyRing(opened);
  if (ring !== null) return ring;
  throw new CommandError(
    "The passphrase does not decrypt the backup's instance key, nothing was changed",
  );
}
