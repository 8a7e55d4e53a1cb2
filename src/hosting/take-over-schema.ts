/**
 * Builds before 0.3.0 gave each instance on PostgreSQL a schema of its own. Its rows move to the tables that all
 * instances have in common, and the schema goes, in one transaction.
 */
import { StoreInUseError } from "../database/lease-store.ts";
import { createTables } from "../database/migrate.ts";
import { addInstance } from "../database/named-instance.ts";
import { useDatabase, type OpenDatabase } from "../database/open-database.ts";
import type { Transaction } from "../database/database.ts";
import { sqlitePath } from "../database/sqlite-path.ts";
import type { Instance } from "../configuration/instance.ts";
import { SYNC_STORE } from "../sync/sql/open-store.ts";
import { INSTANCE_TABLES } from "./instance-rows.ts";

/** Names have no underscore, so two names never made one schema. */
function formerSchema(name: string): string {
  return `sync_${name.replaceAll("-", "_")}`;
}

/** Whether the instance has its schema still. `store` is the store of the server. */
export async function hasFormerSchema({ name }: Instance, store: string): Promise<boolean> {
  if (sqlitePath(store) !== undefined) return false;
  return useDatabase(store, {}, async (database) => {
    const rows = await database.query(
      "SELECT 1 AS found FROM pg_tables WHERE schemaname = $1 AND tablename = 'sync_log'",
      [formerSchema(name)],
    );
    return rows.length > 0;
  });
}

/** A command that is killed leaves the schema as it was. */
export async function takeOverSchema(instance: Instance, store: string): Promise<void> {
  const schema = formerSchema(instance.name);
  await addInstance(store, instance.name);
  await useDatabase(instance.sync.store, {}, async (database) => {
    await createTables(database, SYNC_STORE.schema);
    const statements = await planMove(database, schema);
    await database.transaction(async (tx) => {
      await excludeServers(tx, schema);
      await tx.script(statements.join("\n"));
    });
  });
}

/** A server of such a build that has the instance open holds this lock; one that opens it later finds no tables. */
async function excludeServers(tx: Transaction, schema: string): Promise<void> {
  const [row] = await tx.query<{ taken: number }>(
    `SELECT pg_try_advisory_xact_lock(
       hashtextextended(concat('trellis ', 'lease sync', ' in ', $1::text), 0)) AS taken`,
    [schema],
  );
  if (row?.taken !== 1) throw new StoreInUseError("sync", "exclusive");
}

async function planMove(database: OpenDatabase, schema: string): Promise<string[]> {
  const rows = await database.query<{ name: string; columns: string }>(
    `SELECT table_name::text AS name, string_agg(quote_ident(column_name::text), ', ') AS columns
     FROM information_schema.columns WHERE table_schema = $1 AND column_name <> 'instance'
     GROUP BY table_name`,
    [schema],
  );
  const columnsOf = new Map(rows.map(({ name, columns }) => [name, columns]));
  const moved = INSTANCE_TABLES.toReversed().flatMap((name) => {
    const columns = columnsOf.get(name);
    if (columns === undefined) return [];
    return [
      // A policy would hide the rows, whose instance is another one there.
      `ALTER TABLE "${schema}".${name} DISABLE ROW LEVEL SECURITY;`,
      `INSERT INTO ${name} (instance, ${columns}) SELECT $instance, ${columns} FROM "${schema}".${name};`,
    ];
  });
  return [...moved, `DROP SCHEMA "${schema}" CASCADE;`];
}
