/** The rows of an instance in a PostgreSQL database, which all its instances share. */
import { existsSync } from "node:fs";
import { addInstance } from "../database/named-instance.ts";
import { deleteRows } from "../database/instance-parameter.ts";
import { isMigrated } from "../database/migrate.ts";
import { useDatabase } from "../database/open-database.ts";
import { sqlitePath } from "../database/sqlite-path.ts";
import type { Instance } from "../configuration/instance.ts";
import { SYNC_TABLES } from "../sync/maintenance/copied-tables.ts";

/** What a copy leaves out, and belongs to an instance all the same. */
const OTHER_TABLES = ["sync_streams", "identity_hits", "identity_write_probes"];

/** In the order in which they can be emptied. */
export const INSTANCE_TABLES: readonly string[] = [
  ...OTHER_TABLES,
  ...SYNC_TABLES.map(({ name }) => name).toReversed(),
];

/**
 * Gives a new instance its number in a PostgreSQL database. The instance key is made with the store, so an
 * instance that has one has its number too.
 */
export async function prepareInstance({ name, sync }: Instance, store: string): Promise<void> {
  if (sqlitePath(store) !== undefined || existsSync(sync.instanceKeyFile)) return;
  await addInstance(store, name);
}

/** Removes the rows with a script, which has no statement timeout. */
export async function removeInstanceRows({ sync }: Pick<Instance, "sync">): Promise<void> {
  await useDatabase(sync.store, {}, async (database) => {
    if (!(await isMigrated(database, "sync"))) return;
    await database.transaction((tx) => tx.script(deleteRows(INSTANCE_TABLES)));
  });
}
