/** The occurrences of a recurrence rule (RFC 5545 3.3.10) within a window, up to a limit. */
import { RRuleTemporal } from "rrule-temporal";
import { DAY_MS } from "../../../contract/durations.ts";
import type { FeedWindow } from "../../../rules/events/ingest/entry.ts";
import type { EntryDate } from "../../../rules/events/ingest/entry-date.ts";
import { MAX_OCCURRENCES } from "../../../rules/events/ingest/limits.ts";
import {
  formatInstant,
  instantToWallTime,
  wallTimeToInstant,
} from "../../../rules/events/ingest/time-zone.ts";
import { formatDay } from "../../../rules/events/wall-time.ts";
import { parseWrittenDate, type CalendarDate } from "./read-date.ts";
import { readDensity } from "./recurrence-rule.ts";
import type { SearchBudget } from "./search-budget.ts";

export interface Expansion {
  readonly dates: readonly EntryDate[];
  /** Whether the window has more occurrences. */
  readonly isCut: boolean;
}

const MAX_RULE_CHARACTERS = 500;
const RULE = /^[A-Z0-9=;,:+-]+$/i;

/** One call, which cannot be interrupted, takes less than a second for this number: three a day for nine years. */
const MAX_CANDIDATES = 10_000;
/** More occurrences a day than a usual rule has: every quarter of an hour is 96. */
const MANY_A_DAY = 100;

/** Null when the rule is invalid or too costly. */
export function expandSeries(
  start: CalendarDate,
  rule: string,
  window: FeedWindow,
  budget: SearchBudget,
): Expansion | null {
  if (rule.length > MAX_RULE_CHARACTERS || !RULE.test(rule)) return null;
  const text = rule.toUpperCase();
  const density = readDensity(text);
  if (density.perDay > MANY_A_DAY && budget.isUsedUp()) return null;
  const clock = clockOf(start);
  const search = budget.beginRule();
  try {
    const series = new RRuleTemporal({
      rruleString: `RRULE:${normalizeUntil(text, start, clock)}`,
      dtstart: toZonedDateTime(start, clock),
      ...(density.isCostly && { maxCandidateEvaluations: MAX_CANDIDATES }),
    });
    const dates: EntryDate[] = [];
    const slices = slicesOf(window, density.perDay);
    for (const { from, to } of slices.list) {
      if (!search.mayGoOn()) return { dates, isCut: true };
      const [begin, end] = [clock.toLibrary(from), clock.toLibrary(to)];
      for (const { epochMilliseconds } of series.between(new Date(begin), new Date(end), true)) {
        const instant = clock.fromLibrary(epochMilliseconds);
        if (instant !== null) dates.push(toOccurrence(instant, start.date));
      }
      if (dates.length > MAX_OCCURRENCES) {
        return { dates: dates.slice(0, MAX_OCCURRENCES), isCut: true };
      }
    }
    return { dates, isCut: slices.isCut };
  } catch {
    return null;
  } finally {
    search.mayGoOn();
  }
}

/** How the library sees the time of a series. */
interface SeriesClock {
  readonly timeZoneId: string;
  toLibrary(instant: number): number;
  /** Null for a time that the zone skips (RFC 5545 3.3.10). */
  fromLibrary(time: number): number | null;
}

/** The library does not know a calendar's own zones: their wall clock counts as UTC. */
function clockOf({ date, ruleZone }: CalendarDate): SeriesClock {
  const zone = date.kind === "day" ? "UTC" : ruleZone;
  if (typeof zone === "string") {
    return { timeZoneId: zone, toLibrary: (instant) => instant, fromLibrary: (time) => time };
  }
  return {
    timeZoneId: "UTC",
    toLibrary: (instant) => instantToWallTime(instant, zone),
    fromLibrary: (wall) => {
      const instant = wallTimeToInstant(wall, zone);
      return instantToWallTime(instant, zone) === wall ? instant : null;
    },
  };
}

/** What the library needs of a Temporal.ZonedDateTime. Whole days are midnights of UTC. */
function toZonedDateTime({ date }: CalendarDate, { timeZoneId, toLibrary }: SeriesClock) {
  const time = toLibrary(date.kind === "day" ? date.wall : date.instant);
  return { timeZoneId, toString: () => `${formatInstant(time, timeZoneId)}[${timeZoneId}]` };
}

function toOccurrence(instant: number, start: EntryDate): EntryDate {
  return start.kind === "day"
    ? { kind: "day", wall: Math.floor(instant / DAY_MS) * DAY_MS }
    : { ...start, instant };
}

const UNTIL = /UNTIL=(\d{8}T\d{6}Z?)/;

/**
 * RFC 5545 3.3.10: UNTIL is a date where DTSTART is one, else a UTC time. Calendars that break this
 * are read as they are meant: a time beside a whole day is its date, a local time is one of the zone.
 */
function normalizeUntil(
  rule: string,
  { date, ruleZone }: CalendarDate,
  { toLibrary }: SeriesClock,
): string {
  const { kind, wall = null } = parseWrittenDate(UNTIL.exec(rule)?.[1] ?? "") ?? {};
  if (wall === null) return rule;
  const isUtc = kind === "utc";
  if (date.kind === "day") {
    // Outlook ends a series at midnight of a zone east of UTC, which may lie before its only day.
    const isDayBefore = isUtc && wall < date.wall && date.wall - wall < DAY_MS;
    return rule.replace(UNTIL, `UNTIL=${compact(formatDay(isDayBefore ? date.wall : wall))}`);
  }
  const instant = isUtc ? wall : wallTimeToInstant(wall, ruleZone);
  const time = new Date(toLibrary(instant)).toISOString().slice(0, 19);
  return rule.replace(UNTIL, `UNTIL=${compact(time)}Z`);
}

function compact(time: string): string {
  return time.replaceAll(/[-:]/g, "");
}

/** Bounds the search of a rule that could have many occurrences a day, and has none. */
const MAX_SLICES = 500;

/** The library lists a whole slice at once, so none may contain many more than the limit. */
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
