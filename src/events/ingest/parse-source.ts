/** Reads the bytes of a source, whatever its format. */
import type { FeedError, FeedFormat, FeedResult } from "../../rules/events/ingest/entry.ts";
import { moveFolds } from "./calendar/move-folds.ts";
import { parseCalendar } from "./calendar/parse-calendar.ts";
import { createFeedBuilder, type SourceSettings } from "./feed-builder.ts";
import { FILE_COLUMNS } from "./file/file-entry.ts";
import { parseCsv } from "./file/parse-csv.ts";
import { parseJsonFeed } from "./file/parse-json.ts";

export interface SourceFile {
  readonly bytes: Uint8Array;
  /** A subscription is always a calendar; the format of a file is detected. */
  readonly format: FeedFormat | "auto";
  readonly fileName?: string;
}

const PARSERS = { ics: parseCalendar, csv: parseCsv, json: parseJsonFeed };

export function parseSource(
  { bytes, format, fileName }: SourceFile,
  settings: SourceSettings,
  report: (entriesRead: number) => void,
): FeedResult {
  const decoded = decodeText(beginsCalendar(bytes) ? moveFolds(bytes) : bytes);
  if (decoded.kind === "failed") return decoded;
  const { text } = decoded;
  // Some servers send a sign-in or an error page with status 200.
  if (/^\s*</.test(text)) return fail({ code: "html" });
  const found = format === "auto" ? detectFormat(text, fileName) : format;
  if (found === null) return fail({ code: "unknown-format" });
  if (found === "ics" && !isCalendar(text)) return fail({ code: "not-a-calendar" });
  return PARSERS[found](text, createFeedBuilder(found, settings, report));
}

export type DecodeResult = { readonly kind: "decoded"; readonly text: string } | DecodeFailure;
type DecodeFailure = Extract<FeedResult, { kind: "failed" }>;

/** UTF-8 only: a wrong guess at another encoding would garble umlauts. */
export function decodeText(bytes: Uint8Array): DecodeResult {
  if (looksLikeUtf16(bytes)) return fail({ code: "bad-encoding", detail: "it looks like UTF-16" });
  try {
    // The decoder leaves a byte order mark out.
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.trim() === "" ? fail({ code: "empty" }) : { kind: "decoded", text };
  } catch {
    const detail = "it looks like Latin-1 or Windows-1252, or is not text at all";
    return fail({ code: "bad-encoding", detail });
  }
}

const SAMPLE_BYTES = 1_000;

/** UTF-16 shows in its byte order mark, or because every other byte of Western text is zero. */
function looksLikeUtf16(bytes: Uint8Array): boolean {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return true;
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const zeros = sample.reduce((count, byte) => (byte === 0 ? count + 1 : count), 0);
  return zeros * 4 > sample.length;
}

const FORMATS_BY_EXTENSION = new Map<string, FeedFormat>([
  ["ics", "ics"],
  ["ical", "ics"],
  ["icalendar", "ics"],
  ["csv", "csv"],
  ["json", "json"],
]);

function detectFormat(text: string, fileName: string | undefined): FeedFormat | null {
  const extension = fileName?.split(".").at(-1)?.toLowerCase() ?? "";
  return FORMATS_BY_EXTENSION.get(extension) ?? detectByContent(text);
}

function detectByContent(text: string): FeedFormat | null {
  if (isCalendar(text)) return "ics";
  const begin = text.trimStart().slice(0, 1_000);
  if (/^[[{]/.test(begin)) return "json";
  const [header = ""] = begin.split(/\r|\n/, 1);
  const names = header.split(/[,;]/).map((name) => name.replaceAll('"', "").trim().toLowerCase());
  return names.some((name) => FILE_COLUMNS.has(name)) ? "csv" : null;
}

const CALENDAR_BEGIN = "BEGIN:VCALENDAR";

/** Looks at the bytes, because a calendar is unfolded before it is decoded. */
function beginsCalendar(bytes: Uint8Array): boolean {
  const places = [...Buffer.from("Bb")].map((letter) => bytes.indexOf(letter));
  const begin = Math.min(...places.filter((place) => place >= 0));
  if (begin === Infinity) return false;
  const decoder = new TextDecoder();
  const first = decoder.decode(bytes.subarray(begin, begin + CALENDAR_BEGIN.length));
  // Byte order marks are white space too.
  return (
    first.toUpperCase() === CALENDAR_BEGIN && decoder.decode(bytes.subarray(0, begin)).trim() === ""
  );
}

function isCalendar(text: string): boolean {
  return /^\s*BEGIN:VCALENDAR[ \t]*(?:\r|\n)/i.test(text);
}

function fail(error: FeedError): DecodeFailure {
  return { kind: "failed", error };
}
