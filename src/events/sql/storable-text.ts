/** Replaces U+0000 and lone surrogates by U+FFFD: PostgreSQL refuses them, and SQLite changes some. */
import type { Queryable, SqlValue } from "../../database/database.ts";

export function toStorableText(text: string): string {
  return text.isWellFormed() && !text.includes("\0")
    ? text
    : text.toWellFormed().replaceAll("\0", "\uFFFD");
}

export function withStorableText(inner: Queryable): Queryable {
  return {
    query: (sql, params) => inner.query(sql, params?.map(toStorableValue)),
    queryRows: (sql, { columns, rows }, params) =>
      inner.queryRows(
        sql,
        { columns, rows: rows.map((row) => row.map(toStorableValue)) },
        params?.map(toStorableValue),
      ),
  };
}

function toStorableValue(value: SqlValue): SqlValue {
  return typeof value === "string" ? toStorableText(value) : value;
}
