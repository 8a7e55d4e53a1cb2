import type { WireEvent } from "../../../contract/events/schemas.ts";
import { parseIsoDate } from "../iso-date.ts";

/** An event of a response: unknown members are dropped, missing and malformed ones are null. */
export type RemoteEvent = Readonly<WireEvent>;

/**
 * Sorts events by their date, else by their creation; an event without both comes last.
 * @param events - events of a sync
 * @returns a new list
 */
export function sortEvents(events: Iterable<RemoteEvent>): RemoteEvent[] {
  return Array.from(events, (event) => ({ event, key: sortKey(event) }))
    .sort((a, b) => compare(a.key, b.key) || compare(a.event.id, b.event.id))
    .map(({ event }) => event);
}

function sortKey({ date, created_at: createdAt }: RemoteEvent): number {
  return readTime(date) ?? readTime(createdAt) ?? Number.POSITIVE_INFINITY;
}

function readTime(text: string | null): number | null {
  const date = parseIsoDate(text ?? "");
  if (date.kind === "invalid") return null;
  return date.kind === "moment" ? date.instant : date.wall;
}

function compare<T extends number | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
