/** The database port: few methods, two drivers, no word of any service. */
import type { RowSet } from "./rows.ts";

export type Dialect = "sqlite" | "postgres";

/** Integers are JavaScript numbers; times are integers of milliseconds; truth is 0 or 1. */
export type SqlValue = string | number | null | Uint8Array;

export type Row = Readonly<Record<string, unknown>>;

/** Placeholders are `$1`, `$2`, … in both dialects. */
export interface Queryable {
  query<T extends Row = Row>(sql: string, params?: readonly SqlValue[]): Promise<T[]>;
  /**
   * One question or one change for many rows: `{rows}` in the text stands for them as a table, as in
   * `insert into t (a, b) select r.a, r.b from {rows} as r where true on conflict (a) do nothing`.
   * A driver takes the rows at once or one after another, so the text must mean the same either way:
   * no aggregate over the rows, no two rows for one key. The answers come in no particular order.
   */
  queryRows<T extends Row = Row>(
    sql: string,
    rows: RowSet,
    params?: readonly SqlValue[],
  ): Promise<T[]>;
}

export interface Transaction extends Queryable {
  /** Several statements without parameters: for migrations. */
  script(sql: string): Promise<void>;
}

export interface Database extends Queryable {
  readonly dialect: Dialect;
  /**
   * Runs `work` whole or not at all. Writers run one after another in the order of their commits;
   * those that wait at the same time may share one commit to the disk, but never a failure.
   *
   * A statement that fails ends the transaction, even when `work` catches the error. `work` may be
   * run again, so it changes nothing but the store; and everybody waits for it, so it awaits nothing
   * but `tx`. When it leaves `tx` alone for too long, it is rolled back.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** One consistent view of many rows, read as they are consumed: memory stays flat. */
  stream<T extends Row = Row>(sql: string, params?: readonly SqlValue[]): AsyncIterable<T>;
  /** Lets the transactions that wait finish, ends the streams that are open. */
  close(): Promise<void>;
}

/**
 * The store cannot be used now: a full disk, a locked file, a lost connection. Nothing was written,
 * unless the connection was lost just as it committed: then nobody knows.
 * Trying again later is right.
 */
export class StorageUnavailableError extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(`The store is not available: ${reason}`, options);
    this.name = "StorageUnavailableError";
  }
}

export type ConstraintKind = "unique" | "foreign key" | "not null" | "check" | "other";

/** What was to be written contradicts the schema or another row. Nothing was written. */
export class ConstraintError extends Error {
  readonly kind: ConstraintKind;

  constructor(kind: ConstraintKind) {
    super(`A constraint of the store was violated: ${kind}`);
    this.name = "ConstraintError";
    this.kind = kind;
  }
}
