/** The database port: few methods, two drivers, no word of any service. */

export type Dialect = "sqlite" | "postgres";

/** Integers are JavaScript numbers; times are integers of milliseconds; truth is 0 or 1. */
export type SqlValue = string | number | null | Uint8Array;

export type Row = Readonly<Record<string, unknown>>;

/** Placeholders are `$1`, `$2`, … in both dialects. */
export interface Queryable {
  query<T extends Row = Row>(sql: string, params?: readonly SqlValue[]): Promise<T[]>;
}

export interface Database extends Queryable {
  readonly dialect: Dialect;
  /**
   * Runs `work` whole or not at all. Writers run one after another in the order of their commits;
   * those that wait at the same time may share one commit to the disk, but never a failure.
   */
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
  /** One consistent view of many rows, read as they are consumed: memory stays flat. */
  stream<T extends Row = Row>(sql: string, params?: readonly SqlValue[]): AsyncIterable<T>;
  close(): Promise<void>;
}

/**
 * The store cannot be used now: a full disk, a locked file, a lost connection. Nothing was written.
 * Trying again later is right.
 */
export class StorageUnavailableError extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(`The store is not available: ${reason}`, options);
    this.name = "StorageUnavailableError";
  }
}
