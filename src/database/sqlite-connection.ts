import { DatabaseSync } from "node:sqlite";
import type { StatementSync } from "node:sqlite";
import type { Row, SqlValue } from "./database.ts";
import { someRowsStatement } from "./rows.ts";
import type { RowSet } from "./rows.ts";

/** One connection to a file, with its prepared statements kept. Errors are SQLite's own. */
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
/** How many rows a statement takes at once, the most first: a push is a few dozen, or one or two. */
const BATCH_SIZES = [25, 5, 1];

/**
 * No memory map: a failing disk would then end the process instead of one statement. A lock is
 * waited for outside, without holding up the event loop, so the connection itself never waits.
 */
const SETTINGS = `
  pragma synchronous = full;
  pragma mmap_size = 0;
  pragma wal_autocheckpoint = 1000;
  pragma journal_size_limit = 67108864;
`;

/** In KiB, and small: what is read again, the system's own cache serves nearly as well. */
const READER_SETTINGS = "pragma query_only = on; pragma cache_size = -2048";
const WRITER_SETTINGS = "pragma cache_size = -4096";

export function openConnection(
  path: string,
  { isReader }: { isReader: boolean },
): SqliteConnection {
  const handle = new DatabaseSync(path, { timeout: 0, enableForeignKeyConstraints: true });
  try {
    handle.exec(SETTINGS);
    handle.exec(isReader ? READER_SETTINGS : WRITER_SETTINGS);
  } catch (error) {
    handle.close();
    throw error;
  }
  const kept = new Map<string, Prepared>();

  function prepare(key: string, toSql: (key: string) => string = asItIs): Prepared {
    const known = kept.get(key);
    if (known !== undefined) {
      kept.delete(key);
      kept.set(key, known);
      return known;
    }
    const fresh = prepareOnly(handle, toSql(key));
    kept.set(key, fresh);
    const [oldest] = kept.keys();
    if (kept.size > MAX_STATEMENTS && oldest !== undefined) kept.delete(oldest);
    return fresh;
  }

  return {
    handle,
    all: <T extends Row>(sql: string, params: readonly SqlValue[] = []) => {
      return runAll<T>(prepare(sql), params.map(toBinding));
    },
    allForRows: <T extends Row>(sql: string, set: RowSet, params: readonly SqlValue[] = []) => {
      const found: T[] = [];
      const shared = params.map(toBinding);
      const names = Object.keys(set.columns).join();
      let done = 0;
      for (const size of BATCH_SIZES) {
        if (set.rows.length - done < size) continue;
        // Shorter than the text that it stands for, which is put together only once.
        const prepared = prepare(`${size} of ${names}: ${sql}`, () =>
          someRowsStatement(sql, set.columns, shared.length + 1, size),
        );
        for (; set.rows.length - done >= size; done += size) {
          const bindings = [...shared];
          for (let index = done; index < done + size; index++) {
            for (const value of set.rows[index] ?? []) bindings.push(toBinding(value));
          }
          // Without columns there is nothing to collect.
          if (prepared.names.length === 0) prepared.statement.run(...bindings);
          else found.push(...runAll<T>(prepared, bindings));
        }
      }
      return found;
    },
    // Not kept: it stays in use between two turns of the event loop.
    *iterate<T extends Row>(sql: string, params: readonly SqlValue[] = []) {
      const { statement, names } = prepareOnly(handle, sql);
      const rows = statement.iterate(...params.map(toBinding)) as Iterable<unknown>;
      for (const values of rows) yield toRow(names, values as readonly unknown[]) as T;
    },
  };
}

const asItIs = (sql: string) => sql;

function prepareOnly(handle: DatabaseSync, sql: string): Prepared {
  const text = toNumbered(sql);
  const statement = handle.prepare(text);
  // SQLite prepares the first statement and silently drops the rest.
  if (text.trim().length > statement.sourceSQL.trim().length) {
    throw new Error("A query is one statement: give several to script");
  }
  statement.setReturnArrays(true);
  return { statement, names: statement.columns().map((column) => column.name) };
}

/** Building plain objects from arrays is quicker than the objects that node:sqlite makes. */
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

/** node:sqlite stores every number as a real one; only a bigint becomes an integer. */
function toBinding(value: SqlValue): Binding {
  return typeof value === "number" && Number.isSafeInteger(value) ? BigInt(value) : value;
}

const QUOTED_OR_PLACEHOLDER = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\$(\d+)/g;

/**
 * SQLite numbers a plain `?` itself. A `?7` is a name to it, and node:sqlite looks through all names
 * for each value that it binds: so names are left to statements that need them.
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
