/**
 * The row of a unique key, as a table inside a statement. What else is asked of the row, or joined to it,
 * stays outside: no planner can begin with that instead and read rows by another index.
 */
export function oneRow(table: string, key: string): string {
  return `(SELECT * FROM ${table} WHERE ${key} LIMIT 1)`;
}
