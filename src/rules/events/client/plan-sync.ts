/**
 * Which question to ask next so that no event is missed. A service with our extras is paged by
 * change, from the first one ever; of one without them everything is asked at once, with twice the
 * limit for as long as the answer is full.
 */
import { parseDateTime } from "../../../contract/date-time.ts";
import type { EventPage } from "./read-event-list.ts";

export type SyncMode = "full" | "incremental";

export interface EventsQuestion {
  readonly limit: number;
  /** Null: the parameter is left out, the contract's way to ask for everything. */
  readonly updatedSince: string | null;
  /** An extra of ours; who does not know it ignores it, or refuses and is asked without. */
  readonly includeDeleted: boolean;
}

export interface SyncStep {
  readonly mode: SyncMode;
  readonly question: EventsQuestion;
  /** How many entries half the limit brought; null when the question is new. */
  readonly smallerCount: number | null;
}

export type NextStep =
  /** The next page: everything before `from` has been read. */
  | { readonly kind: "ask"; readonly step: SyncStep; readonly from: string }
  /** The same once more, in another way: its answer will hold what the last one held. */
  | { readonly kind: "ask-again"; readonly step: SyncStep }
  | { readonly kind: "done" }
  /** The service has more, or may have, and does not give it. */
  | { readonly kind: "limited" };

/** What apps in the field ask for (events contract, Limits). */
export const PAGE_LIMIT = 500;
/** Beyond it an answer is more than a phone should hold at once. */
export const MAX_LIMIT = 64_000;
/** An explicit beginning makes our service page by change; without one it lists by date. */
export const FIRST_CHANGE = "1970-01-01T00:00:00Z";

export function firstStep(mode: SyncMode, updatedSince: string): SyncStep {
  const question = { limit: PAGE_LIMIT, updatedSince, includeDeleted: true };
  return { mode, question, smallerCount: null };
}

export function stepAfter(step: SyncStep, page: EventPage): NextStep {
  const { mode, question, smallerCount } = step;
  const count = page.entries.length;
  if (page.hasMore === false) return { kind: "done" };
  if (page.hasMore === null && mode === "full" && question.updatedSince !== null) {
    return askPlainly(step, null);
  }
  const next = page.hasMore === true ? page.nextUpdatedSince : null;
  if (next !== null && question.updatedSince !== null && isLater(next, question.updatedSince)) {
    return { kind: "ask", step: firstStep(mode, next), from: next };
  }
  // A doubled limit that brings nothing more: the service has a limit of its own.
  if (smallerCount !== null && count <= smallerCount) return { kind: "limited" };
  if (page.hasMore === null && count < question.limit) return { kind: "done" };
  const limit = question.limit * 2;
  if (limit > MAX_LIMIT) return { kind: "limited" };
  const doubled = { mode, question: { ...question, limit }, smallerCount: count };
  return { kind: "ask-again", step: doubled };
}

/** What to do when the question itself was refused; null when there is no other way to put it. */
export function stepAfterRefusal(step: SyncStep): NextStep | null {
  if (step.smallerCount !== null) return { kind: "limited" };
  if (!step.question.includeDeleted) return null;
  return askPlainly(step, step.mode === "full" ? null : step.question.updatedSince);
}

/** With nothing but what the contract has. */
function askPlainly({ mode }: SyncStep, updatedSince: string | null): NextStep {
  const question = { limit: PAGE_LIMIT, updatedSince, includeDeleted: false };
  return { kind: "ask-again", step: { mode, question, smallerCount: null } };
}

/** A service that pages in circles is not followed; one with finer clocks than ours is. */
function isLater(next: string, since: string): boolean {
  const forward = (parseDateTime(next) ?? 0) - (parseDateTime(since) ?? 0);
  return forward > 0 || (forward === 0 && next !== since);
}
