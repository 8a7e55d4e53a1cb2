/** The answer to a request for events, and where it goes on. */
import { EVENTS_ROUTES } from "../../../contract/events/routes.ts";
import type { ListQuery } from "./parse-list-query.ts";

export interface ListedPage {
  /** Each event as JSON text. */
  readonly texts: readonly string[];
  readonly hasMore: boolean;
  /** The greatest change stamp among them, or null when there is none. */
  readonly lastStamp: number | null;
}

export interface ListResponse {
  /** JSON text. */
  readonly body: string;
  /** The value of the `Link` header, or null when there is no further page. */
  readonly link: string | null;
}

/** `now` is the moment at which the answer was asked for, not that at which it was ready. */
export function createListResponse(
  page: ListedPage,
  query: ListQuery,
  now: number,
  issuer: string,
): ListResponse {
  const next = formatInstant(nextSince(page, query.updatedSince, now));
  const { hasMore, texts } = page;
  const body = `{"events":[${texts.join(",")}],"has_more":${hasMore},"next_updated_since":"${next}","server_time":"${formatInstant(now)}"}`;
  return { body, link: hasMore ? linkTo(query, next, issuer) : null };
}

/**
 * Where to ask on. Following it from any answer until there is no more gives everything there is,
 * because the stamps of an account are unique, only grow, and are seen in their order:
 *
 * - changes: one past the last stamp. When nothing came, the same moment again, but none in the future,
 *   so that an app whose clock is ahead misses nothing from then on (and none before 1970, which
 *   RFC 3339 might not be able to write).
 * - everything, and it fitted: one past the greatest stamp; what changes later has a greater one.
 * - everything, and it did not fit: the beginning. What is missing has no place in the order of the
 *   stamps, so all is read once more, as changes, page after page.
 */
export function nextSince(
  { hasMore, lastStamp }: Pick<ListedPage, "hasMore" | "lastStamp">,
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

/** RFC 3339 in UTC with milliseconds. */
function formatInstant(instant: number): string {
  return new Date(instant).toISOString();
}
