import assert from "node:assert/strict";
import type { ParsedEntry, ParsedFeed } from "../../../src/rules/events/ingest/entry.ts";
import { parseFeed, type ParseFeedOptions } from "../../../src/events/ingest/parse-feed.ts";

export const NOW = Date.parse("2026-11-15T12:00:00Z");

export const OPTIONS: ParseFeedOptions = {
  format: "ics",
  sourceId: "school",
  timeZone: "Europe/Berlin",
  now: NOW,
};

export function calendar(...lines: string[]): string {
  return [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Test//EN",
    ...lines,
    "END:VCALENDAR",
    "",
  ].join("\r\n");
}

export function event(...lines: string[]): string {
  return ["BEGIN:VEVENT", "DTSTAMP:20261101T080000Z", ...lines, "END:VEVENT"].join("\r\n");
}

export function todo(...lines: string[]): string {
  return ["BEGIN:VTODO", "DTSTAMP:20261101T080000Z", ...lines, "END:VTODO"].join("\r\n");
}

export async function read(
  source: string | Uint8Array,
  options: Partial<ParseFeedOptions> = {},
): Promise<ParsedFeed> {
  const bytes = typeof source === "string" ? new TextEncoder().encode(source) : source;
  const result = await parseFeed(bytes, { ...OPTIONS, ...options });
  assert.ok(result.kind === "parsed", JSON.stringify(result));
  return result.feed;
}

export async function readError(
  source: string | Uint8Array,
  options: Partial<ParseFeedOptions> = {},
): Promise<string> {
  const bytes = typeof source === "string" ? new TextEncoder().encode(source) : source;
  const result = await parseFeed(bytes, { ...OPTIONS, ...options });
  assert.ok(result.kind === "failed", "it could be read");
  return result.error.code;
}

/** What a person sees, in the order of the dates. */
export function listOf({ entries }: ParsedFeed): string[] {
  return entries
    .toSorted((one, other) => (one.dateAt ?? 0) - (other.dateAt ?? 0))
    .map(({ date, type, title, cancelled }) =>
      [date, type, title, ...(cancelled ? ["cancelled"] : [])].join(" "),
    );
}

export function theOnly({ entries }: ParsedFeed): ParsedEntry {
  const [entry, ...others] = entries;
  assert.ok(entry !== undefined);
  assert.deepEqual(others, []);
  return entry;
}

/** Index and reason of each. */
export function skippedOf({ skipped }: ParsedFeed): string[] {
  return skipped.list.map(({ index, reason }) => `${index} ${reason}`);
}
