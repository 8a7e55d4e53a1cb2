import assert from "node:assert/strict";
import type {
  FeedResult,
  ParsedEntry,
  ParsedFeed,
} from "../../../src/rules/events/ingest/entry.ts";
import { parseFeed, type ParseFeedOptions } from "../../../src/events/ingest/parse-feed.ts";
import { parseSource } from "../../../src/events/ingest/parse-source.ts";

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
  const result = await parse(source, options);
  assert.ok(result.kind === "parsed", JSON.stringify(result));
  return result.feed;
}

export async function readError(
  source: string | Uint8Array,
  options: Partial<ParseFeedOptions> = {},
): Promise<string> {
  const result = await parse(source, options);
  assert.ok(result.kind === "failed", "it could be read");
  return result.error.code;
}

/** In a thread only where there are limits: to start one takes longer than to read most sources. */
function parse(
  source: string | Uint8Array,
  given: Partial<ParseFeedOptions>,
): Promise<FeedResult> | FeedResult {
  const bytes = typeof source === "string" ? new TextEncoder().encode(source) : source;
  const options = { ...OPTIONS, ...given };
  if (options.limits !== undefined) return parseFeed(bytes, options);
  return parseSource({ ...options, bytes }, options, () => {});
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
