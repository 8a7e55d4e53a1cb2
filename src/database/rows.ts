/** Many rows as a table inside one statement. */
import type { ColumnType, RowSet, SqlValue, Statement } from "./database.ts";

const PLACEHOLDER = "{rows}";

/**
 * SQLite: a table of `count` rows, whose values are the parameters from `first` on. A prepared
 * statement over some rows is faster than one for each row, and far faster than one over JSON.
 * With `OR FAIL` SQLite keeps no journal for undoing a single statement, which a push would pay for
 * with a tenth of its time; the transaction is rolled back anyway when a statement fails.
 */
export function someRowsStatement(
  sql: string,
  columns: RowSet["columns"],
  first: number,
  count: number,
): string {
  const names = Object.keys(columns);
  const selected = names.map((name, index) => `column${index + 1} as ${quote(name)}`);
  const values = Array.from({ length: count }, (_, row) => {
    const start = first + row * names.length;
    return `(${names.map((_name, index) => `$${start + index}`).join(", ")})`;
  });
  const table = `(select ${selected.join(", ")} from (values ${values.join(", ")}))`;
  return insertTable(sql.replace(/^\s*insert into/i, "INSERT OR FAIL INTO"), table);
}

/** PostgreSQL: all rows in the JSON parameter `parameter`, so that they cost one round trip. */
export function allRowsStatement(
  sql: string,
  columns: RowSet["columns"],
  parameter: number,
): string {
  const entries = Object.entries(columns).map(([name, type]) => ({ name: quote(name), type }));
  const declared = entries.map(({ name, type }) => `${name} ${JSON_TYPES[type]}`);
  const selected = entries.map(({ name, type }) =>
    type === "binary" ? `decode(${name}, 'hex') as ${name}` : name,
  );
  return insertTable(
    sql,
    `(select ${selected.join(", ")} from json_to_recordset($${parameter}::json) as given(${declared.join(", ")}))`,
  );
}

/** PostgreSQL: several statements that write as one, so that they cost one round trip. */
export function combineStatements(statements: readonly Statement[]): {
  readonly sql: string;
  readonly params: readonly SqlValue[];
} {
  const all: SqlValue[] = [];
  const parts = statements.flatMap(({ sql, rows, params = [] }) => {
    if (rows?.rows.length === 0) return [];
    const text = rows === undefined ? sql : allRowsStatement(sql, rows.columns, params.length + 1);
    const before = all.length;
    all.push(...params, ...(rows === undefined ? [] : [allRowsParameter(rows)]));
    return text.replaceAll(/\$(\d+)/g, (_, number: string) => `$${Number(number) + before}`);
  });
  const named = parts.map((text, index) => `part_${index} as (${text})`);
  return { sql: `with ${named.join(", ")} select 1`, params: all };
}

export function allRowsParameter({ columns, rows }: RowSet): string {
  const names = Object.keys(columns);
  return JSON.stringify(
    rows.map((row) => Object.fromEntries(row.map((value, index) => [names[index], toJson(value)]))),
  );
}

const JSON_TYPES: Readonly<Record<ColumnType, string>> = {
  integer: "bigint",
  text: "text",
  binary: "text",
};

function toJson(value: SqlValue): string | number | null {
  return value instanceof Uint8Array ? Buffer.from(value).toString("hex") : value;
}

function insertTable(sql: string, table: string): string {
  if (!sql.includes(PLACEHOLDER)) {
    throw new Error(`A statement over rows needs ${PLACEHOLDER} as a table`);
  }
  return sql.replaceAll(PLACEHOLDER, () => table);
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
