/** Many rows as one table in a statement. */
import type { SqlValue } from "./database.ts";

export type ColumnType = "integer" | "text" | "binary";

export interface RowSet {
  readonly columns: Readonly<Record<string, ColumnType>>;
  /** Each in the order of the columns. */
  readonly rows: readonly (readonly SqlValue[])[];
}

const PLACE = "{rows}";

/**
 * SQLite: a table of so many rows, whose values are the parameters from `first` on, row by row. A kept
 * statement over some rows takes less than one for each of them, and far less than one over JSON,
 * where everything is written as JSON and parsed again. Several of them make one request, so whoever
 * sees one fail must undo the transaction; SQLite then need not keep what it takes to undo the rows
 * before the one that failed, which would cost a tenth of a push.
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
  return place(sql.replace(/^\s*insert into/i, "INSERT OR FAIL INTO"), table);
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
  return place(
    sql,
    `(select ${selected.join(", ")} from json_to_recordset($${parameter}::json) as given(${declared.join(", ")}))`,
  );
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

function place(sql: string, table: string): string {
  if (!sql.includes(PLACE)) throw new Error(`A statement over rows needs ${PLACE} as a table`);
  return sql.replaceAll(PLACE, () => table);
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
