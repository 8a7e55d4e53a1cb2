/** The order of a full read: what is coming, then what was, then what has no date. */

export interface OrderedEvent {
  readonly eventId: string;
  /** The moment of its date, midnight UTC for a whole day; null without a date. */
  readonly dateAt: number | null;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The longest day there is: one on which clocks are set back. */
const LONGEST_DAY_MS = 25 * HOUR_MS;
/** The zone in which a day ends last is UTC-12:00. */
const LAST_ZONE_MS = 12 * HOUR_MS;

/**
 * From when on an event is upcoming. One of today is, wherever the person is: whole days count until
 * they have ended everywhere, and a time of today, read in its own zone, is at most a day ago.
 */
export function upcomingFrom(now: number): number {
  const earliestToday = Math.floor((now - LAST_ZONE_MS) / DAY_MS) * DAY_MS;
  return Math.min(earliestToday, now - LONGEST_DAY_MS);
}

/** 0 upcoming, 1 past, 2 without a date. */
export function fullOrderGroup(dateAt: number | null, from: number): 0 | 1 | 2 {
  if (dateAt === null) return 2;
  return dateAt >= from ? 0 : 1;
}

/**
 * Upcoming ones by date; past ones newest first, as the same order read backwards; those without a
 * date by id. Ids decide between equals, code unit by code unit, so that there is one order only.
 */
export function compareFullOrder(a: OrderedEvent, b: OrderedEvent, from: number): number {
  const group = fullOrderGroup(a.dateAt, from);
  const difference = group - fullOrderGroup(b.dateAt, from);
  if (difference !== 0) return difference;
  const forward = (a.dateAt ?? 0) - (b.dateAt ?? 0) || compareText(a.eventId, b.eventId);
  return group === 1 ? -forward : forward;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
