/** The order of a full list: upcoming events, past ones, then those without a date. */
import { DAY_MS, HOUR_MS } from "../../../contract/durations.ts";

export interface OrderedEvent {
  readonly eventId: string;
  /** A whole day counts as its midnight in UTC. */
  readonly dateAt: number | null;
}

/** The day on which summer time ends. */
const LONGEST_DAY_MS = 25 * HOUR_MS;
/** A day ends last in UTC-12:00. */
const LAST_ZONE_MS = 12 * HOUR_MS;

/**
 * The time from which on events are upcoming. All events of today are, in every zone: a whole day until
 * it has ended everywhere, and a time of today is at most one day ago.
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

/** Upcoming events by date, past ones newest first, the others by id. Ids break ties, by code unit. */
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
