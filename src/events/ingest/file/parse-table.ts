/**
 * CSV with a header row of event members. Cells that a spreadsheet would run as formulas are kept as
 * the text they are: nothing here runs them, and nothing writes CSV.
 */
import { CsvError, parse, type InfoRecord } from "csv-parse/sync";
import type { FeedError, FeedResult } from "../../../rules/events/ingest/entry.ts";
import { MAX_ENTRIES } from "../../../rules/events/ingest/limits.ts";
import type { EntryContext } from "../entry-context.ts";
import type { FeedBuilder } from "../feed-builder.ts";
import { addFileEntry } from "./add-file-entry.ts";
import { EVENT_COLUMNS } from "./event-columns.ts";

/** Of one row, in characters: a quote that is never closed makes one row of the rest. */
const MAX_ROW_CHARACTERS = 100_000;

export function parseTable(text: string, context: EntryContext, builder: FeedBuilder): FeedResult {
  let columns: Columns | null = null;
  let fault: FeedError | null = null;
  let index = 0;
  const readRow = (row: unknown, { lines }: Pick<InfoRecord, "lines">) => {
    // Without names of columns a row is a list of its cells.
    const cells = row as readonly string[];
    if (columns === null && fault === null) {
      const header = readHeader(cells, builder);
      if ("code" in header) fault = header;
      else columns = header;
    } else if (columns !== null && cells.some((cell) => cell.trim() !== "") && builder.readNext()) {
      addRow(cells, columns, { index: index++, line: lines }, context, builder);
    }
    // Nothing is kept in the parser.
    return null;
  };
  try {
    parse(text, {
      delimiter: findDelimiter(text),
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: MAX_ROW_CHARACTERS,
      // The header, and one row more than there may be, so that the builder notices.
      to: MAX_ENTRIES + 2,
      on_record: readRow,
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return { ok: false, fault: describeCsvError(error) };
  }
  return fault === null ? builder.finish(null) : { ok: false, fault };
}

interface Columns {
  readonly count: number;
  readonly indexByName: ReadonlyMap<string, number>;
}

/** By the header alone: titles may hold any number of the other one. */
function findDelimiter(text: string): "," | ";" {
  const [header = ""] = text.trimStart().split(/\r|\n/, 1);
  const unquoted = header.replaceAll(/"[^"]*"/g, "");
  return unquoted.split(";").length > unquoted.split(",").length ? ";" : ",";
}

function readHeader(cells: readonly string[], builder: FeedBuilder): Columns | FeedError {
  const indexByName = new Map<string, number>();
  for (const [index, cell] of cells.entries()) {
    const name = cell.trim().toLowerCase();
    if (!EVENT_COLUMNS.has(name)) {
      if (name !== "") builder.note("unknown-columns", cell);
    } else if (indexByName.has(name)) {
      return { code: "bad-header", detail: `the column ${name} is there twice` };
    } else indexByName.set(name, index);
  }
  if (!indexByName.has("title") && !indexByName.has("date")) return { code: "bad-header" };
  return { count: cells.length, indexByName };
}

function addRow(
  cells: readonly string[],
  { count, indexByName }: Columns,
  place: { readonly index: number; readonly line: number },
  context: EntryContext,
  builder: FeedBuilder,
): void {
  const cell = (name: string) => {
    const value = cells[indexByName.get(name) ?? -1] ?? "";
    return value === "" ? null : value;
  };
  if (cells.slice(count).some((extra) => extra.trim() !== "")) {
    const detail = `${cells.length} cells for ${count} columns`;
    builder.skip({ ...place, uid: cell("id") }, "bad-shape", detail);
    return;
  }
  const record = {
    id: cell("id")?.trim() ?? null,
    type: cell("type"),
    subject_name: cell("subject_name"),
    title: cell("title"),
    date: cell("date"),
    created_at: cell("created_at")?.trim() ?? null,
    deleted: false,
  };
  addFileEntry(record, place, context, builder);
}

function describeCsvError(error: CsvError): FeedError {
  const { lines } = error;
  const what = error.code === "CSV_MAX_RECORD_SIZE" ? "a row is too long" : "a quote is misplaced";
  const where = typeof lines === "number" ? ` at line ${lines}` : "";
  return { code: "malformed", detail: `${what}${where}` };
}
