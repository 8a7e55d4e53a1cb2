/**
 * ISO 8601 in every form that names a day or a moment: calendar, week and ordinal dates, extended and
 * basic, with a time of day or without.
 */
import { DAY_MS } from "../../contract/durations.ts";
import { readIsoTime, type IsoForm, type IsoTime } from "./iso-time.ts";
import { readWallTime } from "./wall-time.ts";

export type IsoDate =
  /** A whole day, by its midnight. */
  | { readonly kind: "day"; readonly wall: number }
  /** A time of day without an offset. */
  | { readonly kind: "local"; readonly wall: number }
  /** Milliseconds since the epoch. `offset` is `Z`, or as in `+02:00`. */
  | { readonly kind: "moment"; readonly instant: number; readonly offset: string };

/** Why the date of an event is not one day of the calendar. */
export type IsoDateError =
  /** It names a year, a month, a week, or a time of day alone. */
  | "date-without-day"
  /** The year has a sign. */
  | "expanded-year"
  /** Only an offset may be basic beside the extended form. */
  | "mixed-forms"
  /** It is not ISO 8601, or no calendar has it. */
  | "invalid-date";

export type IsoDateResult = IsoDate | { readonly kind: "invalid"; readonly reason: IsoDateError };

export function parseIsoDate(text: string): IsoDateResult {
  const [date = "", time] = text.split(/[Tt](.*)/s, 2);
  const day = readDay(date);
  if (time === undefined) return typeof day === "string" ? refuse(day) : nameDay("day", day.wall);
  const clock = readIsoTime(time);
  if (date === "" && typeof clock !== "string") return refuse("date-without-day");
  if (typeof day === "string") return refuse(day);
  if (typeof clock === "string") return refuse(clock);
  if (isMixed(day.form, clock)) return refuse("mixed-forms");
  const wall = day.wall + clock.sinceMidnight;
  if (clock.offset === null) return nameDay("local", wall);
  const { text: offset, ms } = clock.offset;
  return { kind: "moment", instant: wall - ms, offset };
}

/** Milliseconds since the epoch; null where the text names no moment, as without an offset. */
export function parseMoment(text: string): number | null {
  const date = parseIsoDate(text);
  return date.kind === "moment" ? date.instant : null;
}

function refuse(reason: IsoDateError): IsoDateResult {
  return { kind: "invalid", reason };
}

const YEAR_10000 = Date.UTC(10_000, 0);

/** 24:00 on the last day of 9999 is on a day that has no four digits for its year. */
function nameDay(kind: "day" | "local", wall: number): IsoDateResult {
  return wall < YEAR_10000 ? { kind, wall } : refuse("invalid-date");
}

function isMixed(form: IsoForm, { form: ofTime, offset }: IsoTime): boolean {
  const isBasicWithColon = form === "basic" && offset?.form === "extended";
  return (ofTime !== null && ofTime !== form) || isBasicWithColon;
}

interface Day {
  readonly form: IsoForm;
  readonly wall: number;
}

const CALENDAR = /^(\d{4})(-?)(\d\d)\2(\d\d)$/;
const ORDINAL = /^(\d{4})(-?)(\d{3})$/;
const WEEK = /^(\d{4})(-?)W(\d\d)\2(\d)$/;

function readDay(text: string): Day | IsoDateError {
  for (const [pattern, find] of [
    [CALENDAR, readWallTime],
    [ORDINAL, findOrdinalDay],
    [WEEK, findWeekDay],
  ] as const) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const wall = find(Number(match[1]), Number(match[3]), Number(match[4]));
    if (wall === null) return "invalid-date";
    return { form: match[2] === "" ? "basic" : "extended", wall };
  }
  return findDateError(text);
}

function findOrdinalDay(year: number, day: number): number | null {
  const wall = (readWallTime(year, 1, 1) ?? 0) + (day - 1) * DAY_MS;
  return new Date(wall).getUTCFullYear() === year ? wall : null;
}

/** The week of a year is the one that its Thursday is in. */
function findWeekDay(year: number, week: number, day: number): number | null {
  const fourth = readWallTime(year, 1, 4) ?? 0;
  const firstMonday = fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * DAY_MS;
  const monday = firstMonday + (week - 1) * 7 * DAY_MS;
  const hasWeek = new Date(monday + 3 * DAY_MS).getUTCFullYear() === year;
  return hasWeek && day >= 1 && day <= 7 ? monday + (day - 1) * DAY_MS : null;
}

const EXPANDED = /^[+-]\d{4}/;
/** A century, a decade, a year, a month, a week, or, up to the edition of 2000, no year. */
const WITHOUT_DAY = /^(?:\d{2,4}|\d{4}-\d\d|\d{4}-?W\d\d|--[\d-]+|-\d{3}|-W[\d-]+)$/;
const MIXED = /^\d{4}(?:-\d{4}|\d\d-\d\d|-W\d{3}|W\d\d-\d)$/;

function findDateError(text: string): IsoDateError {
  if (EXPANDED.test(text)) return "expanded-year";
  if (WITHOUT_DAY.test(text)) return "date-without-day";
  return MIXED.test(text) ? "mixed-forms" : "invalid-date";
}
