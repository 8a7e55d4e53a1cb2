/** Reads a source in whatever format it has. Runs in a worker: what it reads may be made to do harm. */
import type { FeedFormat, FeedResult } from "../../rules/events/ingest/entry.ts";
import { parseCalendar } from "./calendar/parse-calendar.ts";
import { decodeText } from "./decode-text.ts";
import { detectFormat, isCalendar, isMarkup } from "./detect-format.ts";
import { createEntryContext, type SourceSettings } from "./entry-context.ts";
import { createFeedBuilder } from "./feed-builder.ts";
import { parseList } from "./file/parse-list.ts";
import { parseTable } from "./file/parse-table.ts";

export interface SourceFile {
  readonly bytes: Uint8Array;
  /** A subscription is always a calendar; a file may be anything. */
  readonly format: FeedFormat | "auto";
  readonly fileName?: string;
}

const PARSERS = { ics: parseCalendar, csv: parseTable, json: parseList };

export function parseSource(
  { bytes, format, fileName }: SourceFile,
  settings: SourceSettings,
  report: (entriesRead: number) => void,
): FeedResult {
  const decoded = decodeText(bytes);
  if (!decoded.ok) return decoded;
  const { text } = decoded;
  if (isMarkup(text)) return { ok: false, fault: { code: "html" } };
  const found = format === "auto" ? detectFormat(text, fileName) : format;
  if (found === null) return { ok: false, fault: { code: "unknown-format" } };
  if (found === "ics" && !isCalendar(text)) return { ok: false, fault: { code: "not-a-calendar" } };
  return PARSERS[found](text, createEntryContext(settings), createFeedBuilder(found, report));
}
