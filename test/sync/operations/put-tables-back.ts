/** Puts a database back to an earlier state while it is open, as a dump of PostgreSQL does. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Database } from "../../../src/database/database.ts";
import { SYNC_STORE } from "../../../src/sync/sql/open-store.ts";

const TABLES = [
  "sync_log",
  "sync_generations",
  "sync_marks",
  "sync_entities",
  "sync_operations",
  "sync_ledger",
  "sync_keys",
  "sync_sessions",
  "sync_access_tokens",
  "identity_security_events",
  "identity_session_epochs",
];

export async function copyTables(database: Database): Promise<void> {
  const copy = (table: string) =>
    `DROP TABLE IF EXISTS copy_of_${table}; CREATE TABLE copy_of_${table} AS SELECT * FROM ${table};`;
  await database.transaction((tx) => tx.script(TABLES.map(copy).join("\n")));
}

export async function putTablesBack(database: Database): Promise<void> {
  const rollBack = (table: string) =>
    `DELETE FROM ${table}; INSERT INTO ${table} SELECT * FROM copy_of_${table};`;
  await database.transaction((tx) => tx.script(TABLES.map(rollBack).join("\n")));
}

/** Copies the high-water file too, and returns a function that puts back everything. */
export async function copyEverything(
  { database }: { readonly database: Database },
  { dataDir }: { readonly dataDir: string },
): Promise<() => Promise<void>> {
  const path = join(dataDir, SYNC_STORE.highWaterFile);
  const mark = await readFile(path);
  await copyTables(database);
  return async () => {
    await putTablesBack(database);
    await writeFile(path, mark);
  };
}
