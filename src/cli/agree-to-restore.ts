/** Before a restore: all that refuses does so first, then somebody says yes, then the key is placed. */
import type { SealedKey } from "../identity/seal-key.ts";
import { openBackupKey, placeBackupKey } from "./backup-key.ts";
import type { CommandContext } from "./command.ts";
import { confirmOrStop, YES_OPTION } from "./confirm.ts";
import { RESTORE_KEY_OPTIONS } from "./key-passphrase.ts";

export const RESTORE_OPTIONS = { ...RESTORE_KEY_OPTIONS, ...YES_OPTION };

export interface RestoredKey {
  /** Null where the backup has none. */
  readonly sealed: SealedKey | null;
  /** Null where the key is not asked for. */
  readonly passphrase: string | null;
  readonly realm: string;
  readonly path: string;
}

interface RestoreContext extends Pick<CommandContext, "isInteractive"> {
  readonly options: { readonly yes: boolean };
}

export async function agreeToRestore(
  context: RestoreContext,
  { sealed, passphrase, realm, path }: RestoredKey,
  consequence: string,
): Promise<void> {
  const key = passphrase === null ? null : await openBackupKey(sealed, passphrase, realm, path);
  await confirmOrStop(context, context.options.yes, consequence);
  if (key !== null) placeBackupKey(path, key);
}
