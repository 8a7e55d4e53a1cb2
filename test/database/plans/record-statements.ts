/** Records every statement that is sent to a store, and the lines of the source that sent it. */
import { relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type {
  Database,
  Dialect,
  Queryable,
  Statement,
  Transaction,
} from "../../../src/database/database.ts";
import {
  allRowsStatement,
  combineStatements,
  someRowsStatement,
} from "../../../src/database/rows.ts";

export interface RecordedStatement {
  readonly dialect: Dialect;
  /** As the driver sends it. */
  readonly sql: string;
  /** A line of the source, for messages. */
  readonly sentFrom: string;
  /** Outside of transactions, whose connections keep the plans that they have made. */
  readonly isRead: boolean;
}

export interface StatementRecorder {
  /** The same database, recorded. */
  record(database: Database): Database;
  /** By dialect, by whether it was sent outside of transactions, and by text. */
  readonly statements: ReadonlyMap<string, RecordedStatement>;
  /** Every line of `src` that took part, as `src/sync/…:12`. */
  readonly lines: ReadonlySet<string>;
}

const ROOT = resolve(import.meta.dirname, "../../..");

export function createStatementRecorder(): StatementRecorder {
  const statements = new Map<string, RecordedStatement>();
  const lines = new Set<string>();

  function add(dialect: Dialect, sql: string, isRead: boolean): void {
    const callers = readCallers();
    for (const line of callers) lines.add(line);
    const key = `${dialect} ${isRead} ${sql}`;
    if (statements.has(key)) return;
    statements.set(key, { dialect, sql, sentFrom: callers[0] ?? "", isRead });
  }

  function recordQueries(inner: Queryable, dialect: Dialect, isRead: boolean): Queryable {
    return {
      query: (sql, params) => {
        add(dialect, sql, isRead);
        return inner.query(sql, params);
      },
      queryRows: (sql, rows, params = []) => {
        if (rows.rows.length > 0) add(dialect, rowsText(dialect, { sql, rows, params }), isRead);
        return inner.queryRows(sql, rows, params);
      },
    };
  }

  function recordTransaction(tx: Transaction, dialect: Dialect): Transaction {
    return {
      ...recordQueries(tx, dialect, false),
      script: tx.script,
      writeAtEnd: (all) => {
        if (dialect === "postgres") add(dialect, combineStatements(all).sql, false);
        else for (const statement of all) add(dialect, rowsText(dialect, statement), false);
        tx.writeAtEnd(all);
      },
    };
  }

  return {
    statements,
    lines,
    record: (database) => {
      const { dialect } = database;
      return {
        ...database,
        ...recordQueries(database, dialect, true),
        transaction: (work) => database.transaction((tx) => work(recordTransaction(tx, dialect))),
        stream: (sql, params) => {
          add(dialect, sql, false);
          return database.stream(sql, params);
        },
      };
    },
  };
}

const SOME_ROWS = 5;

function rowsText(dialect: Dialect, { sql, rows, params = [] }: Statement): string {
  if (rows === undefined) return sql;
  const first = params.length + 1;
  return dialect === "postgres"
    ? allRowsStatement(sql, rows.columns, first)
    : someRowsStatement(sql, rows.columns, first, SOME_ROWS);
}

const FRAME = /(file:\/\/[^\s)]+):(\d+):\d+\)?$/;

function readCallers(): string[] {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 30;
  const { stack = "" } = new Error("for its stack");
  Error.stackTraceLimit = limit;
  return stack.split("\n").flatMap((frame) => {
    const [, url, line] = FRAME.exec(frame) ?? [];
    if (url === undefined) return [];
    const path = relative(ROOT, fileURLToPath(url));
    return path.startsWith("src/") ? [`${path}:${line}`] : [];
  });
}
