/** The dates of content lines (RFC 5545 3.3.4 and 3.3.5). */
import {
  BAD_DATE,
  createDay,
  createMoment,
  type EntryDate,
  type EntryDateError,
  type EntryDateResult,
} from "../../../rules/events/ingest/entry-date.ts";
import type { TimeZone } from "../../../rules/events/ingest/time-zone.ts";
import { readWallTime } from "../../../rules/events/wall-time.ts";
import type { ContentLine } from "./content-line.ts";

export interface CalendarDate {
  readonly date: EntryDate;
  /** The zone in which a recurrence rule is expanded. */
  readonly ruleZone: TimeZone;
}

export type CalendarDateResult =
  | { readonly kind: "valid"; readonly found: CalendarDate }
  | EntryDateError;

export interface DateReader {
  findZone(name: string): TimeZone;
  readonly accountZone: string;
}

export function readDate(line: ContentLine, reader: DateReader): CalendarDateResult {
  const { value, zoneName } = repairZoneName(line);
  // Some calendars write VALUE=DATE before a midnight.
  const isDay = line.parameters.get("VALUE")?.toUpperCase() === "DATE";
  return readValue(isDay ? value.replace(/T000000Z?$/i, "") : value, zoneName, reader);
}

/** The valid dates of a list; a period counts by its start. */
export function readDates(line: ContentLine, reader: DateReader): CalendarDate[] {
  const { value, zoneName } = repairZoneName(line);
  return value.split(",").flatMap((item) => {
    const [start = ""] = item.split("/", 1);
    const result = readValue(start, zoneName, reader);
    return result.kind === "valid" ? [result.found] : [];
  });
}

function readValue(
  source: string,
  zoneName: string | undefined,
  { findZone, accountZone }: DateReader,
): CalendarDateResult {
  const written = parseWrittenDate(source);
  if (written === null) return BAD_DATE;
  const { kind, wall } = written;
  if (kind === "day") return withZone(createDay(wall), "UTC");
  if (kind === "utc") return withZone(createMoment(wall, "UTC", accountZone), "UTC");
  // A floating time is one of the reader's zone.
  const zone = zoneName === undefined ? accountZone : findZone(zoneName);
  return withZone(createMoment(wall, zone), zone);
}

interface WrittenDate {
  readonly kind: "day" | "local" | "utc";
  /** Null when no calendar has the date. */
  readonly wall: number | null;
}

const WRITTEN = /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})(Z?))?$/i;

/** Null when the text is not written as a date. */
export function parseWrittenDate(source: string): WrittenDate | null {
  const match = WRITTEN.exec(source.trim());
  if (match === null) return null;
  const [year = 0, month = 0, day = 0, hour, minute, second] = match
    .slice(1, 7)
    .map((digits) => Number(digits ?? 0));
  const wall = readWallTime(year, month, day, hour, minute, second);
  if (match[4] === undefined) return { kind: "day", wall };
  return { kind: match[7] === "" ? "local" : "utc", wall };
}

function withZone(result: EntryDateResult, ruleZone: TimeZone): CalendarDateResult {
  return result.kind === "valid"
    ? { kind: "valid", found: { date: result.date, ruleZone } }
    : result;
}

/** `DTSTART;TZID=tzone://Microsoft/Utc:20260115T120000` lacks the quotes that a name with a colon needs. */
function repairZoneName({ parameters, value }: ContentLine): {
  readonly value: string;
  readonly zoneName: string | undefined;
} {
  const name = parameters.get("TZID")?.trim();
  const colon = value.lastIndexOf(":");
  if (name === undefined || colon < 0) return { value, zoneName: name === "" ? undefined : name };
  return { value: value.slice(colon + 1), zoneName: `${name}:${value.slice(0, colon)}` };
}
