/**
 * Text that a database can hold. PostgreSQL refuses U+0000 and halves of surrogate pairs, SQLite
 * changes some of them; here they become U+FFFD for both, in what is written and in what is looked
 * for, so that no text from outside can make a statement fail.
 */
import type { Queryable, SqlValue } from "../../database/database.ts";

export function toStorableText(text: string): string {
  return text.isWellFormed() && !text.includes("\0")
    ? text
    : text.toWellFormed().replaceAll("\0", "\uFFFD");
}

/** Every text that is handed to a statement is made storable on the way. */
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
