/**
 * The instance whose rows a statement means: `$instance` in its text. One database may have many instances in
 * one set of tables, a file has one. The handle of a database knows its instance, so callers pass nothing.
 */
import type { SqlValue } from "./database.ts";

/** The instance of a file, of a service that has no others, and of events. */
export const ONLY_INSTANCE = 1;

const NAME = "$instance";

/** For a script, which has no parameters, and for a file, whose instance is a constant. */
export function writeInstance(sql: string, instance: number): string {
  if (!Number.isSafeInteger(instance)) throw new Error("An instance of a store is an integer");
  return sql.replaceAll(NAME, String(instance));
}

/** As one more parameter: the statement has one text, and one plan, for all instances. */
export function bindInstance(
  sql: string,
  params: readonly SqlValue[],
  instance: number,
): { readonly sql: string; readonly params: readonly SqlValue[] } {
  if (!sql.includes(NAME)) return { sql, params };
  const position = params.length + 1;
  return {
    sql: sql.replaceAll(NAME, () => `$${position}::bigint`),
    params: [...params, instance],
  };
}

/** A script that empties tables, for the instance. */
export function deleteRows(tables: readonly string[]): string {
  return tables.map((table) => `DELETE FROM ${table} WHERE instance = ${NAME};`).join("\n");
}
