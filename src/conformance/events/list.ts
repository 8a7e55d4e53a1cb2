/** The account's events as several cases read them. */
import type { EventList } from "../../contract/events/schemas.ts";
import { NotTestable } from "../case.ts";
import { violate } from "../expect.ts";
import { expectAnyEvents, expectList, type Members } from "./bodies.ts";
import type { EventsTarget } from "./target.ts";

/** What a client of the contract asks for. */
export const CLIENT_LIMIT = 500;
export const BEGINNING = "1970-01-01T00:00:00Z";
// Enough for any account that was made for a test; a service that never ends is stopped here.
const MAX_PAGES = 200;

export function query(limit: number, since?: string, more = ""): string {
  const from = since === undefined ? "" : `&updated_since=${encodeURIComponent(since)}`;
  return `limit=${limit}${from}${more}`;
}

/** Events as any compatible service lists them; some, or the case cannot be tested. */
export async function someEvents(target: EventsTarget, least = 1): Promise<Members[]> {
  const events = expectAnyEvents(await target.list(query(CLIENT_LIMIT)));
  if (events.length >= least) return events;
  throw new NotTestable(`The account has ${events.length} events, and this needs ${least}`);
}

/** All that changed since a moment, page after page along `next_updated_since`. */
export async function readChanges(
  target: EventsTarget,
  limit: number,
  since = BEGINNING,
  more = "",
): Promise<EventList[]> {
  const pages: EventList[] = [];
  let from = since;
  while (pages.length < MAX_PAGES) {
    const page = expectList(await target.list(query(limit, from, more)));
    pages.push(page);
    if (!page.has_more) return pages;
    from = page.next_updated_since;
  }
  return violate("GET /api/events", "a last page", `none among ${MAX_PAGES}`);
}

/** Every event as changes, in the order of the changes; some, or the case cannot be tested. */
export async function allChanges(target: EventsTarget, least: number): Promise<EventList[]> {
  const pages = await readChanges(target, 1000);
  const count = pages.flatMap(({ events }) => events).length;
  if (count >= least) return pages;
  throw new NotTestable(`The account has ${count} events, and this needs ${least}`);
}

export function idsOf(pages: readonly EventList[]): string[] {
  return pages.flatMap(({ events }) => events.map(({ id }) => id));
}

/** A page size with which so many events take several pages, but not many. */
export function pageSizeFor(count: number): number {
  return Math.max(1, Math.ceil(count / 5));
}
