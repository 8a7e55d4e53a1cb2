/** RFC 3339 5.6 allows a leap second; it is read as the last second before it. */
const PATTERN =
  /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.(\d{1,9}))?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/i;

/** Milliseconds since the epoch, or null when the text is not an RFC 3339 date-time. */
export function parseDateTime(text: string): number | null {
  const match = PATTERN.exec(text);
  if (match === null || !isDay(text)) return null;
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
  return PATTERN.test(text) && isDay(text);
}

const DATE = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;

/** Tells whether a text is a date such as 2026-01-31. */
export function isDate(text: string): boolean {
  return DATE.test(text) && isDay(text);
}

/** The text begins like a date, with a month and a day that some month has; every month has 28. */
function isDay(text: string): boolean {
  const day = text.slice(8, 10);
  return day <= "28" || new Date(text.slice(0, 10)).getUTCDate() === Number(day);
}
