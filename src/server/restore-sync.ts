import { join } from "node:path";
import { openDatabase } from "../database/open-database.ts";
import type { BackupManifest } from "../sync/maintenance/backup-format.ts";
import { openBackup, type OpenBackup } from "../sync/maintenance/open-backup.ts";
import { readStatus, type StoreStatus } from "../sync/maintenance/read-status.ts";
import { replaceContents, type Replacement } from "../sync/maintenance/replace-contents.ts";
import { writeBackup } from "../sync/maintenance/write-backup.ts";
import { openSqlSyncStore } from "../sync/sql/open-sql-store.ts";
import { keepReplaced } from "./keep-replaced.ts";
import { leaseStore } from "./leased-store.ts";
import { HIGH_WATER_FILE } from "./open-sync-store.ts";
import { PRODUCT_VERSION } from "./product-version.ts";

export interface RestoreTarget {
  readonly store: string;
  readonly dataDir: string;
}

export interface RestoreReport extends Replacement {
  readonly manifest: BackupManifest;
  readonly replaced: StoreStatus;
  /** The file with the replaced contents; null when the store was empty. */
  readonly keptAt: string | null;
}

/** Needs the store for itself. `confirm` gets both sides, and throws to stop the restore. */
export async function restoreSync(
  { store, dataDir }: RestoreTarget,
  file: string,
  confirm: (manifest: BackupManifest, present: StoreStatus) => Promise<void>,
): Promise<RestoreReport> {
  const lease = await leaseStore("sync", store, "exclusive");
  try {
    const backup = await openBackup(file);
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
  { manifest, contents }: OpenBackup,
  confirm: (manifest: BackupManifest, present: StoreStatus) => Promise<void>,
): Promise<RestoreReport> {
  const database = await openDatabase(store);
  try {
    const opened = await openSqlSyncStore(database, {
      highWaterPath: join(dataDir, HIGH_WATER_FILE),
    });
    const present = await readStatus(database);
    await confirm(manifest, present);
    const origin = { product: PRODUCT_VERSION, now: Date.now(), instanceKey: null };
    const keptAt =
      present.ledger === 0
        ? null
        : await keepReplaced(database, { owner: "sync", store, dataDir }, (path) =>
            writeBackup(database, path, origin),
          );
    const replacement = await replaceContents(opened, contents);
    opened.highWater.close();
    return { ...replacement, manifest, replaced: present, keptAt };
  } finally {
    await database.close();
  }
}
