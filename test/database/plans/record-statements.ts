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
  bindInstance,
  ONLY_INSTANCE,
  writeInstance,
} from "../../../src/database/instance-parameter.ts";
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
  readonly sentBy: Sender;
}

/** What sends statements; a query and a keeping transaction keep the plans that they have made. */
export type Sender = "query" | "transaction" | "keeping transaction";

export interface StatementRecorder {
  /** The same database, recorded. */
  record(database: Database): Database;
  /** By dialect, by what sent it, and by text. */
  readonly statements: ReadonlyMap<string, RecordedStatement>;
  /** Every line of `src` that took part, as `src/sync/…:12`. */
  readonly lines: ReadonlySet<string>;
}

const ROOT = resolve(import.meta.dirname, "../../..");

export function createStatementRecorder(): StatementRecorder {
  const statements = new Map<string, RecordedStatement>();
  const lines = new Set<string>();

  function add(dialect: Dialect, sql: string, sender: Sender): void {
    const callers = readCallers();
    for (const line of callers) lines.add(line);
    // Beside others, a transaction that may keep plans does not.
    const senders: readonly Sender[] =
      sender === "keeping transaction" ? [sender, "transaction"] : [sender];
    for (const sentBy of senders) {
      const key = `${dialect} ${sentBy} ${sql}`;
      if (statements.has(key)) continue;
      statements.set(key, { dialect, sql, sentFrom: callers[0] ?? "", sentBy });
    }
  }

  function recordQueries(inner: Queryable, dialect: Dialect, sentBy: Sender): Queryable {
    return {
      query: (sql, params = []) => {
        add(dialect, ownStatement(dialect, { sql, params }).sql, sentBy);
        return inner.query(sql, params);
      },
      queryRows: (sql, rows, params = []) => {
        if (rows.rows.length > 0) add(dialect, rowsText(dialect, { sql, rows, params }), sentBy);
        return inner.queryRows(sql, rows, params);
      },
    };
  }

  function recordTransaction(tx: Transaction, dialect: Dialect, sentBy: Sender): Transaction {
    return {
      ...recordQueries(tx, dialect, sentBy),
      script: tx.script,
      notify: tx.notify,
      writeAtEnd: (all) => {
        if (dialect === "postgres")
          add(dialect, combineStatements(all.map((one) => ownStatement(dialect, one))).sql, sentBy);
        else for (const statement of all) add(dialect, rowsText(dialect, statement), sentBy);
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
        ...recordQueries(database, dialect, "query"),
        transaction: (work, options) => {
          const sentBy = options?.keepsPlans === true ? "keeping transaction" : "transaction";
          return database.transaction(
            (tx) => work(recordTransaction(tx, dialect, sentBy)),
            options,
          );
        },
        stream: (sql, params = []) => {
          add(dialect, ownStatement(dialect, { sql, params }).sql, "transaction");
          return database.stream(sql, params);
        },
      };
    },
  };
}

const SOME_ROWS = 5;

/** The statement with its instance, as a driver writes it. */
function ownStatement(
  dialect: Dialect,
  statement: Statement,
): Required<Pick<Statement, "params">> & Statement {
  const { sql, params = [] } = statement;
  return dialect === "postgres"
    ? { ...statement, ...bindInstance(sql, params, ONLY_INSTANCE) }
    : { ...statement, sql: writeInstance(sql, ONLY_INSTANCE), params };
}

function rowsText(dialect: Dialect, statement: Statement): string {
  const { sql, rows, params } = ownStatement(dialect, statement);
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
