/** The date of an entry: a whole day, or an instant with the zone in which it is shown. */
import { parseIsoDate } from "../iso-date.ts";
import { formatDay } from "../wall-time.ts";
import { formatInstant, isPlausible, wallTimeToInstant, type TimeZone } from "./time-zone.ts";

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

/** Databases and spreadsheets write a space before the time of day. */
const SPACE_BEFORE_TIME = /(?<=^\d{4}\S*) (?=\d)/;

/** A time with an offset keeps it; a UTC time and one without an offset are shown in the account's zone. */
export function readEntryDate(text: string, accountZone: string): EntryDateResult {
  const date = parseIsoDate(text.replace(SPACE_BEFORE_TIME, "T"));
  switch (date.kind) {
    case "day":
      return createDay(date.wall);
    case "local":
      return createMoment(Math.floor(date.wall / 1000) * 1000, accountZone);
    case "moment": {
      if (!isPlausible(date.instant)) return OUT_OF_RANGE;
      const zone = date.offset === "Z" ? accountZone : date.offset;
      return momentAt(Math.floor(date.instant / 1000) * 1000, zone);
    }
    case "invalid":
      return BAD_DATE;
  }
}

function momentAt(instant: number, zone: TimeZone): EntryDateResult {
  return { kind: "valid", date: { kind: "moment", instant, zone } };
}
