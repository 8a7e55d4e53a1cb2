import { resolve } from "node:path";
import type { SealedKey } from "../../../database/backup/backup-format.ts";
import { placeInstanceSecret, readInstanceSecret } from "../../../identity/instance-key.ts";
import { openSealedKey } from "../../../identity/seal-key.ts";
import { restoreStore } from "../../../server/restore-store.ts";
import { CommandError, defineCommand, flag, type Command } from "../../command.ts";
import { explainFileErrors, explainStoreErrors } from "../../explain-store-errors.ts";
import { confirmOrFail, YES_OPTION } from "../../prompts.ts";
import { readSection } from "../../read-section.ts";
import { askSecret, PASSPHRASE_OPTION, readSecret } from "../../secret-input.ts";
import type { BackupService } from "./backup-service.ts";

export function defineRestore(service: BackupService): Command {
  const { name, realm, descriptions } = service;
  return defineCommand({
    description: `Refuses to run while a server uses the store, and refuses an invalid backup before anything is changed. The replaced contents are kept in a file. ${descriptions.restore}`,
    arguments: { file: { description: "The backup", required: true } },
    options: {
      "with-key": flag("Also restore the instance key from the backup, if there is none yet"),
      ...PASSPHRASE_OPTION,
      ...YES_OPTION,
    },
    examples: [`trellis ${name} restore /backup/${name}-2026-01-31.backup`],
    async run(context) {
      const { "with-key": withKey, "passphrase-stdin": fromStdin, yes } = context.options;
      const file = resolve(context.args.file);
      const { configuration, section } = await readSection(context, name);
      const { store, instanceKeyFile } = section;
      const passphrase = withKey
        ? await readSecret(context, fromStdin, "passphrase", () =>
            askSecret("Passphrase of the instance key"),
          )
        : null;
      const target = { store, dataDir: configuration.dataDir };
      const restore = () =>
        restoreStore(service, target, file, async (manifest, present) => {
          const key =
            passphrase === null
              ? null
              : await openBackupKey(manifest.instanceKey, passphrase, realm, instanceKeyFile);
          await confirmOrFail(context, yes, service.describeConsequence(manifest, present));
          if (key !== null) placeInstanceSecret(instanceKeyFile, key);
        });
      const report = await explainStoreErrors(() => explainFileErrors(restore));
      const { lines, json } = await service.summarizeRestore(context, report);
      context.print(...lines);
      context.json(json);
    },
  });
}

async function openBackupKey(
  sealed: SealedKey | null,
  passphrase: string,
  realm: string,
  path: string,
): Promise<Uint8Array> {
  if (sealed === null) {
    throw new CommandError("The backup does not include the instance key: omit --with-key");
  }
  const key = await openSealedKey(sealed, passphrase, realm);
  if (key === null) {
    throw new CommandError(
      "The passphrase does not decrypt the backup's instance key, nothing was changed",
    );
  }
  // Another service may use the key that exists.
  const existing = readInstanceSecret(path);
  if (existing === null || Buffer.from(existing).equals(key)) return key;
  throw new CommandError(
    `There is another instance key at "${path}", nothing was changed: move it away, or omit --with-key and set new passwords afterwards`,
  );
}
