/**
 * Many JSON texts as one value of one row: PostgreSQL and its client need a fraction of the time that a
 * row for each takes. (SQLite needs more.) The aggregate must be over a sorted subquery alone, whose order
 * it keeps: https://www.postgresql.org/docs/current/functions-aggregate.html
 */

/** RFC 8259 2 and 7: no JSON text contains this character. */
const SEPARATOR = "\u001F";
export const TEXT_SEPARATOR_CODE = SEPARATOR.charCodeAt(0);

/** An SQL expression for the joined texts of the rows; null without rows. */
export function joinTexts(column: string): string {
  return `string_agg(${column}, chr(${TEXT_SEPARATOR_CODE}))`;
}

export function splitTexts(joined: string | null): string[] {
  return joined === null ? [] : joined.split(SEPARATOR);
}
