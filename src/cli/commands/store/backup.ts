import { resolve } from "node:path";
import type { SealedKey } from "../../../contract/sealed-key.ts";
import { createBackup } from "../../../backup/format/write-backup.ts";
import { backupKeyOf } from "../../../backup/backup-key.ts";
import { readBoundKey } from "../../../identity/bind-instance-key.ts";
import { keyPlaceOf, nameMissingKey, readKey } from "../../../identity/key-place.ts";
import { encodeKeyRing, type InstanceKeyRing } from "../../../identity/key-ring.ts";
import { sealKey } from "../../../identity/seal-key.ts";
import {
  changeBackupState,
  createBackupRecord,
  STANDARD_OUTPUT,
} from "../../../backup/backup-state.ts";
import { encryptionOf } from "../../../backup/schedule/backup-encryption.ts";
import { productStamp } from "../../../database/product-stamp.ts";
import { CommandError, defineCommand, flag, type Command } from "../../command.ts";
import { explainFileErrors } from "../../explain-store-errors.ts";
import { readSection } from "../../read-section.ts";
import { PASSPHRASE_OPTION, readNewSecret } from "../../secret-input.ts";
import { describeBackup, manifestToJson, type ManagedService } from "./managed-service.ts";
import { PIPE, sendBackup } from "./pipe-backup.ts";

export function defineBackup(service: ManagedService): Command {
  const { name, descriptions } = service;
  return defineCommand({
    description: `The file is verified by reading it back before it gets its name, is authenticated with the instance key, and can be restored into SQLite or PostgreSQL. ${descriptions.contents} It is encrypted when \`${name}.backup.encryptTo\` names public keys. The instance key is included only with --with-key; ${descriptions.excluded}`,
    arguments: {
      file: { description: "A file that does not exist yet, or - for a pipe", required: true },
    },
    options: {
      "with-key": flag("Include the instance key, encrypted with a passphrase"),
      ...PASSPHRASE_OPTION,
    },
    examples: [
      `trellis ${name} backup /backup/${name}-2026-01-31.backup`,
      `trellis ${name} backup - | ssh elsewhere 'cat > ${name}.backup'`,
    ],
    async run(context) {
      const isPipe = context.args.file === PIPE;
      const place = isPipe ? STANDARD_OUTPUT : resolve(context.args.file);
      const passphrase = context.options["with-key"]
        ? await readNewSecret(context, "passphrase", "Passphrase for the instance key")
        : null;
      const { section } = await readSection(context, name);
      const manifest = await service.withDatabase(context, async (database, dataDir) => {
        // Without its key the backup could never be authenticated.
        const keyPlace = keyPlaceOf(section);
        await readBoundKey(database, { realm: name, place: keyPlace });
        const ring = await readKey(keyPlace, database);
        if (ring === null && passphrase !== null) {
          throw new CommandError(`${nameMissingKey(keyPlace)}: omit --with-key`);
        }
        const instanceKey = await sealInstanceKey(ring, passphrase, name);
        const key = backupKeyOf(ring, name);
        // The scratch store lies where the store does: it is not encrypted.
        const encryption = encryptionOf(section.backup, dataDir);
        const options = { product: productStamp(), now: Date.now(), instanceKey, key };
        const create = (path: string) =>
          createBackup(database, path, service.examiner, options, encryption);
        return explainFileErrors(async () => {
          const created = await (isPipe ? sendBackup(context, create) : create(place));
          const { format } = service.examiner;
          const last = createBackupRecord(created, format, place, Date.now());
          await changeBackupState(dataDir, name, { last });
          return created;
        });
      });
      const lines = [`Wrote and verified ${place}`, ...describeBackup(service, manifest)];
      if (isPipe) {
        const report = JSON.stringify({ file: place, ...manifestToJson(manifest) }, null, 2);
        context.warn(...(context.isJson ? report.split("\n") : lines));
        return;
      }
      context.print(...lines);
      context.json({ file: place, ...manifestToJson(manifest) });
    },
  });
}

async function sealInstanceKey(
  ring: InstanceKeyRing | null,
  passphrase: string | null,
  realm: string,
): Promise<SealedKey | null> {
  return ring === null || passphrase === null
    ? null
    : sealKey(encodeKeyRing(ring), passphrase, realm);
}
