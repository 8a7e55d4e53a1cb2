/** Wall-clock times of IANA zones, of fixed offsets written `+02:00`, and of a calendar's own zones. */
import { createBoundedCache } from "../../../contract/bounded-cache.ts";
import { DAY_MS, MINUTE_MS } from "../../../contract/durations.ts";
import { FIRST_YEAR, LAST_YEAR } from "./limits.ts";

/** An IANA name, a fixed offset, or the rules of a calendar's own zone. */
export type TimeZone = string | ZoneRules;

const QUARTER_MS = 15 * MINUTE_MS;
const FIXED_OFFSET = /^([+-])(\d{2}):(\d{2})$/;

let names: readonly string[] | undefined;

/** Lists zones by name, with UTC first. */
export function listTimeZones(): readonly string[] {
  names ??= ["UTC", ...Intl.supportedValuesOf("timeZone").filter((name) => name !== "UTC")];
  return names;
}

/** The IANA name in its usual spelling, or null when there is no such zone. */
export function parseTimeZone(text: string): string | null {
  // The default of a configuration: to load Intl's data takes an eighth of the time of a short command.
  if (text === "UTC") return text;
  // Intl takes offsets for zones, but they have no summer time.
  if (!/^[A-Za-z]/.test(text)) return null;
  try {
    return createFormat(text).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

export function isPlausible(wall: number): boolean {
  const year = new Date(wall).getUTCFullYear();
  return year >= FIRST_YEAR && year <= LAST_YEAR;
}

export function wallTimeToInstant(wall: number, zone: TimeZone): number {
  const before = offsetAt(wall - DAY_MS, zone);
  const instant = wall - before;
  // RFC 5545 3.3.5: a repeated time is its first occurrence.
  if (offsetAt(instant, zone) === before) return instant;
  const after = offsetAt(wall + DAY_MS, zone);
  if (offsetAt(wall - after, zone) === after) return wall - after;
  // A skipped time is read with the offset before the gap.
  return instant;
}

export function instantToWallTime(instant: number, zone: TimeZone): number {
  return instant + offsetAt(instant, zone);
}

/** RFC 3339 with the offset of the zone, to the second. */
export function formatInstant(instant: number, zone: TimeZone): string {
  const offset = offsetAt(instant, zone);
  const clock = new Date(instant + offset).toISOString().slice(0, 19);
  return `${clock}${formatOffset(offset)}`;
}

/** `+02:00`. */
export function formatOffset(offset: number): string {
  const minutes = Math.abs(offset) / MINUTE_MS;
  return `${offset < 0 ? "-" : "+"}${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
}

/** Intl is the slowest step of reading an entry, and the days of most entries recur. */
const offsetsByQuarter = createBoundedCache<string, number>(20_000);

function offsetAt(instant: number, zone: TimeZone): number {
  if (typeof zone !== "string") return offsetByRules(instant, zone);
  if (zone === "UTC") return 0;
  const fixed = FIXED_OFFSET.exec(zone);
  if (fixed !== null) {
    const offset = (Number(fixed[2]) * 60 + Number(fixed[3])) * MINUTE_MS;
    return fixed[1] === "-" ? -offset : offset;
  }
  const day = Math.floor(instant / DAY_MS) * DAY_MS;
  const offset = offsetAtQuarter(day, zone);
  // No zone has ever changed its offset twice within a day.
  if (offset === offsetAtQuarter(day + DAY_MS, zone)) return offset;
  // Zones change their offset only at quarters of an hour.
  return offsetAtQuarter(Math.floor(instant / QUARTER_MS) * QUARTER_MS, zone);
}

function offsetAtQuarter(quarter: number, zone: string): number {
  return offsetsByQuarter.getOrCreate(`${zone} ${quarter}`, () => lookUpOffset(quarter, zone));
}

/** The offset is in whole minutes: RFC 3339 has no seconds in the offsets of a hundred years ago. */
function lookUpOffset(instant: number, zone: string): number {
  const fields = new Map(
    formatsByZone
      .getOrCreate(zone, () => createFormat(zone))
      .formatToParts(instant)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const field = (name: Intl.DateTimeFormatPartTypes) => fields.get(name) ?? 0;
  const shown = Date.UTC(
    field("year"),
    field("month") - 1,
    field("day"),
    field("hour"),
    field("minute"),
    field("second"),
  );
  return Math.round((shown - instant) / MINUTE_MS) * MINUTE_MS;
}

/** The cache has room for more than the zones there are: upper and lower case give a name many spellings. */
const formatsByZone = createBoundedCache<string, Intl.DateTimeFormat>(1_000);

function createFormat(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat("en-US", {
    timeZone,
    calendar: "gregory",
    numberingSystem: "latn",
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}

/** A zone that a calendar defines itself: when its offset from UTC changes, and to what. */

export interface ZoneRules {
  /** The offset before the first change, in milliseconds. */
  readonly firstOffset: number;
  /** The changes are ordered by time. */
  readonly changes: readonly OffsetChange[];
}

export interface OffsetChange {
  readonly at: number;
  readonly offset: number;
}

/** The offset of the last change at or before the instant. */
function offsetByRules(instant: number, { firstOffset, changes }: ZoneRules): number {
  let begin = 0;
  let end = changes.length;
  while (begin < end) {
    const middle = (begin + end) >>> 1;
    if ((changes[middle]?.at ?? 0) <= instant) begin = middle + 1;
    else end = middle;
  }
  return changes[begin - 1]?.offset ?? firstOffset;
}
