/** The database port: few methods, implemented for SQLite and PostgreSQL. */
export type Dialect = "sqlite" | "postgres";

/** Integers are JavaScript numbers; times are integers of milliseconds; booleans are 0 or 1. */
export type SqlValue = string | number | null | Uint8Array;

export type Row = Readonly<Record<string, unknown>>;

export type ColumnType = "integer" | "text" | "binary";

export interface RowSet {
  readonly columns: Readonly<Record<string, ColumnType>>;
  /** The values of each row are in the order of the columns. */
  readonly rows: readonly (readonly SqlValue[])[];
}

/** Placeholders are `$1`, `$2`, … in both dialects; `$instance` is the instance of the database. */
export interface Queryable {
  query<T extends Row = Row>(sql: string, params?: readonly SqlValue[]): Promise<T[]>;
  /**
   * Runs one statement for many rows: `{rows}` in the text stands for the rows as a table, as in
   * `insert into t (a, b) select r.a, r.b from {rows} as r where true on conflict (a) do nothing`.
   * A driver may run the rows in one statement or in several, so the text must mean the same either
   * way: no aggregate over the rows, no two rows for one key. Results come in no particular order.
   */
  queryRows<T extends Row = Row>(
    sql: string,
    rows: RowSet,
    params?: readonly SqlValue[],
  ): Promise<T[]>;
}

/** A statement for `query`, or for `queryRows` where it has rows: see `Queryable`. */
export interface Statement {
  readonly sql: string;
  readonly rows?: RowSet;
  readonly params?: readonly SqlValue[];
}

export interface Transaction extends Queryable {
  /**
   * Writes at the end of the work: several statements, each to a table of its own and none reading
   * what another writes. No statement returns rows. A driver may send the statements together, and
   * with the commit: the work does not learn how they end, and no other statement may follow them.
   */
  writeAtEnd(statements: readonly Statement[]): void;
  /** Tells the watches of a channel, in all processes, when the transaction is committed. */
  notify(channel: string): void;
  /** Several statements without parameters, for migrations. */
  script(sql: string): Promise<void>;
}

export interface TransactionOptions {
  /**
   * Whether PostgreSQL may make the plan of each statement only once, when a store may be empty: every
   * statement of the work must have only one good plan (decision 17).
   */
  readonly keepsPlans?: boolean;
  /**
   * Whether the change may be lost when the machine fails right after it: the commit does not wait for the
   * disk, unless it is shared with a transaction that does.
   */
  readonly mayBeLost?: boolean;
}

/** The database's own `query` and `queryRows` read beside the writer, where a statement that writes fails. */
export interface Database extends Queryable {
  readonly dialect: Dialect;
  /** Which of the instances in the database is meant, for statements that name it. */
  readonly instance: number;
  /**
   * Runs `work` whole or not at all. Writers run one after another in the order of their commits;
   * those that wait at the same time may share one commit to the disk, but never a failure.
   *
   * A statement that fails ends the transaction, even when `work` catches the error. `work` may run
   * again, so it must have no other effects; and all writers wait for it, so it must await nothing
   * but `tx`. A transaction that is idle for too long is rolled back. `work` starts when the writers of
   * other processes are done, so that what it looks at outside of the store is up to date.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** One consistent snapshot of many rows, read as they are consumed. */
  stream<T extends Row = Row>(sql: string, params?: readonly SqlValue[]): AsyncIterable<T>;
  /**
   * Calls `onCommit` soon after a commit by any process, this one included: in PostgreSQL after that of a
   * transaction that notified the channel, in SQLite after every commit. A call only tells that it is worth
   * reading again, and may come without a commit. Other processes are notified within 250 ms, unless their way to
   * PostgreSQL is interrupted: then when it is there again.
   */
  watch(channel: string, onCommit: () => void): CommitWatch;
  /**
   * Sets what is done in PostgreSQL when a connection leads to another server, or to one that was promoted: it may
   * lack the latest commits. No other caller reads or writes until `check` has succeeded, which uses the database that
   * it gets.
   */
  onServerChange(check: (database: Database) => Promise<void>): void;
  /** Finishes the queued transactions and notifications, and ends the open streams. */
  close(): Promise<void>;
}

export interface CommitWatch {
  close(): Promise<void>;
}

/**
 * The store cannot be used now: a full disk, a locked file, a lost connection. Nothing was written,
 * unless the connection was lost during the commit: then the result is unknown. The caller should
 * try again later.
 */
export class StorageUnavailableError extends Error {
  /** Why, in words for an operator. */
  readonly reason: string;

  constructor(reason: string, options?: ErrorOptions) {
    super(`The store is not available: ${reason}`, options);
    this.name = "StorageUnavailableError";
    this.reason = reason;
  }
}

export type ConstraintKind = "unique" | "foreign key" | "not null" | "check" | "other";

/** A value violates the schema. Nothing was written. */
export class ConstraintError extends Error {
  readonly kind: ConstraintKind;

  constructor(kind: ConstraintKind) {
    super(`A constraint of the store was violated: ${kind}`);
    this.name = "ConstraintError";
    this.kind = kind;
  }
}

/** A deadlock or a serialization failure rolled the transaction back: it can run again at once. */
export class TransactionConflictError extends Error {}

export function readOnlyError(): Error {
  return new Error("A statement outside a transaction cannot write");
}
