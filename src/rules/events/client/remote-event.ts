import { parseEventDate } from "./event-date.ts";

/** An event of a response: unknown members are dropped, missing and malformed ones are null. */
export interface RemoteEvent {
  readonly id: string;
  readonly type: string;
  readonly subject_name: string | null;
  readonly title: string | null;
  readonly date: string | null;
  readonly created_at: string | null;
}

/** By date, else by creation; an event without both comes last. */
export function sortEvents(events: Iterable<RemoteEvent>): RemoteEvent[] {
  return Array.from(events, (event) => ({ event, key: sortKey(event) }))
    .sort((a, b) => compare(a.key, b.key) || compare(a.event.id, b.event.id))
    .map(({ event }) => event);
}

function sortKey({ date, created_at: createdAt }: RemoteEvent): number {
  const when = parseEventDate(date ?? "") ?? parseEventDate(createdAt ?? "");
  return when?.sortMs ?? Number.POSITIVE_INFINITY;
}

function compare<T extends number | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
