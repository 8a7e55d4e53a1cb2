/** The occurrences of a rule within a window, and never more than we are ready to take. */
import ical from "node-ical";
import { DAY_MS, readWallTime } from "../../../rules/events/ingest/calendar-day.ts";
import type { FeedWindow } from "../../../rules/events/ingest/entry.ts";
import type { EntryDate } from "../../../rules/events/ingest/entry-date.ts";
import { MAX_OCCURRENCES } from "../../../rules/events/ingest/limits.ts";
import { instantToWallTime } from "../../../rules/events/ingest/time-zone.ts";
import type { CalendarDate } from "./read-date.ts";

export interface Expansion {
  readonly dates: readonly EntryDate[];
  /** There are more within the window. */
  readonly isCut: boolean;
}

const MAX_RULE_CHARACTERS = 500;
const RULE = /^[A-Z0-9=;,:+-]+$/i;

/** Null when the rule cannot be followed: it is none, or searching for its occurrences finds no end. */
export function expandSeries(
  start: CalendarDate,
  rule: string,
  window: FeedWindow,
): Expansion | null {
  if (rule.length > MAX_RULE_CHARACTERS || !RULE.test(rule)) return null;
  const text = rule.toUpperCase();
  try {
    const found = ical.sync.parseICS(writeSeries(start, text))["series"];
    if (found?.type !== "VEVENT" || found.rrule === undefined) return null;
    const { rrule } = found;
    const dates: EntryDate[] = [];
    const slices = slicesOf(window, occurrencesPerDay(text));
    for (const { from, to } of slices.list) {
      const slice = rrule.between(new Date(from), new Date(to), true);
      for (const date of slice) dates.push(readOccurrence(date, start.date));
      if (dates.length > MAX_OCCURRENCES) {
        return { dates: dates.slice(0, MAX_OCCURRENCES), isCut: true };
      }
    }
    return { dates, isCut: slices.isCut };
  } catch {
    // The library counts its steps, and gives up.
    return null;
  }
}

/** Dates are written anew, so that the library meets only what was checked. */
function writeSeries({ date, ruleZone }: CalendarDate, rule: string): string {
  return [
    "BEGIN:VCALENDAR",
    "BEGIN:VEVENT",
    "UID:series",
    `DTSTART${writeStart(date, ruleZone)}`,
    `RRULE:${rule}`,
    "END:VEVENT",
    "END:VCALENDAR",
  ].join("\n");
}

function writeStart(date: EntryDate, ruleZone: string): string {
  if (date.kind === "day") return `;VALUE=DATE:${compact(date.wall).slice(0, 8)}`;
  if (ruleZone === "UTC") return `:${compact(date.instant)}Z`;
  const wall = compact(instantToWallTime(date.instant, ruleZone));
  // An offset is no number, which the library would take it for, and its colon would end the name.
  const zone = /^[+-]/.test(ruleZone) ? `UTC${ruleZone.replace(":", "")}` : ruleZone;
  return `;TZID=${zone}:${wall}`;
}

function compact(wall: number): string {
  return new Date(wall).toISOString().slice(0, 19).replaceAll(/[-:]/g, "");
}

/** The library gives days as midnights of this machine's zone. */
function readOccurrence(occurrence: Date, start: EntryDate): EntryDate {
  if (start.kind === "moment") return { ...start, instant: occurrence.getTime() };
  const wall = readWallTime(
    occurrence.getFullYear(),
    occurrence.getMonth() + 1,
    occurrence.getDate(),
  );
  return { kind: "day", wall: wall ?? start.wall };
}

/** At most; rules that leave days out have fewer. */
function occurrencesPerDay(rule: string): number {
  const parts = new Map(
    rule.split(";").map((part) => {
      const [name = "", value = ""] = part.split("=");
      return [name, value];
    }),
  );
  const choices = (name: string) => new Set(parts.get(name)?.split(",") ?? [""]).size;
  const interval = Math.max(1, Number(parts.get("INTERVAL") ?? 1) || 1);
  const each = (unitsPerDay: number) => Math.max(1, unitsPerDay / interval);
  switch (parts.get("FREQ")) {
    case "SECONDLY":
      return each(86_400);
    case "MINUTELY":
      return each(1_440) * choices("BYSECOND");
    case "HOURLY":
      return each(24) * choices("BYMINUTE") * choices("BYSECOND");
    default:
      return choices("BYHOUR") * choices("BYMINUTE") * choices("BYSECOND");
  }
}

/** A rule that could have many occurrences each day, and has none, is not searched for ever. */
const MAX_SLICES = 500;

/** So narrow that none holds many more occurrences than are taken, since each is listed whole. */
function slicesOf(
  { from, to }: FeedWindow,
  perDay: number,
): { readonly list: readonly FeedWindow[]; readonly isCut: boolean } {
  if (perDay <= 1) return { list: [{ from, to }], isCut: false };
  const width = Math.ceil((MAX_OCCURRENCES / perDay) * DAY_MS);
  const wanted = Math.ceil((to - from + 1) / width);
  const list = Array.from({ length: Math.min(wanted, MAX_SLICES) }, (_, index) => {
    const begin = from + index * width;
    return { from: begin, to: Math.min(begin + width - 1, to) };
  });
  return { list, isCut: wanted > MAX_SLICES };
}
