/** Restores the backup of yesterday, as `trellis sync restore` does, while the service is stopped. */
import { readBackupKey } from "../../src/backup/backup-key.ts";
import type { ControlResults } from "../../src/web/demo/call-demo.ts";
import type { SyncConfiguration } from "../../src/configuration/configuration-schema.ts";
import { restoreStore } from "../../src/backup/restore-store.ts";
import { SYNC_STORE } from "../../src/sync/sql/open-store.ts";

/** No other process may use the store. Returns how many entities were live before, and are now. */
export async function restoreYesterday(
  configuration: SyncConfiguration,
  dataDir: string,
  backupPath: string,
): Promise<ControlResults["restore"]> {
  const { store, instanceKeyFile } = configuration;
  const readKey = () => readBackupKey(instanceKeyFile, SYNC_STORE.name);
  const target = { store, dataDir, readKey };
  const { manifest, replaced } = await restoreStore(SYNC_STORE, target, backupPath, {
    findKey: async () => readKey(),
    accept({ authenticity }) {
      if (authenticity.kind !== "authentic") throw new Error("The demo's backup was changed");
    },
    confirm: async () => {},
  });
  return { replaced: replaced.entities.live, restored: manifest.entities.live };
}
