/** Restores a backup into the store of a configuration, under an exclusive lease. */
import { join } from "node:path";
import type { AgeIdentity } from "./format/age-files.ts";
import type { FindBackupKey } from "./format/authenticate-backup.ts";
import type { BackupKey, BackupManifest } from "./format/backup-format.ts";
import { openBackup } from "./format/open-backup.ts";
import { placeFile } from "../database/place-file.ts";
import { writeBackup } from "./format/write-backup.ts";
import type { Database } from "../database/database.ts";
import { createTables } from "../database/migrate.ts";
import type { OpenDatabase } from "../database/open-database.ts";
import { sqlitePath } from "../database/sqlite-path.ts";
import { useAlone } from "../database/lease-store.ts";
import { expectCurrent } from "../database/prepare-upgrade.ts";
import { productStamp } from "../database/product-stamp.ts";
import type { StoreDescription } from "./store-description.ts";

export interface RestoreTarget {
  readonly store: string;
  readonly dataDir: string;
  /** Authenticates the backup of what is replaced. Called after the confirmation. */
  readKey(): BackupKey | null | Promise<BackupKey | null>;
}

export interface RestoreDecisions<Manifest, Status> {
  readonly findKey: FindBackupKey;
  /** What may open an encrypted backup. */
  readonly identities?: readonly AgeIdentity[];
  /** Throws to refuse the backup, before the store is touched. */
  accept?(manifest: Manifest): void | Promise<void>;
  /** Gets the manifest of the backup, the status of the store and the store, and throws to stop the restore. */
  confirm(manifest: Manifest, present: Status, database: Database): Promise<void>;
}

export type RestoreReport<Manifest, Status, Restored> = Restored & {
  readonly manifest: Manifest;
  readonly replaced: Status;
  /** The file with the replaced contents; null when the store was empty. */
  readonly keptAt: string | null;
};

export async function restoreStore<Manifest extends BackupManifest, Status, Restored>(
  service: StoreDescription<Manifest, Status, Restored>,
  target: RestoreTarget,
  file: string,
  { findKey, identities = [], accept, confirm }: RestoreDecisions<Manifest, Status>,
): Promise<RestoreReport<Manifest, Status, Restored>> {
  // The backup is opened first, so that one which cannot be restored leaves no folder and no lock
  // where no store is.
  const opened = await openBackup(file, service.examiner, findKey, { identities });
  const { manifest, contents, close } = opened;
  try {
    await accept?.(manifest);
    return await useAlone([service.name], target.store, async (database) => {
      await createTables(database, service.schema);
      await expectCurrent(service, database);
      const highWaterPath = join(target.dataDir, service.highWaterFile);
      const prepared = await service.prepareRestore(database, highWaterPath);
      await confirm(manifest, prepared.status, database);
      const keptAt = prepared.isEmpty ? null : await keepReplaced(database, service, target);
      const restored = await prepared.restore(contents);
      return { ...restored, manifest, replaced: prepared.status, keptAt };
    });
  } finally {
    await close();
  }
}

/** A dated copy of a SQLite database, or a backup of a PostgreSQL database. Returns its path. */
async function keepReplaced(
  database: OpenDatabase,
  { name, examiner }: Pick<StoreDescription, "name" | "examiner">,
  { store, dataDir, readKey }: RestoreTarget,
): Promise<string> {
  const stamp = new Date().toISOString().replaceAll(/[-:.]/g, "");
  if (database.dialect === "sqlite") {
    const path = `${sqlitePath(store)}.replaced-${stamp}`;
    await placeFile(path, (draft) => database.backupTo(draft));
    return path;
  }
  const path = join(dataDir, `${name}-replaced-${stamp}.backup`);
  const options = {
    product: productStamp(),
    now: Date.now(),
    instanceKey: null,
    key: await readKey(),
  };
  // The kept contents are not verified: a store that is not sound is a reason to restore a backup.
  await placeFile(path, (draft) => writeBackup(database, draft, examiner.format, options));
  return path;
}
