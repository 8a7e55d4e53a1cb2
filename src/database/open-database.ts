import { observeDatabase, type DatabaseObserver } from "./database-observer.ts";
import { findNamedInstance } from "./named-instance.ts";
import { isPostgresAddress } from "./postgres-address.ts";
import { openPostgres, type PostgresDatabase, type PostgresOptions } from "./postgres.ts";
import { openSqlite, type SqliteDatabase, type SqliteOptions } from "./sqlite.ts";
import { sqlitePath } from "./sqlite-path.ts";

export interface DatabaseOptions {
  /** Which instance of a PostgreSQL database is meant; a file has one. */
  readonly instance?: number;
  /** How long a stream may wait for its consumer. */
  readonly streamIdleTimeoutMs?: number;
  readonly observer?: DatabaseObserver | undefined;
  /** Whether caches are small and connections few, for a process that opens hundreds of stores. */
  readonly isSmall?: boolean;
  /** The service whose shared lease the caller has. */
  readonly leasedBy?: string;
}

export type OpenDatabase = SqliteDatabase | PostgresDatabase;

/** A store of one person seldom has two readers at once. */
const SMALL_POOLS = { maxReaders: 2, maxStreams: 1 };

/**
 * `store` is `sqlite:PATH` or a `postgres://` URL, which may name an instance, and may contain a password: no
 * message has it.
 */
export async function openDatabase(
  store: string,
  { observer, ...options }: DatabaseOptions = {},
): Promise<OpenDatabase> {
  const { address, instance } = await findNamedInstance(store);
  const database = await openDriver(address, {
    ...options,
    ...(instance !== undefined && { instance }),
    ...(observer && { observer }),
  });
  return observer === undefined ? database : observeDatabase(database, observer);
}

/** Closes the database when the work is done. */
export async function useDatabase<T>(
  store: string,
  options: DatabaseOptions,
  work: (database: OpenDatabase) => Promise<T>,
): Promise<T> {
  const database = await openDatabase(store, options);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

function openDriver(
  store: string,
  { isSmall = false, ...options }: SqliteOptions & PostgresOptions,
): Promise<OpenDatabase> {
  const path = sqlitePath(store);
  if (path !== undefined) return openSqlite(path, { ...options, isSmall });
  if (isPostgresAddress(store)) {
    return openPostgres(store, { ...options, ...(isSmall && SMALL_POOLS) });
  }
  return Promise.reject(
    new Error('The store must be "sqlite:PATH" or "postgres://USER:PASSWORD@HOST:PORT/DATABASE"'),
  );
}
