/** Days as `YYYY-MM-DD`. Arithmetic is in UTC, where every day has 24 hours. */

/** For the names of the days of the week. */
export const SOME_MONDAY = "2024-01-01";

export function addDays(day: string, count: number): string {
  const date = toDate(day);
  date.setUTCDate(date.getUTCDate() + count);
  return date.toISOString().slice(0, 10);
}

/** 1 is Monday, 7 is Sunday (ISO 8601). */
export function weekdayOf(day: string): number {
  return toDate(day).getUTCDay() || 7;
}

export function mondayOf(day: string): string {
  return addDays(day, 1 - weekdayOf(day));
}

/** Seven days; this one is the last. */
export function weekUntil(day: string): string[] {
  return Array.from({ length: 7 }, (_, index) => addDays(day, index - 6));
}

/** Seven days from a Monday. */
export function weekFrom(monday: string): string[] {
  return Array.from({ length: 7 }, (_, index) => addDays(monday, index));
}

/** The first day of a month, `offset` months from that of the day. */
export function monthOf(day: string, offset = 0): string {
  const date = toDate(day);
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + offset);
  return date.toISOString().slice(0, 10);
}

export function daysOfMonth(firstDay: string): string[] {
  const count = (toDate(monthOf(firstDay, 1)).getTime() - toDate(firstDay).getTime()) / 86_400_000;
  return Array.from({ length: count }, (_, index) => addDays(firstDay, index));
}

export function formatDay(
  day: string,
  language: string,
  options: Intl.DateTimeFormatOptions,
): string {
  return new Intl.DateTimeFormat(language, { ...options, timeZone: "UTC" }).format(toDate(day));
}

/** Only days that exist, of years with four digits. */
export function isDay(value: unknown): value is string {
  if (typeof value !== "string" || !/^\d{4}-\d\d-\d\d$/.test(value)) return false;
  const date = toDate(value);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
}

function toDate(day: string): Date {
  return new Date(`${day}T00:00:00Z`);
}
