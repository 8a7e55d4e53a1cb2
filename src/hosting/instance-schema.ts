/** The schemas of instances on PostgreSQL. */
import { existsSync } from "node:fs";
import { sqlitePath } from "../database/sqlite-path.ts";
import { useDatabase } from "../database/open-database.ts";
import { schemaOf, type Instance } from "../configuration/instance.ts";

/**
 * Creates the schema of a new instance on PostgreSQL. The instance key is made with the store, so an
 * instance that has one has its schema too.
 */
export async function prepareInstance({ name, sync }: Instance, store: string): Promise<void> {
  if (sqlitePath(store) !== undefined || existsSync(sync.instanceKeyFile)) return;
  await createSchema(store, name);
}

/** `store` is the store of the server, without a schema. */
export function createSchema(store: string, name: string): Promise<void> {
  return changeSchema(store, `CREATE SCHEMA IF NOT EXISTS "${schemaOf(name)}"`);
}

/** `store` is the store of the server, without a schema. */
export function changeSchema(store: string, sql: string): Promise<void> {
  return useDatabase(store, { isSmall: true }, (database) =>
    database.transaction((tx) => tx.script(sql)),
  );
}
