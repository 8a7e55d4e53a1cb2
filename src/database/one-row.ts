import type { Dialect } from "./database.ts";

/**
 * The row of a unique key, as a table inside a statement. What else is asked of the row, or joined to it,
 * stays outside: no planner can begin with that instead and read rows by another index.
 */
export function oneRow(table: string, key: string): string {
  return `(SELECT * FROM ${table} WHERE ${key} LIMIT 1)`;
}

/**
 * Like `oneRow`, for a key whose columns are in another index too: the first row of `range` in the order of
 * `column`. `range` begins at the key, and only the index of the key has this order. The caller checks
 * whether the row has the key.
 */
export function firstRow(table: string, range: string, column: string): string {
  return `(SELECT * FROM ${table} WHERE ${range} ORDER BY ${column} LIMIT 1)`;
}

/**
 * The row of the instance that has `value` in the last column of its key, or else the next one. Every index of
 * the table may have the instance: see `firstRow`.
 */
export function keyRow(table: string, column: string, value: string): string {
  return firstRow(table, `instance = $instance AND ${column} >= ${value}`, column);
}

/**
 * A join of the row that `key` finds by columns of the tables before it, or of nulls. In PostgreSQL the row
 * is looked up as in `oneRow`; SQLite has no such join, and always looks the row up.
 */
export function joinOneRow(dialect: Dialect, table: string, alias: string, key: string): string {
  return dialect === "postgres"
    ? `LEFT JOIN LATERAL ${oneRow(`${table} AS ${alias}`, key)} AS ${alias} ON true`
    : `LEFT JOIN ${table} AS ${alias} ON ${key}`;
}
