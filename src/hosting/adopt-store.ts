/** Makes the one instance of a server the first of many. Its devices stay signed in. */
import { existsSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { isMigrated, listPending } from "../database/migrate.ts";
import { createDirectory, useDirectory } from "../database/named-instance.ts";
import { sqlitePath } from "../database/sqlite-path.ts";
import { writeSealedKey } from "../identity/host-key.ts";
import { placeKeyRing, readKeyRing } from "../identity/instance-key.ts";
import type { InstanceKeyRing } from "../identity/key-ring.ts";
import { backupStateFile } from "../backup/backup-state.ts";
import type { StoreSection } from "../configuration/configuration-schema.ts";
import { leaseStore } from "../database/lease-store.ts";
import { useDatabase } from "../database/open-database.ts";
import { SYNC_STORE } from "../sync/sql/open-store.ts";
import type { Instance } from "../configuration/instance.ts";

export type SingleStore =
  | { readonly kind: "file"; readonly path: string }
  /** Rows of a PostgreSQL database, with the number of a store that has no name. */
  | { readonly kind: "rows" };

export async function findSingleStore(store: string): Promise<SingleStore | null> {
  const path = sqlitePath(store);
  if (path !== undefined) return existsSync(path) ? { kind: "file", path } : null;
  const hasRows = await useDatabase(store, { isSmall: true }, async (database) => {
    if (!(await isMigrated(database, "sync"))) return false;
    const rows = await database.query("select 1 as found from sync_log where instance = $instance");
    return rows.length > 0;
  });
  return hasRows ? { kind: "rows" } : null;
}

/**
 * Moves the store to the instance, last of all its files; rows stay, and get the name. The key is copied,
 * because the events service may use it too.
 */
export async function adoptSingleStore(
  instance: Instance,
  { store, instanceKeyFile, hostKeyFile }: Required<Omit<StoreSection, "backup">>,
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
    if (sqlitePath(store) === undefined) await nameRows(instance.name, store, hostKeyFile, ring);
    else if (ring !== null) placeKeyRing(instance.sync.instanceKeyFile, ring);
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

/** In one transaction, so that the instance is never without its key. */
async function nameRows(
  name: string,
  store: string,
  hostKeyFile: string,
  ring: InstanceKeyRing | null,
): Promise<void> {
  await useDirectory(store, async (directory) => {
    await createDirectory(directory);
    await directory.transaction(async (tx) => {
      await tx.query("insert into trellis_instances (instance, name) values ($instance, $1)", [
        name,
      ]);
      if (ring !== null) await writeSealedKey(tx, hostKeyFile, ring);
    });
  });
}
