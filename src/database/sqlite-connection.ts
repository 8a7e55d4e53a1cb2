import { DatabaseSync, type StatementSync } from "node:sqlite";
import { createBoundedCache } from "../contract/bounded-cache.ts";
import type { Row, SqlValue, RowSet } from "./database.ts";
import { ONLY_INSTANCE, writeInstance } from "./instance-parameter.ts";
import { someRowsStatement } from "./rows.ts";

/** One connection to a file, with a cache of prepared statements. It throws SQLite's own errors. */
export interface SqliteConnection {
  readonly handle: DatabaseSync;
  all<T extends Row>(sql: string, params?: readonly SqlValue[]): T[];
  allForRows<T extends Row>(sql: string, rows: RowSet, params?: readonly SqlValue[]): T[];
  iterate<T extends Row>(sql: string, params?: readonly SqlValue[]): Iterable<T>;
}

interface Prepared {
  readonly statement: StatementSync;
  readonly names: readonly string[];
}

const MAX_STATEMENTS = 256;
/** How many rows one statement takes, the largest first: a push has a few dozen, or one or two. */
const BATCH_SIZES = [25, 5, 1];

/**
 * No memory map: with one, a failing disk would end the process instead of one statement. The
 * write-ahead log takes 4 MiB in normal use, and gives back what a long reader made it grow beyond 16.
 * What is deleted is overwritten, which takes no time that could be measured beside a push.
 */
const SETTINGS = `
  pragma synchronous = full;
  pragma mmap_size = 0;
  pragma wal_autocheckpoint = 1000;
  pragma journal_size_limit = 16777216;
  pragma secure_delete = on;
`;

/** The caches are small, in KiB: the file cache of the system is nearly as fast. */
const READER_CACHE = { normal: 2048, small: 256 };
const WRITER_CACHE = { normal: 4096, small: 512 };

export function openConnection(
  path: string,
  { isReader, isSmall = false }: { isReader: boolean; isSmall?: boolean },
): SqliteConnection {
  // The caller waits for locks, without blocking the event loop.
  const handle = new DatabaseSync(path, { timeout: 0, enableForeignKeyConstraints: true });
  try {
    handle.exec(SETTINGS);
    const cache = (isReader ? READER_CACHE : WRITER_CACHE)[isSmall ? "small" : "normal"];
    handle.exec(`pragma cache_size = -${cache}`);
    if (isReader) handle.exec("pragma query_only = on");
  } catch (error) {
    handle.close();
    throw error;
  }
  const statements = createBoundedCache<string, Prepared>(MAX_STATEMENTS);

  function prepareCached(key: string, toSql: () => string): Prepared {
    const cached = statements.get(key);
    if (cached !== undefined) return cached;
    const prepared = prepare(handle, toSql());
    statements.set(key, prepared);
    return prepared;
  }

  return {
    handle,
    all: <T extends Row>(sql: string, params: readonly SqlValue[] = []) => {
      return runAll<T>(
        prepareCached(sql, () => sql),
        params.map(toBinding),
      );
    },
    allForRows: <T extends Row>(sql: string, set: RowSet, params: readonly SqlValue[] = []) => {
      const found: T[] = [];
      const shared = params.map(toBinding);
      const names = Object.keys(set.columns).join();
      let done = 0;
      for (const size of BATCH_SIZES) {
        if (set.rows.length - done < size) continue;
        const prepared = prepareCached(`${size} of ${names}: ${sql}`, () =>
          someRowsStatement(sql, set.columns, shared.length + 1, size),
        );
        for (; set.rows.length - done >= size; done += size) {
          const bindings = [...shared];
          for (let index = done; index < done + size; index++) {
            for (const value of set.rows[index] ?? []) bindings.push(toBinding(value));
          }
          // A statement without columns returns no rows.
          if (prepared.names.length === 0) prepared.statement.run(...bindings);
          else found.push(...runAll<T>(prepared, bindings));
        }
      }
      return found;
    },
    // The statement is not cached, because it stays in use across turns of the event loop.
    *iterate<T extends Row>(sql: string, params: readonly SqlValue[] = []) {
      const { statement, names } = prepare(handle, sql);
      const rows = statement.iterate(...params.map(toBinding)) as Iterator<unknown>;
      // Unlike `for`, this does not end the statement when it is left early: the connection, with which
      // statements end, may be closed already.
      for (let next = rows.next(); next.done !== true; next = rows.next()) {
        yield toRow(names, next.value as readonly unknown[]) as T;
      }
    },
  };
}

function prepare(handle: DatabaseSync, sql: string): Prepared {
  const text = toNumbered(writeInstance(sql, ONLY_INSTANCE));
  const statement = handle.prepare(text);
  // SQLite prepares the first statement and ignores the rest.
  if (text.trim().length > statement.sourceSQL.trim().length) {
    throw new Error("A query is one statement: give several to script");
  }
  statement.setReturnArrays(true);
  return { statement, names: statement.columns().map((column) => column.name) };
}

/** Making plain objects from arrays is faster than the objects that node:sqlite makes. */
function runAll<T extends Row>({ statement, names }: Prepared, bindings: readonly Binding[]): T[] {
  const rows = statement.all(...bindings) as unknown as readonly (readonly unknown[])[];
  return rows.map((values) => toRow(names, values) as T);
}

function toRow(names: readonly string[], values: readonly unknown[]): Row {
  const row: Record<string, unknown> = {};
  for (let index = 0; index < names.length; index++) row[names[index] ?? ""] = values[index];
  return row;
}

type Binding = string | number | bigint | null | Uint8Array;

/** node:sqlite stores every number as REAL; only a bigint becomes an INTEGER. */
function toBinding(value: SqlValue): Binding {
  return typeof value === "number" && Number.isSafeInteger(value) ? BigInt(value) : value;
}

const QUOTED_OR_PLACEHOLDER = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\$(\d+)/g;

/**
 * A `?7` counts as a name, and node:sqlite searches all names for each value that it binds. So
 * placeholders that are numbered in order become a plain `?`.
 */
function toNumbered(sql: string): string {
  let count = 0;
  let isCounted = true;
  const numbered = replacePlaceholders(sql, (number) => {
    isCounted &&= number === ++count;
    return `?${number}`;
  });
  return isCounted ? replacePlaceholders(sql, () => "?") : numbered;
}

function replacePlaceholders(sql: string, toText: (number: number) => string): string {
  return sql.replace(QUOTED_OR_PLACEHOLDER, (text, number?: string) =>
    number === undefined ? text : toText(Number(number)),
  );
}
