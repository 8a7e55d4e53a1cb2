/** Clock times of IANA zones, and of fixed offsets written `+02:00`. */
import { DAY_MS } from "./calendar-day.ts";

const MINUTE_MS = 60_000;
const FIXED_OFFSET = /^([+-])(\d{2}):(\d{2})$/;
/** More than there are zones; upper and lower case make many spellings of each. */
const MAX_FORMATS = 1_000;
const QUARTER_MS = 15 * MINUTE_MS;
const MAX_KNOWN_OFFSETS = 20_000;

export function isTimeZone(name: string): boolean {
  try {
    createFormat(name);
    return true;
  } catch {
    return false;
  }
}

/** The moment at which clocks of the zone show this. */
export function wallTimeToInstant(wall: number, zone: string): number {
  const before = offsetAt(wall - DAY_MS, zone);
  const instant = wall - before;
  // RFC 5545 3.3.5: of a time that comes twice the first is meant.
  if (offsetAt(instant, zone) === before) return instant;
  const after = offsetAt(wall + DAY_MS, zone);
  if (offsetAt(wall - after, zone) === after) return wall - after;
  // And one that is left out is read with the offset that was good before.
  return instant;
}

/** What clocks of the zone show, in milliseconds as if it were UTC. */
export function instantToWallTime(instant: number, zone: string): number {
  return instant + offsetAt(instant, zone);
}

/** RFC 3339 with the offset of the zone, to the second. */
export function formatInstant(instant: number, zone: string): string {
  const offset = offsetAt(instant, zone);
  const minutes = Math.abs(offset) / MINUTE_MS;
  const clock = new Date(instant + offset).toISOString().slice(0, 19);
  return `${clock}${offset < 0 ? "-" : "+"}${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
}

function offsetAt(instant: number, zone: string): number {
  if (zone === "UTC") return 0;
  const fixed = FIXED_OFFSET.exec(zone);
  if (fixed !== null) {
    const offset = (Number(fixed[2]) * 60 + Number(fixed[3])) * MINUTE_MS;
    return fixed[1] === "-" ? -offset : offset;
  }
  // Clocks are changed at quarters of an hour. Lessons and deadlines fall on few of them, and asking
  // for an offset takes longer than all else that is done to an entry.
  const quarter = Math.floor(instant / QUARTER_MS) * QUARTER_MS;
  const key = `${zone} ${quarter}`;
  const known = knownOffsets.get(key);
  if (known !== undefined) return known;
  if (knownOffsets.size >= MAX_KNOWN_OFFSETS) knownOffsets.clear();
  const offset = lookUpOffset(quarter, zone);
  knownOffsets.set(key, offset);
  return offset;
}

const knownOffsets = new Map<string, number>();

/** In whole minutes: RFC 3339 has no seconds for the offsets of a hundred years ago. */
function lookUpOffset(instant: number, zone: string): number {
  const fields = new Map(
    formatOf(zone)
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

const formatsByZone = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formatsByZone.get(zone);
  if (known !== undefined) return known;
  if (formatsByZone.size >= MAX_FORMATS) formatsByZone.clear();
  const format = createFormat(zone);
  formatsByZone.set(zone, format);
  return format;
}

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
