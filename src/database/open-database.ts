import { isPostgresAddress } from "./postgres-address.ts";
import { openPostgres, type PostgresDatabase } from "./postgres.ts";
import { openSqlite, type SqliteDatabase } from "./sqlite.ts";
import { sqlitePath } from "./sqlite-path.ts";

export interface DatabaseOptions {
  /** How long a stream may wait for its consumer. */
  readonly streamIdleTimeoutMs?: number;
}

export type OpenDatabase = SqliteDatabase | PostgresDatabase;

/** `store` is `sqlite:PATH` or a `postgres://` URL. It may contain a password, so no message has it. */
export function openDatabase(store: string, options: DatabaseOptions = {}): Promise<OpenDatabase> {
  const path = sqlitePath(store);
  if (path !== undefined) return openSqlite(path, options);
  if (isPostgresAddress(store)) return openPostgres(store, options);
  return Promise.reject(
    new Error('The store must be "sqlite:PATH" or "postgres://USER:PASSWORD@HOST:PORT/DATABASE"'),
  );
}
