/**
 * A number for a name in the schema of this instance: the key of an advisory lock in PostgreSQL, and a
 * part of the name of a channel. The server keeps the locks and channels of its databases apart; the
 * schema in the key does so for instances that share a database. `name` is an SQL expression.
 */
export function schemaKey(name: string): string {
  // With `||`, a search path without a schema would make the key null, and the lock one of nothing.
  return `hashtextextended(concat('trellis ', ${name}::text, ' in ', current_schema()), 0)`;
}

/** The name of a lease on the store, for its key. */
export function leaseName(holder: string): string {
  return `lease ${holder}`;
}
