/** Moments and days as people read them, in the zone of the account. */
import { html, type Html } from "../html.ts";
import type { Language } from "../language.ts";

const LOCALES: Readonly<Record<Language, string>> = { en: "en-GB", de: "de-DE" };
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export interface Clock {
  readonly language: Language;
  readonly timeZone: string;
  readonly now: number;
}

/** "5 minutes ago, 14:05" while it is near, "13 November 2026, 14:05" when it is not. */
export function moment(instant: number, clock: Clock): Html {
  const iso = new Date(instant).toISOString();
  return html`<time datetime="${iso}">${describeMoment(instant, clock)}</time>`;
}

export function describeMoment(instant: number, { language, timeZone, now }: Clock): string {
  const locale = LOCALES[language];
  const difference = instant - now;
  const time = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
  if (Math.abs(difference) >= DAY_MS) {
    const date = { day: "numeric", month: "long", year: "numeric" } as const;
    return format(locale, timeZone, { ...date, ...time }, instant).replace(" at ", ", ");
  }
  return `${describeNear(difference, language)}, ${format(locale, timeZone, time, instant)}`;
}

const NOW: Readonly<Record<Language, { readonly past: string; readonly future: string }>> = {
  en: { past: "just now", future: "in a moment" },
  de: { past: "gerade eben", future: "gleich" },
};

function describeNear(difference: number, language: Language): string {
  const minutes = Math.round(difference / MINUTE_MS);
  if (minutes === 0) return difference > 0 ? NOW[language].future : NOW[language].past;
  const relative = new Intl.RelativeTimeFormat(LOCALES[language], { numeric: "auto" });
  return Math.abs(difference) < HOUR_MS
    ? relative.format(minutes, "minute")
    : relative.format(Math.round(difference / HOUR_MS), "hour");
}

/** A date without a time, far enough in the past or future that nobody asks for the hour. */
export function day(instant: number, { language, timeZone }: Clock): Html {
  const date = { day: "numeric", month: "long", year: "numeric" } as const;
  const iso = new Date(instant).toISOString();
  return html`<time datetime="${iso}">${format(LOCALES[language], timeZone, date, instant)}</time>`;
}

/** The parts of an event's date: a whole day has no time and no zone. */
export interface EventDay {
  /** `YYYY-MM-DD`, as seen from the zone. */
  readonly iso: string;
  /** Weekday, day and month in one. */
  readonly label: string;
  readonly weekday: string;
  readonly dayOfMonth: string;
  readonly month: string;
  /** Null in the year that is now. */
  readonly year: string | null;
  readonly time: string | null;
  /** "today", "in 3 days", "2 weeks ago". */
  readonly distance: string;
  readonly isPast: boolean;
}

/** Null when there is no date, or none that can be shown. */
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
  const time = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
  const year = iso.slice(0, 4);
  return {
    iso,
    label: part({ weekday: "short", day: "numeric", month: "short" }),
    weekday: part({ weekday: "short" }),
    dayOfMonth: String(Number(iso.slice(8, 10))),
    month: part({ month: "short" }),
    year: year === today.slice(0, 4) ? null : year,
    time: isWholeDay ? null : part(time),
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

/** Making a formatter costs more than using it a hundred times, but there are hundreds of zones. */
const formatters = new Map<string, Intl.DateTimeFormat>();
const MAX_FORMATTERS = 100;

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
    if (formatters.size >= MAX_FORMATTERS) formatters.clear();
    formatters.set(key, formatter);
  }
  return formatter.format(instant);
}
