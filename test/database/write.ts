import type { Database, Row, SqlValue } from "../../src/database/database.ts";

/** Runs one statement that writes, in a transaction of its own. */
export function write<T extends Row = Row>(
  database: Database,
  sql: string,
  params?: readonly SqlValue[],
): Promise<T[]> {
  return database.transaction((tx) => tx.query<T>(sql, params));
}
