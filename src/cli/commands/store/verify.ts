import { resolve } from "node:path";
import type { FindBackupKey } from "../../../database/backup/authenticate-backup.ts";
import { verifyBackup } from "../../../database/backup/open-backup.ts";
import { chooseBackupKey } from "../../../identity/backup-key.ts";
import { readKeyRing } from "../../../identity/instance-key.ts";
import { defineCommand, flag, type Command } from "../../command.ts";
import { explainFileErrors } from "../../explain-store-errors.ts";
import { PASSPHRASE_OPTION } from "../../secret-input.ts";
import { openBackupKeys, readBackupPassphrase } from "./open-backup-keys.ts";
import { describeBackup, manifestToJson, type ManagedService } from "./managed-service.ts";
import { expectOneInput, PIPE, receiveBackup, STANDARD_INPUT } from "./pipe-backup.ts";

export function defineVerify(service: ManagedService): Command {
  const { name, descriptions } = service;
  return defineCommand({
    description: `Reads the whole file, checks its digest and its counts, and restores it into a temporary store beside the file to check that ${descriptions.check}. Its authenticity is checked with the instance key, or with the key in the backup. The configured store is not touched.`,
    arguments: { file: { description: "The backup, or - for a pipe", required: true } },
    options: {
      "with-key": flag("Check the authenticity with the instance key in the backup"),
      ...PASSPHRASE_OPTION,
    },
    async run(context) {
      expectOneInput(context.args.file, context.options["passphrase-stdin"]);
      const isPipe = context.args.file === PIPE;
      const file = isPipe ? STANDARD_INPUT : resolve(context.args.file);
      const passphrase = context.options["with-key"] ? await readBackupPassphrase(context) : null;
      const findKey: FindBackupKey = async (header) => {
        if (passphrase !== null) {
          const ring = await openBackupKeys(header.instanceKey, passphrase, name);
          return chooseBackupKey(ring, name, header);
        }
        // A backup can be verified where no service is configured.
        const section = (await context.configuration())[name];
        return section === undefined
          ? null
          : chooseBackupKey(readKeyRing(section.instanceKeyFile), name, header);
      };
      const verify = (path: string) => verifyBackup(path, service.examiner, findKey);
      const manifest = await explainFileErrors(() =>
        isPipe ? receiveBackup(context, verify) : verify(file),
      );
      const isAuthentic = manifest.authenticity.kind === "authentic";
      context.print(
        `${file} is ${isAuthentic ? "complete and authentic" : "complete, authenticity not checked"}`,
        ...describeBackup(service, manifest),
      );
      context.json({ file, ...manifestToJson(manifest) });
    },
  });
}
