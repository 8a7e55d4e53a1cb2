/** The date of an entry: a whole day, or an instant with the zone in which it is shown. */
import { parseDateTime } from "../../../contract/date-time.ts";
import {
  formatDay,
  formatInstant,
  isPlausible,
  readWallTime,
  wallTimeToInstant,
  type TimeZone,
} from "./time-zone.ts";

export type EntryDate =
  | { readonly kind: "day"; readonly wall: number }
  | { readonly kind: "moment"; readonly instant: number; readonly zone: TimeZone };

export type EntryDateResult = { readonly kind: "valid"; readonly date: EntryDate } | EntryDateError;

export interface EntryDateError {
  readonly kind: "invalid";
  readonly reason: "bad-date" | "date-out-of-range";
}

export const BAD_DATE: EntryDateError = { kind: "invalid", reason: "bad-date" };
const OUT_OF_RANGE: EntryDateError = { kind: "invalid", reason: "date-out-of-range" };

export function writeEntryDate(date: EntryDate): {
  readonly date: string;
  readonly dateAt: number;
} {
  if (date.kind === "day") return { date: formatDay(date.wall), dateAt: date.wall };
  return { date: formatInstant(date.instant, date.zone), dateAt: date.instant };
}

export function createDay(wall: number | null): EntryDateResult {
  if (wall === null) return BAD_DATE;
  return isPlausible(wall) ? { kind: "valid", date: { kind: "day", wall } } : OUT_OF_RANGE;
}

export function createMoment(
  wall: number | null,
  zone: TimeZone,
  shownZone: TimeZone = zone,
): EntryDateResult {
  if (wall === null) return BAD_DATE;
  return isPlausible(wall) ? momentAt(wallTimeToInstant(wall, zone), shownZone) : OUT_OF_RANGE;
}

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
const CLOCK_TIME = /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?$/;
const OFFSET = /([+-]\d{2}:\d{2})$/;

/** A time with an offset keeps it; a UTC time and one without an offset are shown in the account's zone. */
export function readEntryDate(text: string, accountZone: string): EntryDateResult {
  const day = DAY.exec(text);
  if (day !== null) return createDay(readWallTime(...numbersOf(day)));
  const clock = CLOCK_TIME.exec(text);
  if (clock !== null) return createMoment(readWallTime(...numbersOf(clock)), accountZone);
  const moment = parseDateTime(text);
  if (moment === null) return BAD_DATE;
  if (!isPlausible(moment)) return OUT_OF_RANGE;
  return momentAt(Math.floor(moment / 1000) * 1000, OFFSET.exec(text)?.[1] ?? accountZone);
}

function momentAt(instant: number, zone: TimeZone): EntryDateResult {
  return { kind: "valid", date: { kind: "moment", instant, zone } };
}

function numbersOf(match: RegExpExecArray): [number, number, number, ...number[]] {
  const [year, month, day, ...clock] = match.slice(1).map((part) => Number(part ?? 0));
  return [year ?? 0, month ?? 0, day ?? 0, ...clock];
}
