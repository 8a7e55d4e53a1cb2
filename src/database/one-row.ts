/**
 * The row of a unique key, as a table inside a statement. What else is asked of the row, or joined to it,
 * stays outside: no planner can begin with that instead and read rows by another index.
 */
export function oneRow(table: string, key: string): string {
  return `(SELECT * FROM ${table} WHERE ${key} LIMIT 1)`;
}

/**
 * As `oneRow`, for a key whose columns another index has too: the first row of `range`, which begins at the
 * key, in the order of `column`. No other index has this order. Whether the row has the key is asked outside.
 */
export function firstRow(table: string, range: string, column: string): string {
  return `(SELECT * FROM ${table} WHERE ${range} ORDER BY ${column} LIMIT 1)`;
}
