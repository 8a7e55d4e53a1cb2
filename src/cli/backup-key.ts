/** The instance key on its way into a backup and out of it. */
import { placeInstanceSecret, readInstanceSecret } from "../identity/instance-key.ts";
import { openSealedKey, sealKey, type SealedKey } from "../identity/seal-key.ts";
import { CommandError } from "./command.ts";

/** `realm` is that of the service whose backup carries it; without a passphrase it carries none. */
export async function sealInstanceKey(
  path: string,
  passphrase: string | null,
  realm: string,
): Promise<SealedKey | null> {
  if (passphrase === null) return null;
  const secret = readInstanceSecret(path);
  if (secret === null) {
    throw new CommandError(`There is no instance key at "${path}": leave --with-key out`);
  }
  return sealKey(secret, passphrase, realm);
}

/** The backup's key, which is not at odds with the one at `path`. */
export async function openBackupKey(
  instanceKey: SealedKey | null,
  passphrase: string,
  realm: string,
  path: string,
): Promise<Uint8Array> {
  if (instanceKey === null) {
    throw new CommandError("The backup has no instance key in it: leave --with-key out");
  }
  const key = await openSealedKey(instanceKey, passphrase, realm);
  if (key === null) {
    throw new CommandError("The passphrase does not open the backup's key, nothing was changed");
  }
  expectNoOtherKey(path, key);
  return key;
}

export function placeBackupKey(path: string, key: Uint8Array): void {
  placeInstanceSecret(path, key);
}

/** Another service may live by the key that is there. */
function expectNoOtherKey(path: string, key: Uint8Array): void {
  const present = readInstanceSecret(path);
  if (present === null || Buffer.from(present).equals(key)) return;
  throw new CommandError(
    `There is another instance key at "${path}", nothing was changed: move it away, or leave --with-key out and set new passwords afterwards`,
  );
}
