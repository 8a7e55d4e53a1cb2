import type { EventList } from "../../src/contract/events/schemas.ts";
import type { Members } from "../../src/contract/is-object.ts";
import { skipUnless } from "../case.ts";
import { expectEach, fail } from "../expect.ts";
import { expectAnyEvents, expectList } from "./expectations.ts";
import type { EventsServerUnderTest } from "./server-under-test.ts";

/** The limit that a client of the contract sends. */
export const CLIENT_LIMIT = 500;
export const EPOCH = "1970-01-01T00:00:00Z";
// Enough for a test account; a service whose pages never end fails here.
const MAX_PAGES = 200;

export function query(limit: number, since?: string, suffix = ""): string {
  const from = since === undefined ? "" : `&updated_since=${encodeURIComponent(since)}`;
  return `limit=${limit}${from}${suffix}`;
}

/** The full list of any compatible service; not testable when it has fewer events than `minimum`. */
export async function listEvents(server: EventsServerUnderTest, minimum = 1): Promise<Members[]> {
  const events = expectAnyEvents(await server.list(query(CLIENT_LIMIT)));
  requireEvents(events.length, minimum);
  return events;
}

/** Makes the run of a case that checks each event of the full list. */
export function checkEveryEvent(
  check: (event: Members) => void,
): (server: EventsServerUnderTest) => Promise<void> {
  return async (server) => expectEach(await listEvents(server), check);
}

/** The pages of all changes since a moment, along `next_updated_since`. */
export async function readChanges(
  server: EventsServerUnderTest,
  limit: number,
  since = EPOCH,
  suffix = "",
): Promise<EventList[]> {
  const pages: EventList[] = [];
  let from = since;
  while (pages.length < MAX_PAGES) {
    const page = expectList(await server.list(query(limit, from, suffix)));
    pages.push(page);
    if (!page.has_more) return pages;
    from = page.next_updated_since;
  }
  return fail("GET /api/events", "a last page", `none among ${MAX_PAGES}`);
}

/** The pages of all changes since 1970; not testable when the account has fewer events than `minimum`. */
export async function readAllChanges(
  server: EventsServerUnderTest,
  minimum: number,
): Promise<EventList[]> {
  const pages = await readChanges(server, 1000);
  requireEvents(eventsOf(pages).length, minimum);
  return pages;
}

function requireEvents(count: number, minimum: number): void {
  skipUnless(count >= minimum, `The account has ${count} events, and this needs ${minimum}`);
}

export function eventsOf(pages: readonly EventList[]): EventList["events"] {
  return pages.flatMap(({ events }) => events);
}

export function idsOf(pages: readonly EventList[]): string[] {
  return eventsOf(pages).map(({ id }) => id);
}

/** A page size with which `count` events take several pages, but not many. */
export function pageSizeFor(count: number): number {
  return Math.max(1, Math.ceil(count / 5));
}
