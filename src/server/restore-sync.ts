import { join } from "node:path";
import type { OpenBackup } from "../database/backup/open-backup.ts";
import { writeBackup } from "../database/backup/write-backup.ts";
import { openDatabase } from "../database/open-database.ts";
import { openSyncBackup, SYNC_BACKUP, type SyncManifest } from "../sync/maintenance/backup.ts";
import { readSyncStatus, type SyncStatus } from "../sync/maintenance/read-status.ts";
import { restoreContents, type SyncRestoreResult } from "../sync/maintenance/restore.ts";
import { openSqlSyncStore } from "../sync/sql/open-sql-store.ts";
import { keepReplaced } from "./keep-replaced.ts";
import { leaseStore } from "./leased-store.ts";
import { HIGH_WATER_FILE } from "./open-sync-store.ts";
import { PRODUCT_VERSION } from "./product-version.ts";

export interface RestoreTarget {
  readonly store: string;
  readonly dataDir: string;
}

export interface RestoreReport extends SyncRestoreResult {
  readonly manifest: SyncManifest;
  readonly replaced: SyncStatus;
  /** The file with the replaced contents; null when the store was empty. */
  readonly keptAt: string | null;
}

/** Needs the store for itself. `confirm` gets both sides, and throws to stop the restore. */
export async function restoreSync(
  { store, dataDir }: RestoreTarget,
  file: string,
  confirm: (manifest: SyncManifest, present: SyncStatus) => Promise<void>,
): Promise<RestoreReport> {
  const lease = await leaseStore("sync", store, "exclusive");
  try {
    const backup = await openSyncBackup(file);
    try {
      return await restoreInto(store, dataDir, backup, confirm);
    } finally {
      await backup.close();
    }
  } finally {
    await lease.release();
  }
}

async function restoreInto(
  store: string,
  dataDir: string,
  { manifest, contents }: OpenBackup<SyncManifest>,
  confirm: (manifest: SyncManifest, present: SyncStatus) => Promise<void>,
): Promise<RestoreReport> {
  const database = await openDatabase(store);
  try {
    const opened = await openSqlSyncStore(database, {
      highWaterPath: join(dataDir, HIGH_WATER_FILE),
    });
    const present = await readSyncStatus(database);
    await confirm(manifest, present);
    const origin = { product: PRODUCT_VERSION, now: Date.now() };
    const keptAt =
      present.ledger === 0
        ? null
        : await keepReplaced(database, { owner: "sync", store, dataDir }, (path) =>
            writeBackup(database, path, SYNC_BACKUP, origin, { instanceKey: null }),
          );
    const result = await restoreContents(opened, contents);
    opened.highWater.close();
    return { ...result, manifest, replaced: present, keptAt };
  } finally {
    await database.close();
  }
}
