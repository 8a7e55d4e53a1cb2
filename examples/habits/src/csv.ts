/** Tables as text (RFC 4180), for programs that calculate. */

/** Those programs take a text that begins so for a formula; an apostrophe before it says that it is text. */
const FORMULA = /^'*[=+\-@\t\r]/;
const MARKED = /^'+[=+\-@\t\r]/;

export function formatCsv(rows: readonly (readonly string[])[]): string {
  // Without a byte order mark, some programs take UTF-8 for another encoding.
  return `\uFEFF${rows.map((row) => `${row.map(formatCell).join(",")}\r\n`).join("")}`;
}

function formatCell(text: string): string {
  const marked = FORMULA.test(text) ? `'${text}` : text;
  return /[",;\r\n]/.test(marked) ? `"${marked.replaceAll('"', '""')}"` : marked;
}

export interface CsvRow {
  /** On which the row begins, counted from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** The separator is that of the first line: some programs write semicolons. Null: a quotation mark is not closed. */
export function parseCsv(text: string): CsvRow[] | null {
  const [, body = ""] = /^\uFEFF?([^]*)$/.exec(text) ?? [];
  const separator = /^[^\r\n,]*;/.test(body) ? ";" : ",";
  const cell = new RegExp(
    `(?:"((?:[^"]|"")*)"|([^"${separator}\r\n]*))(${separator}|\r?\n|\r|$)`,
    "y",
  );
  const rows: CsvRow[] = [];
  let [line, next, cells] = [1, 1, [] as string[]];
  while (cell.lastIndex < body.length || cells.length > 0) {
    const [all, quoted, plain = "", end] = cell.exec(body) ?? [];
    if (all === undefined) return null;
    const value = quoted?.replaceAll('""', '"') ?? plain;
    cells.push(MARKED.test(value) ? value.slice(1) : value);
    next += all.split(/\r\n|\n|\r/).length - 1;
    if (end === separator) continue;
    if (cells.some((one) => one !== "")) rows.push({ line, cells });
    [line, cells] = [next, []];
  }
  return rows;
}
