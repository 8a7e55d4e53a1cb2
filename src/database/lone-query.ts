/** Statements outside a transaction: those that read run beside the writer, those that write queue up. */
import type { Queryable, Transaction } from "./database.ts";

/** A connection for reading was asked to write; nothing happened. */
export class WriteRefusedError extends Error {}

/** Statements are constants of the program; a number far above theirs, so that it cannot grow for ever. */
const MAX_KNOWN = 2000;

/**
 * A store only tells that a statement writes by refusing it, so the first run of one that does is
 * tried in vain; after that it is known.
 */
export function createLoneQuery(
  reader: Queryable,
  transaction: <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>,
): Queryable {
  const writing = new Set<string>();

  async function run<T>(sql: string, ask: (on: Queryable) => Promise<T>): Promise<T> {
    if (writing.has(sql)) return transaction(ask);
    try {
      return await ask(reader);
    } catch (error) {
      if (!(error instanceof WriteRefusedError)) throw error;
      if (writing.size < MAX_KNOWN) writing.add(sql);
      return transaction(ask);
    }
  }

  return {
    query: (sql, params) => run(sql, (on) => on.query(sql, params)),
    queryRows: (sql, rows, params) => run(sql, (on) => on.queryRows(sql, rows, params)),
  };
}
