import { openPostgres } from "./postgres.ts";
import type { PostgresDatabase } from "./postgres.ts";
import { openSqlite } from "./sqlite.ts";
import type { SqliteDatabase } from "./sqlite.ts";

/** `store` is `sqlite:PATH` or a `postgres://` URL. It may contain a password, so no message has it. */
export function openDatabase(store: string): Promise<SqliteDatabase | PostgresDatabase> {
  if (store.startsWith("sqlite:")) return openSqlite(store.slice("sqlite:".length));
  if (/^postgres(ql)?:\/\//.test(store)) return openPostgres(store);
  return Promise.reject(
    new Error('The store must be "sqlite:PATH" or "postgres://USER:PASSWORD@HOST:PORT/DATABASE"'),
  );
}
