const PATTERN =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

/** Milliseconds since the epoch, or null when the text is not an RFC 3339 date-time. */
export function parseDateTime(text: string): number | null {
  const match = PATTERN.exec(text);
  if (match === null || !isInCalendar(text)) return null;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const second = Math.min(Number(match[6]), 59);
  const milliseconds = Number((match[7] ?? "0").padEnd(3, "0").slice(0, 3));
  const utc = Date.UTC(
    2000,
    month - 1,
    day,
    Number(match[4]),
    Number(match[5]),
    second,
    milliseconds,
  );
  // Date.UTC reads the years 0 to 99 as 1900 to 1999, so the year is set afterwards.
  const instant = new Date(utc).setUTCFullYear(year, month - 1, day);
  const offset = (Number(match[9] ?? 0) * 60 + Number(match[10] ?? 0)) * 60_000;
  return match[8] === "-" ? instant + offset : instant - offset;
}

/** Does not compute the instant: every pushed operation is checked. */
export function isDateTime(text: string): boolean {
  return PATTERN.test(text) && isInCalendar(text);
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Tells whether a text is a date such as 2026-01-31. */
export function isDate(text: string): boolean {
  return DATE.test(text) && isDay(text);
}

/** Reads digits by position: the text must match the pattern. */
function isInCalendar(text: string): boolean {
  return (
    isDay(text) &&
    twoDigits(text, 11) <= 23 &&
    twoDigits(text, 14) <= 59 &&
    // RFC 3339 5.6 allows a leap second; it is read as the last second before it.
    twoDigits(text, 17) <= 60 &&
    hasOffset(text)
  );
}

function hasOffset(text: string): boolean {
  const end = text.length;
  return (
    text.charCodeAt(end - 3) !== COLON ||
    (twoDigits(text, end - 5) <= 23 && twoDigits(text, end - 2) <= 59)
  );
}

const COLON = 0x3a;

function isDay(text: string): boolean {
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  if (month < 1 || month > 12 || day < 1) return false;
  return day <= 28 || day <= daysInMonth(twoDigits(text, 0) * 100 + twoDigits(text, 2), month);
}

const ZERO = 0x30;

function twoDigits(text: string, at: number): number {
  return (text.charCodeAt(at) - ZERO) * 10 + text.charCodeAt(at + 1) - ZERO;
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
