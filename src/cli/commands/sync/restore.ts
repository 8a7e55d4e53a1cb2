import { resolve } from "node:path";
import { restoreSync, type RestoreReport } from "../../../server/restore-sync.ts";
import { SYNC_REALM } from "../../../sync/store.ts";
import { agreeToRestore, RESTORE_OPTIONS } from "../../agree-to-restore.ts";
import { backupToJson } from "../../backup-to-json.ts";
import { defineCommand } from "../../command.ts";
import { countOf } from "../../count-of.ts";
import { explainingStoreFailures } from "../../explain-store-failure.ts";
import { explainingFileFailures } from "../../explain-file-failure.ts";
import { readPassphrase } from "../../key-passphrase.ts";
import { readSyncSettings, withAdministration } from "./open-store.ts";

export const restoreCommand = defineCommand({
  summary: "Put a backup in the place of the store's contents",
  description:
    "Refuses while a server runs, and refuses a backup that is not sound before anything is touched. What was there is kept. A new generation begins: every device pulls again and sends again what the backup lacks, so nothing that a device still has is lost. The store's own account and signed-in devices stay; where there is no account, the backup's is taken.",
  arguments: { file: { description: "The backup", required: true } },
  options: RESTORE_OPTIONS,
  examples: ["trellis sync restore /backup/sync-2026-01-31.backup"],
  async run(context) {
    const file = resolve(context.args.file);
    const { sync, configuration } = await readSyncSettings(context);
    const { instanceKeyFile: keyPath } = sync;
    const passphrase = await readPassphrase(context);
    const report = await explainingStoreFailures(() =>
      explainingFileFailures(() =>
        restoreSync(
          { store: sync.store, dataDir: configuration.dataDir },
          file,
          (manifest, present) =>
            agreeToRestore(
              context,
              { sealed: manifest.instanceKey, passphrase, realm: SYNC_REALM, path: keyPath },
              `This replaces ${countOf(present.entities.live, "entity", "entities")} by ${manifest.entities.live.toLocaleString("en-US")} from ${manifest.createdAt}`,
            ),
        ),
      ),
    );
    const isPasswordUsable =
      report.account === "none" ||
      (await withAdministration(context, (administration) => administration.hasUsablePassword()));
    for (const line of describe(report, isPasswordUsable)) context.print(line);
    context.json(toJson(report, isPasswordUsable));
  },
});

function describe(report: RestoreReport, isPasswordUsable: boolean): string[] {
  const { manifest, replaced, keptAt, head, account } = report;
  const next = (() => {
    if (account === "none") return ["There is no account: run `trellis sync account create`"];
    if (!isPasswordUsable) {
      return [
        "The account's password was sealed under another instance key: set a new one with `trellis sync account password`",
      ];
    }
    return account === "kept" ? ["The account and its devices are as before"] : [];
  })();
  return [
    `Replaced ${countOf(replaced.entities.live, "entity", "entities")} by ${manifest.entities.live.toLocaleString("en-US")} from ${manifest.createdAt}`,
    ...(keptAt === null ? [] : [`What was there before is at ${keptAt}`]),
    `Generation ${head.generation} began: devices pull again and send what is missing`,
    ...next,
  ];
}

function toJson(report: RestoreReport, isPasswordUsable: boolean) {
  const { manifest, replaced, keptAt, head, account } = report;
  return {
    backup: backupToJson(manifest),
    replaced: { entities: replaced.entities, headOffset: replaced.headOffset },
    keptAt,
    generation: head.generation,
    headOffset: head.headOffset,
    account,
    isPasswordUsable,
  };
}
