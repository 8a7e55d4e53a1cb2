/**
 * Databases with the tables of a store and nothing in them, made once for a run of tests: a copy takes
 * a third of the CPU time of a new database and all migrations.
 */
import type { Database } from "../../src/database/database.ts";
import { migrate } from "../../src/database/migrate.ts";
import { openDatabase } from "../../src/database/open-database.ts";
import { migrateEvents } from "../../src/events/sql/open-sql-events-store.ts";
import { migrateSync } from "../../src/sync/sql/open-sql-store.ts";
import { administer } from "./administer-postgres.ts";
import { addCanaries } from "./canaries.ts";
import { OWNED, postgresUrl } from "./launch-postgres.ts";
import { templateOf, type Tables } from "./shared-server.ts";

const IDENTITY = new URL("../../src/identity/migrations/", import.meta.url);

const MIGRATIONS: Readonly<Record<Tables, (database: Database) => Promise<unknown>>> = {
  identity: (database) => migrate(database, [{ name: "identity", folder: IDENTITY }]),
  sync: migrateSync,
  sync_beside_canaries: async (database) => {
    await migrateSync(database);
    await addCanaries(database);
  },
  events: migrateEvents,
};

export async function createTemplates(port: number): Promise<void> {
  for (const tables of Object.keys(MIGRATIONS) as Tables[]) {
    const name = templateOf(tables);
    await administer(port, `create database ${name} ${OWNED}`);
    const database = await openDatabase(postgresUrl(port, name));
    await MIGRATIONS[tables](database);
    await database.close();
    // A database that is in use cannot be copied.
    await administer(port, `alter database ${name} allow_connections false`);
  }
}
