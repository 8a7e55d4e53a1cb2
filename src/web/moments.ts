/** Moments and days in the language and time zone of the reader. `local-times.ts` writes them again in a browser. */
import { createBoundedCache } from "../contract/bounded-cache.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../contract/durations.ts";
import type { Language } from "../contract/language.ts";
import { LOCALES } from "./format.ts";
import { html, type Html } from "./html.ts";

const DATES = {
  long: { day: "numeric", month: "long", year: "numeric" },
  /** For a line that has several facts. */
  short: { day: "numeric", month: "short", year: "numeric" },
} as const;
const TIME = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;

export interface Clock {
  readonly language: Language;
  readonly timeZone: string;
  readonly now: number;
}

export type DateLength = keyof typeof DATES;

/** "5 minutes ago, 14:05" within a day, "13 November 2026, 14:05" otherwise. */
export function moment(instant: number, clock: Clock, length: DateLength = "long"): Html {
  return timeElement(instant, `moment ${length}`, describeMoment(instant, clock, length));
}

/** `shown` is what a script needs to write the text again. */
function timeElement(instant: number, shown: string, text: string): Html {
  const iso = new Date(instant).toISOString();
  return html`<time datetime="${iso}" data-shown="${shown}">${text}</time>`;
}

export function describeMoment(
  instant: number,
  { language, timeZone, now }: Clock,
  length: DateLength = "long",
): string {
  const locale = LOCALES[language];
  const difference = instant - now;
  if (Math.abs(difference) >= DAY_MS) {
    return format(locale, timeZone, { ...DATES[length], ...TIME }, instant).replace(" at ", ", ");
  }
  return `${describeDifference(difference, language)}, ${format(locale, timeZone, TIME, instant)}`;
}

const NOW = {
  en: { past: "just now", future: "in a moment" },
  de: { past: "gerade eben", future: "gleich" },
};

function describeDifference(difference: number, language: Language): string {
  const minutes = Math.round(difference / MINUTE_MS);
  if (minutes === 0) return difference > 0 ? NOW[language].future : NOW[language].past;
  const relative = new Intl.RelativeTimeFormat(LOCALES[language], { numeric: "auto" });
  return Math.abs(difference) < HOUR_MS
    ? relative.format(minutes, "minute")
    : relative.format(Math.round(difference / HOUR_MS), "hour");
}

export function day(instant: number, clock: Clock, length: DateLength = "long"): Html {
  return timeElement(instant, `day ${length}`, describeDay(instant, clock, length));
}

export function describeDay(
  instant: number,
  { language, timeZone }: Pick<Clock, "language" | "timeZone">,
  length: DateLength,
): string {
  return format(LOCALES[language], timeZone, DATES[length], instant);
}

/** The parts of an event's date. A whole day has neither time nor zone. */
export interface EventDay {
  /** `YYYY-MM-DD` in the zone. */
  readonly iso: string;
  /** Weekday, day and month. */
  readonly label: string;
  readonly weekday: string;
  readonly dayOfMonth: string;
  readonly month: string;
  /** "November 2026". */
  readonly monthAndYear: string;
  /** Null for the current year. */
  readonly year: string | null;
  readonly time: string | null;
  /** "today", "in 3 days", "2 weeks ago". */
  readonly distance: string;
  readonly isPast: boolean;
}

/** Null without a valid date. */
export function describeEventDay(date: string | null, clock: Clock): EventDay | null {
  if (date === null) return null;
  const isWholeDay = /^\d{4}-\d{2}-\d{2}$/.test(date);
  const instant = Date.parse(date);
  if (Number.isNaN(instant)) return null;
  const zone = isWholeDay ? "UTC" : clock.timeZone;
  const locale = LOCALES[clock.language];
  const iso = isWholeDay ? date : isoDay(instant, zone);
  const today = isoDay(clock.now, clock.timeZone);
  const part = (options: Intl.DateTimeFormatOptions) => format(locale, zone, options, instant);
  const year = iso.slice(0, 4);
  return {
    iso,
    label: part({ weekday: "short", day: "numeric", month: "short" }),
    weekday: part({ weekday: "short" }),
    dayOfMonth: String(Number(iso.slice(8, 10))),
    month: part({ month: "short" }),
    monthAndYear: part({ month: "long", year: "numeric" }),
    year: year === today.slice(0, 4) ? null : year,
    time: isWholeDay ? null : part(TIME),
    distance: describeDistance(Math.round((Date.parse(iso) - Date.parse(today)) / DAY_MS), locale),
    isPast: iso < today,
  };
}

function describeDistance(days: number, locale: string): string {
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  const size = Math.abs(days);
  if (size < 14) return relative.format(days, "day");
  if (size < 60) return relative.format(Math.round(days / 7), "week");
  if (size < 365) return relative.format(Math.round(days / 30.4), "month");
  return relative.format(Math.round(days / 365.25), "year");
}

function isoDay(instant: number, timeZone: string): string {
  const date = { year: "numeric", month: "2-digit", day: "2-digit" } as const;
  return format("en-CA", timeZone, date, instant);
}

// Creating a formatter costs more than using it a hundred times.
const formatters = createBoundedCache<string, Intl.DateTimeFormat>(100);

function format(
  locale: string,
  timeZone: string,
  options: Intl.DateTimeFormatOptions,
  instant: number,
): string {
  const key = JSON.stringify([locale, timeZone, options]);
  let formatter = formatters.get(key);
  if (formatter === undefined) {
    formatter = new Intl.DateTimeFormat(locale, { ...options, timeZone });
    formatters.set(key, formatter);
  }
  return formatter.format(instant);
}
