/** A date of a calendar, and how dates are written (RFC 5545 3.3.4 and 3.3.5). */
import type { EntryDate } from "../../../rules/events/ingest/entry-date.ts";
import { readWallTime, type TimeZone } from "../../../rules/events/ingest/time-zone.ts";

export interface CalendarDate {
  readonly date: EntryDate;
  /** The zone in which a recurrence rule is expanded. */
  readonly ruleZone: TimeZone;
}

export interface WrittenDate {
  readonly kind: "day" | "local" | "utc";
  /** Null when no calendar has the date. */
  readonly wall: number | null;
}

const WRITTEN = /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})(Z?))?$/i;

/** Null when it is not written as a date. */
export function parseWrittenDate(source: string): WrittenDate | null {
  const match = WRITTEN.exec(source.trim());
  if (match === null) return null;
  const [year = 0, month = 0, day = 0, hour, minute, second] = match
    .slice(1, 7)
    .map((digits) => Number(digits ?? 0));
  const wall = readWallTime(year, month, day, hour, minute, second);
  if (match[4] === undefined) return { kind: "day", wall };
  return { kind: match[7] === "" ? "local" : "utc", wall };
}
