/**
 * Decides which request a sync sends next. It begins as the contract says: `limit=500` for all events,
 * and `updated_since` for those that changed. What the service announced beyond the contract is used
 * until it refuses it; the plain request of the sync follows then.
 */
import { parseMoment } from "../iso-date.ts";
import type { EventListPage } from "./read-event-list.ts";

export type SyncMode = "full" | "incremental";

export interface EventsQuery {
  /** Null omits the parameter, which asks for all events. */
  readonly updatedSince: string | null;
  /** An extra. */
  readonly includeDeleted: boolean;
}

export interface SyncStep {
  readonly query: EventsQuery;
  /** False for a request that any service of the contract understands. */
  readonly usesExtra: boolean;
  /** False once an extra was refused: the rest of the sync is plain. */
  readonly mayUseExtras: boolean;
}

export type NextStep =
  /** The next page: all changes before `from` have been read. */
  | { readonly kind: "next-page"; readonly step: SyncStep; readonly from: string }
  | { readonly kind: "done" }
  /** The page is full, or the service says that there is more, and it has no next page. */
  | { readonly kind: "may-have-more" };

/** Events contract, Limits: never more. */
export const PAGE_LIMIT = 500;

export function plainStep(updatedSince: string | null, mayUseExtras: boolean): SyncStep {
  return { query: { updatedSince, includeDeleted: false }, usesExtra: false, mayUseExtras };
}

export function extraStep(updatedSince: string, includeDeleted: boolean): SyncStep {
  return { query: { updatedSince, includeDeleted }, usesExtra: true, mayUseExtras: true };
}

export function stepAfter({ query, mayUseExtras }: SyncStep, page: EventListPage): NextStep {
  const { entries, extras, hasMore, nextUpdatedSince: from } = page;
  if (hasMore === null) {
    return { kind: entries.length < PAGE_LIMIT ? "done" : "may-have-more" };
  }
  if (!hasMore) return { kind: "done" };
  if (!mayUseExtras || from === null || !isLater(from, query.updatedSince)) {
    return { kind: "may-have-more" };
  }
  return { kind: "next-page", step: extraStep(from, extras.includes("deletions")), from };
}

/** Stops a service that pages in circles, but not one whose stamps are finer than milliseconds. */
function isLater(next: string, since: string | null): boolean {
  if (since === null) return true;
  const forward = (parseMoment(next) ?? 0) - (parseMoment(since) ?? 0);
  return forward > 0 || (forward === 0 && next !== since);
}
