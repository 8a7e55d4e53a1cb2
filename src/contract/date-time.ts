/** A date-time as every Trellis contract writes it: RFC 3339 with a calendar check. */

const PATTERN =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

/** Milliseconds since the epoch, or null when the text is no RFC 3339 date-time. */
export function parseDateTime(text: string): number | null {
  const match = PATTERN.exec(text);
  if (match === null) return null;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return null;
  // RFC 3339 5.6 allows a leap second; it is read as the last second before it.
  if (hour > 23 || minute > 59 || second > 60) return null;
  const offsetHour = Number(match[9] ?? 0);
  const offsetMinute = Number(match[10] ?? 0);
  if (offsetHour > 23 || offsetMinute > 59) return null;
  const milliseconds = Number((match[7] ?? "0").padEnd(3, "0").slice(0, 3));
  const utc = Date.UTC(2000, month - 1, day, hour, minute, Math.min(second, 59), milliseconds);
  // Date.UTC reads the years 0 to 99 as 1900 to 1999, so the year is set afterwards.
  const instant = new Date(utc).setUTCFullYear(year, month - 1, day);
  const offset = (offsetHour * 60 + offsetMinute) * 60_000;
  return match[8] === "-" ? instant + offset : instant - offset;
}

export function isDateTime(text: string): boolean {
  return parseDateTime(text) !== null;
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
