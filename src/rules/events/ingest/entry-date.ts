/** When an entry is: a whole day, or a moment with the zone whose clocks it is told by. */
import { parseDateTime } from "../../../contract/date-time.ts";
import { formatDay, isPlausible, readWallTime } from "./calendar-day.ts";
import { formatInstant, wallTimeToInstant } from "./time-zone.ts";

export type EntryDate =
  | { readonly kind: "day"; readonly wall: number }
  | { readonly kind: "moment"; readonly instant: number; readonly zone: string };

export type EntryDateResult =
  | { readonly ok: true; readonly date: EntryDate }
  | { readonly ok: false; readonly reason: "bad-date" | "date-out-of-range" };

/** The two date members of an event. */
export function writeEntryDate(date: EntryDate): {
  readonly date: string;
  readonly dateAt: number;
} {
  if (date.kind === "day") return { date: formatDay(date.wall), dateAt: date.wall };
  return { date: formatInstant(date.instant, date.zone), dateAt: date.instant };
}

export function createDay(wall: number | null): EntryDateResult {
  if (wall === null) return { ok: false, reason: "bad-date" };
  if (!isPlausible(wall)) return { ok: false, reason: "date-out-of-range" };
  return { ok: true, date: { kind: "day", wall } };
}

/** A clock time of a zone. */
export function createMoment(wall: number | null, zone: string): EntryDateResult {
  if (wall === null) return { ok: false, reason: "bad-date" };
  if (!isPlausible(wall)) return { ok: false, reason: "date-out-of-range" };
  return { ok: true, date: { kind: "moment", instant: wallTimeToInstant(wall, zone), zone } };
}

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
const CLOCK_TIME = /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?$/;
const OFFSET = /([+-]\d{2}:\d{2})$/;

/**
 * A date of a table or a list: a day; a moment with an offset, which is kept; a UTC stamp or a time
 * without an offset, which are told by the clocks of the account.
 */
export function readEntryDate(text: string, accountZone: string): EntryDateResult {
  const day = DAY.exec(text);
  if (day !== null) return createDay(readWallTime(...numbersOf(day)));
  const clock = CLOCK_TIME.exec(text);
  if (clock !== null) return createMoment(readWallTime(...numbersOf(clock)), accountZone);
  const moment = parseDateTime(text);
  if (moment === null) return { ok: false, reason: "bad-date" };
  if (!isPlausible(moment)) return { ok: false, reason: "date-out-of-range" };
  const instant = Math.floor(moment / 1000) * 1000;
  const zone = OFFSET.exec(text)?.[1] ?? accountZone;
  return { ok: true, date: { kind: "moment", instant, zone } };
}

function numbersOf(match: RegExpExecArray): [number, number, number, ...number[]] {
  const [year, month, day, ...clock] = match.slice(1).map((part) => Number(part ?? 0));
  return [year ?? 0, month ?? 0, day ?? 0, ...clock];
}
