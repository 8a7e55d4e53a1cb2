import { resolve } from "node:path";
import { rememberLastBackup } from "../../../database/backup/last-backup.ts";
import { PRODUCT_VERSION } from "../../../server/product-version.ts";
import { createSyncBackup, type SyncLastBackup } from "../../../sync/maintenance/backup.ts";
import { SYNC_REALM } from "../../../sync/store.ts";
import { sealInstanceKey } from "../../backup-key.ts";
import { backupToJson } from "../../backup-to-json.ts";
import { defineCommand } from "../../command.ts";
import { explainingFileFailures } from "../../explain-file-failure.ts";
import { BACKUP_KEY_OPTIONS, readNewPassphrase } from "../../key-passphrase.ts";
import { describeBackup } from "./describe-backup.ts";
import { readSyncSettings, withStore } from "./open-store.ts";

export const backupCommand = defineCommand({
  summary: "Back the store up to one file, beside a running server",
  description:
    "The file is proved by reading it back before it gets its name, and can be restored into SQLite and PostgreSQL alike. It holds everything that was synced, unencrypted: keep it as private as the store. The instance key is not in it unless --with-key is given; devices' sessions never are.",
  arguments: { file: { description: "A new file", required: true } },
  options: BACKUP_KEY_OPTIONS,
  examples: ["trellis sync backup /backup/sync-2026-01-31.backup"],
  async run(context) {
    const file = resolve(context.args.file);
    const passphrase = await readNewPassphrase(context);
    const { sync } = await readSyncSettings(context);
    const instanceKey = await sealInstanceKey(sync.instanceKeyFile, passphrase, SYNC_REALM);
    const manifest = await withStore(context, ({ database }, { configuration }) =>
      explainingFileFailures(async () => {
        const options = { product: PRODUCT_VERSION, now: Date.now(), instanceKey };
        const made = await createSyncBackup(database, file, options);
        const { createdAt, generation, headOffset, sha256 } = made;
        const backup: SyncLastBackup = { createdAt, file, generation, headOffset, sha256 };
        await rememberLastBackup(configuration.dataDir, "sync", backup);
        return made;
      }),
    );
    context.print(`Wrote and verified ${file}`);
    for (const line of describeBackup(manifest)) context.print(`  ${line}`);
    context.json({ file, ...backupToJson(manifest) });
  },
});
