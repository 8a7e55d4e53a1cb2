/** CSV with a header row that names the members of events. */
import { CsvError, parse, type InfoRecord } from "csv-parse/sync";
import type { FeedError, FeedResult } from "../../../rules/events/ingest/entry.ts";
import { MAX_ENTRIES } from "../../../rules/events/ingest/limits.ts";
import type { FeedBuilder } from "../feed-builder.ts";
import { addFileEntry, FILE_COLUMNS, readFileRecord } from "./file-entry.ts";

/** A quote that is never closed makes one row of the rest of the file. */
const MAX_ROW_CHARACTERS = 100_000;

export function parseCsv(text: string, builder: FeedBuilder): FeedResult {
  let columns: Columns | null = null;
  let error: FeedError | null = null;
  let index = 0;
  const readRow = (row: unknown, { lines }: Pick<InfoRecord, "lines">) => {
    // Without the option `columns` a row is the list of its cells.
    const cells = row as readonly string[];
    if (columns === null && error === null) {
      const header = readHeader(cells, builder);
      if ("code" in header) error = header;
      else columns = header;
    } else if (columns !== null && cells.some((cell) => cell.trim() !== "") && builder.readNext()) {
      addRow(cells, columns, { index: index++, line: lines }, builder);
    }
    // The parser keeps no rows.
    return null;
  };
  try {
    parse(text, {
      delimiter: findDelimiter(text),
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: MAX_ROW_CHARACTERS,
      // The header, and one row more than the builder accepts.
      to: MAX_ENTRIES + 2,
      on_record: readRow,
    });
  } catch (thrown) {
    if (!(thrown instanceof CsvError)) throw thrown;
    return { kind: "failed", error: toFeedError(thrown) };
  }
  return error === null ? builder.finish(null) : { kind: "failed", error };
}

interface Columns {
  readonly count: number;
  readonly indexByName: ReadonlyMap<string, number>;
}

/** The header alone decides, because titles may contain both characters. */
function findDelimiter(text: string): "," | ";" {
  const [header = ""] = text.trimStart().split(/\r|\n/, 1);
  const unquoted = header.replaceAll(/"[^"]*"/g, "");
  return unquoted.split(";").length > unquoted.split(",").length ? ";" : ",";
}

function readHeader(cells: readonly string[], builder: FeedBuilder): Columns | FeedError {
  const indexByName = new Map<string, number>();
  for (const [index, cell] of cells.entries()) {
    const name = cell.trim().toLowerCase();
    if (!FILE_COLUMNS.has(name)) {
      if (name !== "") builder.note("unknown-columns", cell);
    } else if (indexByName.has(name)) {
      return { code: "bad-header", detail: `the column ${name} appears twice` };
    } else indexByName.set(name, index);
  }
  if (!indexByName.has("title") && !indexByName.has("date")) return { code: "bad-header" };
  return { count: cells.length, indexByName };
}

function addRow(
  cells: readonly string[],
  { count, indexByName }: Columns,
  place: { readonly index: number; readonly line: number },
  builder: FeedBuilder,
): void {
  const cell = (name: string) => {
    const value = cells[indexByName.get(name) ?? -1] ?? "";
    if (value === "") return null;
    return name === "id" || name === "created_at" ? value.trim() : value;
  };
  if (cells.slice(count).some((extra) => extra.trim() !== "")) {
    const detail = `${cells.length} cells for ${count} columns`;
    builder.skip({ ...place, uid: cell("id") }, "bad-shape", detail);
    return;
  }
  addFileEntry(readFileRecord(cell, false), place, builder);
}

function toFeedError(error: CsvError): FeedError {
  const { lines } = error;
  const what = error.code === "CSV_MAX_RECORD_SIZE" ? "a row is too long" : "a quote is misplaced";
  const where = typeof lines === "number" ? ` at line ${lines}` : "";
  return { code: "malformed", detail: `${what}${where}` };
}
