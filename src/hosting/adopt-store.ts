/** Makes the one instance of a server the first of many. Its devices stay signed in. */
import { existsSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { isMigrated, listPending } from "../database/migrate.ts";
import { sqlitePath } from "../database/sqlite-path.ts";
import { placeKeyRing, readKeyRing } from "../identity/instance-key.ts";
import { backupStateFile } from "../backup/backup-state.ts";
import type { StoreSection } from "../configuration/configuration-schema.ts";
import { leaseStore } from "../database/lease-store.ts";
import { useDatabase } from "../database/open-database.ts";
import { SYNC_STORE } from "../sync/sql/open-store.ts";
import type { Instance } from "../configuration/instance.ts";

export type SingleStore =
  | { readonly kind: "file"; readonly path: string }
  /** The tables in the schema that `sync.store` names, which cannot be moved to another schema. */
  | { readonly kind: "tables" };

export async function findSingleStore(store: string): Promise<SingleStore | null> {
  const path = sqlitePath(store);
  if (path !== undefined) return existsSync(path) ? { kind: "file", path } : null;
  const hasTables = await useDatabase(store, { isSmall: true }, (database) =>
    isMigrated(database, "sync"),
  );
  return hasTables ? { kind: "tables" } : null;
}

/**
 * Moves the store to the instance, last of all its files. The key is copied, because the events
 * service may use it too.
 */
export async function adoptSingleStore(
  instance: Instance,
  { store, instanceKeyFile }: Pick<StoreSection, "store" | "instanceKeyFile">,
  dataDir: string,
): Promise<void> {
  const lease = await leaseStore("sync", store, "exclusive");
  try {
    // A store of a later version fails here, because this server could not serve it. The last
    // connection writes the write-ahead log into the file when it is closed, so that one file is
    // all there is.
    await useDatabase(store, {}, (database) => listPending(database, SYNC_STORE.schema));
    await mkdir(instance.dataDir, { recursive: true, mode: 0o700 });
    const ring = readKeyRing(instanceKeyFile);
    if (ring !== null) placeKeyRing(instance.sync.instanceKeyFile, ring);
    const { highWaterFile } = SYNC_STORE;
    for (const [from, to] of [
      [join(dataDir, highWaterFile), join(instance.dataDir, highWaterFile)],
      [backupStateFile(dataDir, "sync"), backupStateFile(instance.dataDir, "sync")],
      [sqlitePath(store) ?? "", sqlitePath(instance.sync.store) ?? ""],
    ] as const) {
      if (existsSync(from)) await rename(from, to);
    }
  } finally {
    await lease.release();
  }
}
