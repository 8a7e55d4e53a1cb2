/** Days and clock times as people write them, before any zone. */
import { FIRST_YEAR, LAST_YEAR } from "./limits.ts";

export const DAY_MS = 86_400_000;

/** The clock time in milliseconds, as if it were one of UTC; null when no calendar has it. */
export function readWallTime(
  year: number,
  month: number,
  day: number,
  hour = 0,
  minute = 0,
  second = 0,
): number | null {
  if (hour > 23 || minute > 59 || second > 60) return null;
  // RFC 5545 3.3.12: a leap second is read as the last second before it.
  const wall = Date.UTC(2000, month - 1, day, hour, minute, Math.min(second, 59));
  // Date.UTC reads the years 0 to 99 as 1900 to 1999, so the year is set afterwards.
  const date = new Date(wall);
  date.setUTCFullYear(year, month - 1, day);
  const isSame = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isSame ? date.getTime() : null;
}

export function isPlausible(wall: number): boolean {
  const year = new Date(wall).getUTCFullYear();
  return year >= FIRST_YEAR && year <= LAST_YEAR;
}

/** `YYYY-MM-DD`. */
export function formatDay(wall: number): string {
  return new Date(wall).toISOString().slice(0, 10);
}
