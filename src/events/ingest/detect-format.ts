/** Which format a text has: by the name of its file, else by how it begins. */
import type { FeedFormat } from "../../rules/events/ingest/entry.ts";
import { EVENT_COLUMNS } from "./file/event-columns.ts";

const FORMATS_BY_ENDING = new Map<string, FeedFormat>([
  ["ics", "ics"],
  ["ical", "ics"],
  ["icalendar", "ics"],
  ["csv", "csv"],
  ["json", "json"],
]);

export function detectFormat(text: string, fileName: string | undefined): FeedFormat | null {
  const ending = fileName?.split(".").at(-1)?.toLowerCase() ?? "";
  return FORMATS_BY_ENDING.get(ending) ?? detectByContent(text);
}

function detectByContent(text: string): FeedFormat | null {
  if (isCalendar(text)) return "ics";
  const begin = text.trimStart().slice(0, 1_000);
  if (/^[[{]/.test(begin)) return "json";
  const [header = ""] = begin.split(/\r|\n/, 1);
  const names = header.split(/[,;]/).map((name) => name.replaceAll('"', "").trim().toLowerCase());
  return names.some((name) => EVENT_COLUMNS.has(name)) ? "csv" : null;
}

export function isCalendar(text: string): boolean {
  return /^\s*BEGIN:VCALENDAR[ \t]*(?:\r|\n)/i.test(text);
}

/** A page to sign in at, or one that says what went wrong, whatever the status was. */
export function isMarkup(text: string): boolean {
  return /^\s*</.test(text);
}
