import { openPostgres, type PostgresDatabase } from "./postgres.ts";
import { openSqlite, type SqliteDatabase } from "./sqlite.ts";
import { sqlitePath } from "./sqlite-path.ts";

/** `store` is `sqlite:PATH` or a `postgres://` URL. It may contain a password, so no message has it. */
export function openDatabase(store: string): Promise<SqliteDatabase | PostgresDatabase> {
  const path = sqlitePath(store);
  if (path !== undefined) return openSqlite(path);
  if (/^postgres(ql)?:\/\//.test(store)) return openPostgres(store);
  return Promise.reject(
    new Error('The store must be "sqlite:PATH" or "postgres://USER:PASSWORD@HOST:PORT/DATABASE"'),
  );
}
