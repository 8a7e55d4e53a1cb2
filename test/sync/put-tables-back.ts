/** Puts the log of a store back to an earlier state, as a machine that is rolled back does. */
import type { Database } from "../../src/database/database.ts";

const TABLES = [
  "sync_log",
  "sync_generations",
  "sync_marks",
  "sync_entities",
  "sync_operations",
  "sync_ledger",
];

export async function copyTables(database: Database): Promise<void> {
  const copy = (table: string) =>
    `DROP TABLE IF EXISTS copy_of_${table}; CREATE TABLE copy_of_${table} AS SELECT * FROM ${table};`;
  await database.transaction((tx) => tx.script(TABLES.map(copy).join("\n")));
}

export async function putTablesBack(database: Database): Promise<void> {
  const putBack = (table: string) =>
    `DELETE FROM ${table}; INSERT INTO ${table} SELECT * FROM copy_of_${table};`;
  await database.transaction((tx) => tx.script(TABLES.map(putBack).join("\n")));
}
