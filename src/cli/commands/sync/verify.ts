import { resolve } from "node:path";
import { verifySyncBackup } from "../../../sync/maintenance/backup.ts";
import { backupToJson } from "../../backup-to-json.ts";
import { defineCommand } from "../../command.ts";
import { explainingFileFailures } from "../../explain-file-failure.ts";
import { describeBackup } from "./describe-backup.ts";

export const verifyCommand = defineCommand({
  summary: "Check a backup from the first byte to the last",
  description:
    "Reads everything, checks digest and counts, and restores it into a scratch store beside the file to see that every state is what its operations add up to. Touches no store of yours.",
  arguments: { file: { description: "The backup", required: true } },
  async run(context) {
    const file = resolve(context.args.file);
    const manifest = await explainingFileFailures(() => verifySyncBackup(file));
    context.print(`${file} is sound`);
    for (const line of describeBackup(manifest)) context.print(`  ${line}`);
    context.json({ file, ...backupToJson(manifest) });
  },
});
