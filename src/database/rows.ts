/** Many rows as a table inside one statement. */
import { randomUUID } from "node:crypto";
import type { RowSet, SqlValue, Statement } from "./database.ts";

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

/**
 * PostgreSQL: all rows in the parameters from `first` on, so that they cost one round trip. The
 * parameters are a separator, the text that stands for null, and for each column a text with all of
 * its values: PostgreSQL reads them in half the time that a list of JSON objects takes.
 */
export function allRowsStatement(sql: string, columns: RowSet["columns"], first: number): string {
  const entries = Object.entries(columns).map(([name, type], index) => ({
    name: quote(name),
    type,
    // The first element is left out, because it is empty: see `joinValues`.
    values: `(string_to_array($${first + 2 + index}, $${first}, $${first + 1}))[2:]`,
  }));
  const arrays = entries.map(({ type, values }) =>
    type === "integer" ? `(${values})::bigint[]` : values,
  );
  const selected = entries.map(({ name, type }) =>
    type === "binary" ? `decode(${name}, 'hex') as ${name}` : name,
  );
  const names = entries.map(({ name }) => name);
  return insertTable(
    sql,
    `(select ${selected.join(", ")} from unnest(${arrays.join(", ")}) as given(${names.join(", ")}))`,
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
    all.push(...params, ...(rows === undefined ? [] : allRowsParameters(rows)));
    return text.replaceAll(/\$(\d+)/g, (_, number: string) => `$${Number(number) + before}`);
  });
  const named = parts.map((text, index) => `part_${index} as (${text})`);
  return { sql: `with ${named.join(", ")} select 1`, params: all };
}

export function allRowsParameters({ columns, rows }: RowSet): string[] {
  const texts = rows.map((row) => row.map(toText));
  const absent = chooseAbsent(texts);
  // No beginning of the separator is also its end, so that it is found only where it was put.
  const separator = `${absent}\u001F`;
  const joined = Object.keys(columns).map((_name, index) =>
    joinValues(texts, index, separator, absent),
  );
  return [separator, absent, ...joined];
}

/** Each value follows a separator: a text without one would be no values, and not an empty one. */
function joinValues(
  rows: readonly (readonly (string | null)[])[],
  index: number,
  separator: string,
  absent: string,
): string {
  let joined = "";
  for (const row of rows) joined += separator + (row[index] ?? absent);
  return joined;
}

/**
 * A text that no value has. Control characters are rare in texts, but not forbidden: after the first
 * attempt the text is random, so that a value cannot have been made of all that would follow.
 */
function chooseAbsent(rows: readonly (readonly (string | null)[])[]): string {
  for (let absent = "\u001E0"; ; absent = `\u001E${randomUUID()}`) {
    if (!rows.some((row) => row.some((text) => text?.includes(absent)))) return absent;
  }
}

function toText(value: SqlValue): string | null {
  if (value === null || typeof value === "string") return value;
  return typeof value === "number" ? String(value) : Buffer.from(value).toString("hex");
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
