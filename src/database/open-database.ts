import type { StoreLease } from "./lease.ts";
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
  /** Whether caches are small, for a process that opens hundreds of files. */
  readonly isSmall?: boolean;
  /** The leases of the caller, without which it must not write. */
  readonly leases?: readonly StoreLease[];
}

export type OpenDatabase = SqliteDatabase | PostgresDatabase;

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

interface DriverOptions extends SqliteOptions, Omit<PostgresOptions, "leases" | "observer"> {
  readonly leases?: readonly StoreLease[];
}

function openDriver(
  store: string,
  { isSmall = false, leases = [], ...options }: DriverOptions,
): Promise<OpenDatabase> {
  const path = sqlitePath(store);
  if (path !== undefined) return openSqlite(path, { ...options, isSmall });
  if (isPostgresAddress(store)) {
    return openPostgres(store, { ...options, leases: leases.filter((lease) => "epoch" in lease) });
  }
  return Promise.reject(
    new Error('The store must be "sqlite:PATH" or "postgres://USER:PASSWORD@HOST:PORT/DATABASE"'),
  );
}
