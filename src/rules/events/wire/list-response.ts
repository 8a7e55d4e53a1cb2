import { EVENTS_ROUTES } from "../../../contract/events/routes.ts";
import { EVENTS_EXTRAS } from "../../../contract/events/values.ts";
import type { ListQuery } from "./parse-list-query.ts";

export interface EventPage {
  /** The events as apps receive them, with a comma between two. */
  readonly text: string;
  readonly hasMore: boolean;
  /** The greatest change stamp among them, or null when there is none, or more of a full list. */
  readonly lastStamp: number | null;
}

const ANNOUNCEMENT = `"extras":${JSON.stringify(EVENTS_EXTRAS)}`;

/** The body is in parts. `now` is the time of the request, not that of the response. */
export function createListResponse(
  page: EventPage,
  query: ListQuery,
  now: number,
  issuer: string,
): { readonly body: readonly string[]; readonly link: string | null } {
  const next = new Date(nextSince(page, query.updatedSince, now)).toISOString();
  const serverTime = new Date(now).toISOString();
  const { hasMore, text } = page;
  const body = [
    `{"events":[`,
    text,
    `],"has_more":${hasMore},"next_updated_since":"${next}","server_time":"${serverTime}",${ANNOUNCEMENT}}`,
  ];
  return { body, link: hasMore ? linkTo(query, next, issuer) : null };
}

/**
 * The `updated_since` of the next request. Stamps of an account are unique, only grow and become
 * visible in their order, so a client that follows it misses nothing:
 *
 * - changes: one past the last stamp. For an empty page the same time again, but not in the future (a
 *   client whose clock is ahead would miss changes) and not before 1970.
 * - a full list that fits on the page: one past the greatest stamp.
 * - a full list that does not fit: 0. Its order is not that of the stamps, so everything is read again
 *   as changes, page by page.
 */
export function nextSince(
  { hasMore, lastStamp }: Pick<EventPage, "hasMore" | "lastStamp">,
  updatedSince: number | null,
  now: number,
): number {
  if (updatedSince === null && hasMore) return 0;
  if (lastStamp !== null) return lastStamp + 1;
  return Math.max(0, Math.min(updatedSince ?? 0, now));
}

function linkTo(query: ListQuery, next: string, issuer: string): string {
  const deleted = query.includeDeleted ? "&include_deleted=true" : "";
  const search = `limit=${query.limit}&updated_since=${encodeURIComponent(next)}${deleted}`;
  return `<${issuer}${EVENTS_ROUTES.listEvents.path}?${search}>; rel="next"`;
}
