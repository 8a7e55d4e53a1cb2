import { resolve } from "node:path";
import { rememberLastBackup } from "../../../database/backup/write-backup.ts";
import { createEventsBackup } from "../../../events/maintenance/create-backup.ts";
import { EVENTS_REALM } from "../../../events/realm.ts";
import { PRODUCT_VERSION } from "../../../server/product-version.ts";
import { sealInstanceKey } from "../../backup-key.ts";
import { backupToJson } from "../../backup-to-json.ts";
import { defineCommand } from "../../command.ts";
import { explainingFileFailures } from "../../explain-file-failure.ts";
import { BACKUP_KEY_OPTIONS, readNewPassphrase } from "../../key-passphrase.ts";
import { describeBackup } from "./describe-backup.ts";
import { withEventsAdministration } from "./open-store.ts";

export const backupCommand = defineCommand({
  summary: "Back the store up to one file, beside a running server",
  description:
    "The file is proved by reading it back before it gets its name, and can be restored into SQLite and PostgreSQL alike. It holds everybody's events, unencrypted: keep it as private as the store. The instance key is not in it unless --with-key is given; signed-in browsers never are.",
  arguments: { file: { description: "A new file", required: true } },
  options: BACKUP_KEY_OPTIONS,
  examples: ["trellis events backup /backup/events-2026-01-31.backup"],
  async run(context) {
    const file = resolve(context.args.file);
    const passphrase = await readNewPassphrase(context);
    const manifest = await withEventsAdministration(
      context,
      async ({ store, events, configuration }) => {
        const instanceKey = await sealInstanceKey(events.instanceKeyFile, passphrase, EVENTS_REALM);
        return explainingFileFailures(async () => {
          const options = { product: PRODUCT_VERSION, now: Date.now(), instanceKey };
          const made = await createEventsBackup(store.database, file, options);
          const { createdAt, sha256 } = made;
          await rememberLastBackup(configuration.dataDir, "events", { createdAt, file, sha256 });
          return made;
        });
      },
    );
    context.print(`Wrote and verified ${file}`);
    for (const line of describeBackup(manifest)) context.print(`  ${line}`);
    context.json({ file, ...backupToJson(manifest) });
  },
});
