/** What a program that watches a database learns: how long it takes, never what is stored or asked. */
import { StorageUnavailableError, type Database } from "./database.ts";

export interface DatabaseObserver {
  /** Called for each transaction; the time is from when it is queued until it is committed, or has failed. */
  transaction(durationMs: number): void;
  /** A query outside a transaction. */
  query(durationMs: number): void;
  /** Called for each commit to the disk, with how many transactions share it. */
  commit(transactions: number, durationMs: number): void;
  /** The store could not be used for a transaction or a query. */
  failure(): void;
  /** Runs a transaction as a span of a trace. */
  trace?<T>(run: () => Promise<T>): Promise<T>;
}

/** Commits are observed where they happen, in the write queue. */
export function observeDatabase<D extends Database>(database: D, observer: DatabaseObserver): D {
  const { trace = (run) => run() } = observer;

  function measure<T>(run: () => Promise<T>, observe: (durationMs: number) => void): Promise<T> {
    const startedAt = performance.now();
    return run().then(
      (result) => {
        observe(performance.now() - startedAt);
        return result;
      },
      (error: unknown) => {
        observe(performance.now() - startedAt);
        if (error instanceof StorageUnavailableError) observer.failure();
        throw error;
      },
    );
  }

  return {
    ...database,
    query: (sql, params) => measure(() => database.query(sql, params), observer.query),
    queryRows: (sql, rows, params) =>
      measure(() => database.queryRows(sql, rows, params), observer.query),
    transaction: (work, options) =>
      measure(() => trace(() => database.transaction(work, options)), observer.transaction),
  };
}
