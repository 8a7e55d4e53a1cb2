/** Wall times: milliseconds since the epoch as if the clock on the wall showed UTC. */

/** Null when no calendar has it. */
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

/** `YYYY-MM-DD`. */
export function formatDay(wall: number): string {
  return new Date(wall).toISOString().slice(0, 10);
}
