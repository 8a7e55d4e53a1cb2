/**
 * The key of an advisory lock in PostgreSQL. The server keeps the locks of its databases apart; the
 * schema in the key does so for instances that share a database. `name` is an SQL expression.
 */
export function advisoryLockKey(name: string): string {
  // Not `||`: a search path without a schema would make the key null, and the lock one of nothing.
  return `hashtextextended(concat('trellis ', ${name}::text, ' in ', current_schema()), 0)`;
}
