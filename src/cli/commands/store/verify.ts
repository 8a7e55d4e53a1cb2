import { resolve } from "node:path";
import { verifyBackup } from "../../../database/backup/open-backup.ts";
import { defineCommand, type Command } from "../../command.ts";
import { explainFileErrors } from "../../explain-store-errors.ts";
import { describeBackup, manifestToJson, type BackupService } from "./backup-service.ts";

export function defineVerify(service: BackupService): Command {
  return defineCommand({
    description: `Reads the whole file, checks its digest and its counts, and restores it into a temporary store beside the file to check that ${service.descriptions.check}. The configured store is not touched.`,
    arguments: { file: { description: "The backup", required: true } },
    async run(context) {
      const file = resolve(context.args.file);
      const manifest = await explainFileErrors(() => verifyBackup(file, service.examiner));
      context.print(`${file} is a valid backup`, ...describeBackup(service, manifest));
      context.json({ file, ...manifestToJson(manifest) });
    },
  });
}
