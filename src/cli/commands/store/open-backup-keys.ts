/** What opens a backup: the passphrase of its instance key, and the identities of age. */
import { readFile, stat } from "node:fs/promises";
import { isAgeIdentity } from "../../../backup/format/age-files.ts";
import type { SealedKey } from "../../../contract/sealed-key.ts";
import { openSealedKey } from "../../../identity/seal-key.ts";
import { parseKeyRing, type InstanceKeyRing } from "../../../identity/key-ring.ts";
import { CommandError, option, type CommandContext, type PromptContext } from "../../command.ts";
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

export const IDENTITY_OPTION = {
  identity: option(
    "FILE",
    "The age identity that opens an encrypted backup, as age-keygen made it",
  ),
} as const;

/** Reads the secret keys in the file of `--identity`; none without it. Their text is in no message. */
export async function readIdentities(
  { warn }: Pick<CommandContext, "warn">,
  file: string | undefined,
): Promise<readonly string[]> {
  if (file === undefined) return [];
  const lines = (await readText(file)).split(/\r?\n/).map((line) => line.trim());
  const identities = lines.filter((line) => line !== "" && !line.startsWith("#"));
  for (const identity of identities) {
    if (await isAgeIdentity(identity)) continue;
    if (identity.startsWith("age1")) {
      throw new CommandError(
        `"${file}" has a public key (age1…), which only encrypts: name the file with the identity (AGE-SECRET-KEY-1…) that belongs to it`,
      );
    }
    throw new CommandError(
      `"${file}" has a line that is not an identity (AGE-SECRET-KEY-1…) which can be read here. If it is encrypted, or of a plugin, let age decrypt the backup: age -d -i "${file}" BACKUP | trellis … -`,
    );
  }
  if (identities.length === 0) throw new CommandError(`There is no identity in "${file}"`);
  await warnOfReaders(warn, file);
  return identities;
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandError(`Cannot read the identity file "${file}" (${code})`);
  }
}

async function warnOfReaders(warn: CommandContext["warn"], file: string): Promise<void> {
  const { mode } = await stat(file);
  if (process.platform === "win32" || (mode & 0o077) === 0) return;
  warn(`Other users of this machine can read the identity file: run chmod 600 "${file}"`);
}
