/** The rows of an instance in a PostgreSQL database, which all its instances share. */
import { readKeyOf } from "../identity/key-place.ts";
import { addInstance, listNamedInstances } from "../database/named-instance.ts";
import { isMigrated } from "../database/migrate.ts";
import { useDatabase } from "../database/open-database.ts";
import { sqlitePath } from "../database/sqlite-path.ts";
import { ofPart, type TablePart } from "../database/table-columns.ts";
import { isNewInstance, type Instance } from "../configuration/instance.ts";
import { SYNC_TABLES } from "../sync/maintenance/copied-tables.ts";

/** What a copy leaves out, and belongs to an instance all the same. */
const OTHER_TABLES = ["sync_streams", "identity_hits", "identity_write_probes"];

/** In the order in which they can be emptied. */
const INSTANCE_PARTS: readonly TablePart[] = [
  ...OTHER_TABLES.map((name) => ({ name })),
  ...SYNC_TABLES.toReversed(),
];

export const INSTANCE_TABLES: readonly string[] = INSTANCE_PARTS.map(({ name }) => name);

/** Gives an instance of a configuration its number in a PostgreSQL database; commands give it to others. */
export async function prepareInstance({ name }: Instance, store: string): Promise<void> {
  if (sqlitePath(store) === undefined) await addInstance(store, name);
}

/** Those of the instances that were used: each has a key. */
export async function listUsed(
  instances: readonly Instance[],
  store: string,
): Promise<readonly Instance[]> {
  if (sqlitePath(store) !== undefined) {
    return instances.filter((instance) => !isNewInstance(instance, true));
  }
  const used = new Set(
    (await listNamedInstances(store)).filter(({ hasKey }) => hasKey).map(({ name }) => name),
  );
  return instances.filter(({ name }) => used.has(name));
}

/** Whether the instance was used. In a database that is away, it has its turn later. */
export async function isUsed(instance: Instance): Promise<boolean> {
  const { sync } = instance;
  if (sqlitePath(sync.store) !== undefined) return !isNewInstance(instance, true);
  return readKeyOf(sync).then(
    (ring) => ring !== null,
    () => false,
  );
}

/** Removes the rows with a script, which has no statement timeout. */
export async function removeInstanceRows({ sync }: Pick<Instance, "sync">): Promise<void> {
  await useDatabase(sync.store, {}, async (database) => {
    if (!(await isMigrated(database, "sync"))) return;
    // Rows of events, whose server may have the database too, have the number of a store that was adopted.
    const script = INSTANCE_PARTS.map(
      ({ name, where }) => `DELETE FROM ${name} WHERE ${ofPart(where)};`,
    );
    await database.transaction((tx) => tx.script(script.join("\n")));
  });
}
