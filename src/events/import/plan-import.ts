/** From what a source says and what is stored of it to what is written, and what a person is told. */
import type { ParsedEntry, ParsedFeed } from "../../rules/events/ingest/entry.ts";
import {
  reconcile,
  type KnownEvent,
  type Reconciliation,
  type ReconcileOptions,
  type ReconcileWarning,
} from "../../rules/events/ingest/reconcile.ts";
import type { ImportSummary } from "../pages.ts";
import type { EventChange } from "../store.ts";

export interface ImportPlan {
  /** In the order in which they are written. */
  readonly changes: readonly EventChange[];
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly deleted: number;
  readonly unchanged: number;
  /** Not in the source any more, and kept nevertheless. */
  readonly held: number;
  readonly warning: ReconcileWarning | null;
  /** The next reading decides about something, so it must be a full one. */
  readonly needsSecondLook: boolean;
}

export function planImport(
  known: readonly KnownEvent[],
  feed: ParsedFeed,
  options: ReconcileOptions,
  now: number,
): ImportPlan {
  const found = confirm(reconcile(known, feed, options), options);
  // Deleted once and there again: whoever reads events sees a new one.
  const added = [...found.added, ...found.restored];
  const put = (entry: ParsedEntry) => toPut(entry, now);
  const written = added.length + found.changed.length;
  return {
    // What is missing is counted last: an import that was broken off has not counted it.
    changes: [
      ...added.map(put),
      ...found.changed.map(put),
      ...found.returned.map((eventId) => ({ kind: "missing", eventId, missing: 0 }) as const),
      ...found.deleted.map((eventId) => ({ kind: "delete", eventId }) as const),
      ...found.missingOnce.map((eventId) => ({ kind: "missing", eventId, missing: 1 }) as const),
    ],
    added: idsOf(added),
    changed: idsOf(found.changed),
    deleted: found.deleted.length,
    unchanged: feed.entries.filter(({ cancelled }) => !cancelled).length - written,
    // A feed drops what is over, and nobody needs to hear of it.
    held:
      options.mode === "file"
        ? found.held.length
        : found.missingOnce.length + (found.warning?.held ?? 0),
    warning: found.warning,
    needsSecondLook: found.missingOnce.length > 0 || found.warning !== null,
  };
}

/** Whoever says that a feed is right has seen that these are missing: that is the second look. */
function confirm(found: Reconciliation, options: ReconcileOptions): Reconciliation {
  if (options.mode !== "subscription" || options.acceptShrink !== true) return found;
  return { ...found, deleted: [...found.deleted, ...found.missingOnce], missingOnce: [] };
}

/** `taken`: ids that another source of the account has. */
export function summarizeImport(
  plan: ImportPlan,
  feed: ParsedFeed,
  taken: ReadonlySet<string>,
): ImportSummary {
  return {
    added: countOthers(plan.added, taken),
    changed: countOthers(plan.changed, taken),
    deleted: plan.deleted,
    unchanged: plan.unchanged,
    held: plan.held,
    skippedCount: feed.skipped.total + taken.size,
    skipped: [
      ...feed.skipped.list.map(({ uid, index, reason }) => ({
        what: uid ?? `#${index + 1}`,
        reason,
      })),
      ...[...taken].map((what) => ({ what, reason: "id-taken" })),
    ].slice(0, MAX_SKIPPED_TOLD),
  };
}

const MAX_SKIPPED_TOLD = 100;

function toPut(entry: ParsedEntry, now: number): EventChange {
  const { eventId, type, subjectName, title, date, dateAt } = entry;
  return {
    kind: "put",
    eventId,
    content: { type, subjectName, title, date, dateAt },
    createdAt: entry.createdAt ?? new Date(now).toISOString(),
  };
}

function idsOf(entries: readonly ParsedEntry[]): readonly string[] {
  return entries.map(({ eventId }) => eventId);
}

function countOthers(ids: readonly string[], taken: ReadonlySet<string>): number {
  return ids.filter((id) => !taken.has(id)).length;
}
