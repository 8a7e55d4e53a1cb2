/**
 * Decides which request to send next so that no event is missed. A service with Trellis' extensions
 * is paged by change, from the first one. Any other service is asked for all events at once, and
 * again with twice the limit while the response is full.
 */
import { parseDateTime } from "../../../contract/date-time.ts";
import type { EventListPage } from "./read-event-list.ts";

export type SyncMode = "full" | "incremental";

export interface EventsQuery {
  readonly limit: number;
  /** Null omits the parameter, which asks for all events. */
  readonly updatedSince: string | null;
  /** An extension: other services ignore it, or reject it and are asked without. */
  readonly includeDeleted: boolean;
}

export interface SyncStep {
  readonly mode: SyncMode;
  readonly query: EventsQuery;
  /** Entries that the same query returned with half the limit; null for a new query. */
  readonly smallerCount: number | null;
}

export type NextStep =
  /** The next page: all changes before `from` have been read. */
  | { readonly kind: "next-page"; readonly step: SyncStep; readonly from: string }
  /** A retry sends the same query in another form: its response repeats the entries of the last one. */
  | { readonly kind: "retry"; readonly step: SyncStep }
  | { readonly kind: "done" }
  /** The service has, or may have, more events and does not return them. */
  | { readonly kind: "limited" };

/** The limit that existing apps use (events contract, Limits). */
export const PAGE_LIMIT = 500;
/** A longer response would be too large for a phone. */
export const MAX_LIMIT = 64_000;
/** An explicit start makes Trellis page by change; without one it lists by date. */
export const FIRST_CHANGE = "1970-01-01T00:00:00Z";

export function firstStep(mode: SyncMode, updatedSince: string): SyncStep {
  const query = { limit: PAGE_LIMIT, updatedSince, includeDeleted: true };
  return { mode, query, smallerCount: null };
}

export function stepAfter(step: SyncStep, page: EventListPage): NextStep {
  const { mode, query, smallerCount } = step;
  const count = page.entries.length;
  if (page.hasMore === false) return { kind: "done" };
  if (page.hasMore === null && mode === "full" && query.updatedSince !== null) {
    return withoutExtensions(step, null);
  }
  const next = page.hasMore === true ? page.nextUpdatedSince : null;
  if (next !== null && query.updatedSince !== null && isLater(next, query.updatedSince)) {
    return { kind: "next-page", step: firstStep(mode, next), from: next };
  }
  // A doubled limit returned no more entries: the service caps the limit.
  if (smallerCount !== null && count <= smallerCount) return { kind: "limited" };
  if (page.hasMore === null && count < query.limit) return { kind: "done" };
  const limit = query.limit * 2;
  if (limit > MAX_LIMIT) return { kind: "limited" };
  const doubled = { mode, query: { ...query, limit }, smallerCount: count };
  return { kind: "retry", step: doubled };
}

/** The step after the service rejected the query; null when the query has no other form. */
export function stepAfterRejection(step: SyncStep): NextStep | null {
  if (step.smallerCount !== null) return { kind: "limited" };
  if (!step.query.includeDeleted) return null;
  return withoutExtensions(step, step.mode === "full" ? null : step.query.updatedSince);
}

function withoutExtensions({ mode }: SyncStep, updatedSince: string | null): NextStep {
  const query = { limit: PAGE_LIMIT, updatedSince, includeDeleted: false };
  return { kind: "retry", step: { mode, query, smallerCount: null } };
}

/** Stops a service that pages in circles, but not one whose stamps are finer than milliseconds. */
function isLater(next: string, since: string): boolean {
  const forward = (parseDateTime(next) ?? 0) - (parseDateTime(since) ?? 0);
  return forward > 0 || (forward === 0 && next !== since);
}
