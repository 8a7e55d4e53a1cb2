/** Dates of iCalendar (RFC 5545 3.3.4 and 3.3.5). */
import {
  BAD_DATE,
  createDay,
  createMoment,
  type EntryDate,
  type EntryDateError,
  type EntryDateResult,
} from "../../../rules/events/ingest/entry-date.ts";
import { readWallTime } from "../../../rules/events/ingest/time-zone.ts";
import type { ContentLine } from "./content-line.ts";
import type { FindZone } from "./find-zone.ts";

export interface CalendarDate {
  readonly date: EntryDate;
  /** The zone in which a recurrence rule is expanded. */
  readonly ruleZone: string;
}

export type CalendarDateResult =
  | { readonly kind: "valid"; readonly found: CalendarDate }
  | EntryDateError;

const DATE = /^(\d{4})(\d{2})(\d{2})$/;
const DATE_TIME = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})(Z?)$/i;

export interface DateReader {
  readonly findZone: FindZone;
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
  const text = source.trim();
  const day = DATE.exec(text);
  if (day !== null) return withZone(createDay(wallTimeOf(day)), "UTC");
  const time = DATE_TIME.exec(text);
  if (time === null) return BAD_DATE;
  const wall = wallTimeOf(time);
  if (time[7] !== "") return withZone(createMoment(wall, "UTC", accountZone), "UTC");
  // A floating time is one of the reader's zone.
  const zone = zoneName === undefined ? accountZone : findZone(zoneName);
  return withZone(createMoment(wall, zone), zone);
}

function withZone(result: EntryDateResult, ruleZone: string): CalendarDateResult {
  return result.kind === "valid"
    ? { kind: "valid", found: { date: result.date, ruleZone } }
    : result;
}

function wallTimeOf(match: RegExpExecArray): number | null {
  const at = (index: number) => Number(match[index] ?? 0);
  return readWallTime(at(1), at(2), at(3), at(4), at(5), at(6));
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
