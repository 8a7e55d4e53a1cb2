/** Restores a backup into the store of a configuration, under an exclusive lease. */
import { join } from "node:path";
import type { FindBackupKey } from "../database/backup/authenticate-backup.ts";
import type { BackupKey } from "../database/backup/backup-format.ts";
import { openBackup, type BackupExaminer } from "../database/backup/open-backup.ts";
import type { BackupOptions } from "../database/backup/write-backup.ts";
import type { Database } from "../database/database.ts";
import { openDatabase } from "../database/open-database.ts";
import { sqlitePath } from "../database/sqlite-path.ts";
import { leaseStore, SCHEMAS, type StoreOwner } from "./leased-store.ts";
import { prepareUpgrade } from "./prepare-upgrade.ts";
import { PRODUCT_VERSION } from "./product-version.ts";

/** What a restore needs to know about a service. `Status` describes the contents of a store. */
export interface RestorableService<Manifest, Status, Result> {
  readonly name: StoreOwner;
  readonly examiner: BackupExaminer<string, Manifest>;
  /** Migrates the store, too. */
  open(
    database: Database,
    dataDir: string,
  ): Promise<{
    readonly status: Status;
    readonly isEmpty: boolean;
    restore(contents: Database): Promise<Result>;
  }>;
  writeBackup(database: Database, path: string, options: BackupOptions): Promise<unknown>;
}

export interface RestoreTarget {
  readonly store: string;
  readonly dataDir: string;
  /** Authenticates the backup of what is replaced. Called after the confirmation. */
  readKey(): BackupKey | null;
}

export interface RestoreDecisions<Manifest, Status> {
  readonly findKey: FindBackupKey;
  /** Throws to refuse the backup, before the store is touched. */
  accept?(manifest: Manifest): void;
  /** Gets both sides, and throws to stop the restore. */
  confirm(manifest: Manifest, present: Status): Promise<void>;
}

export type RestoreReport<Manifest, Status, Result> = Result & {
  readonly manifest: Manifest;
  readonly replaced: Status;
  /** The file with the replaced contents; null when the store was empty. */
  readonly keptAt: string | null;
};

export async function restoreStore<Manifest, Status, Result>(
  service: RestorableService<Manifest, Status, Result>,
  target: RestoreTarget,
  file: string,
  { findKey, accept, confirm }: RestoreDecisions<Manifest, Status>,
): Promise<RestoreReport<Manifest, Status, Result>> {
  // First, so that a backup which cannot be restored leaves no folder and no lock where no store is.
  const backup = await openBackup(file, service.examiner, findKey);
  try {
    accept?.(backup.manifest);
    const lease = await leaseStore(service.name, target.store, "exclusive");
    try {
      return await restoreInto(backup.manifest, backup.contents);
    } finally {
      await lease.release();
    }
  } finally {
    await backup.close();
  }

  async function restoreInto(manifest: Manifest, contents: Database) {
    const database = await openDatabase(target.store);
    try {
      const { name } = service;
      const upgraded = { service: name, store: target.store, schema: SCHEMAS[name] };
      await prepareUpgrade(upgraded, database);
      const { status, isEmpty, restore } = await service.open(database, target.dataDir);
      await confirm(manifest, status);
      const keptAt = isEmpty ? null : await keepReplaced(database, service, target);
      return { ...(await restore(contents)), manifest, replaced: status, keptAt };
    } finally {
      await database.close();
    }
  }
}

/** A dated copy of a SQLite database, or a backup of a PostgreSQL database. Returns its path. */
async function keepReplaced(
  database: Awaited<ReturnType<typeof openDatabase>>,
  service: Pick<RestorableService<unknown, unknown, unknown>, "name" | "writeBackup">,
  { store, dataDir, readKey }: RestoreTarget,
): Promise<string> {
  const stamp = new Date().toISOString().replaceAll(/[-:.]/g, "");
  if (database.dialect === "sqlite") {
    const path = `${sqlitePath(store)}.replaced-${stamp}`;
    await database.backupTo(path);
    return path;
  }
  const path = join(dataDir, `${service.name}-replaced-${stamp}.backup`);
  const options = { product: PRODUCT_VERSION, now: Date.now(), instanceKey: null, key: readKey() };
  await service.writeBackup(database, path, options);
  return path;
}
