/** Makes stored events equal their source, in short transactions for other writers; a rerun completes it. */
import type { ParsedEntry, ParsedFeed } from "../../rules/events/ingest/entry.ts";
import {
  reconcile,
  type KnownEvent,
  type Reconciliation,
  type ReconcileOptions,
} from "../../rules/events/ingest/reconcile.ts";
import type { ImportSummary } from "../pages.ts";
import type { EventChange, EventsRecords, EventsStore } from "../store.ts";

export interface ImportRequest {
  readonly store: EventsStore;
  readonly accountId: string;
  readonly sourceId: string;
  readonly feed: ParsedFeed;
  readonly options: ReconcileOptions;
  now(): number;
  /** Called in each transaction; false ends the import. */
  mayWrite?(records: EventsRecords): Promise<boolean>;
  /** Called at the end of the last transaction. */
  finish?(records: EventsRecords, imported: ImportedFeed): Promise<void>;
  onProgress?(progress: ImportProgress): void;
}

export interface ImportedFeed {
  readonly summary: ImportSummary;
  readonly warning: string | null;
  /** The next fetch decides about missing events, so it must not be conditional. */
  readonly needsFullRead: boolean;
}

export interface ImportProgress {
  readonly written: number;
  readonly total: number;
}

export type ImportResult =
  | ({ readonly kind: "imported" } & ImportedFeed)
  /** `mayWrite` returned false. */
  | { readonly kind: "superseded" };

const CHANGES_PER_TRANSACTION = 1000;

export async function importFeed(request: ImportRequest): Promise<ImportResult> {
  let step: ImportStep = { plan: null, written: 0, taken: new Set() };
  for (;;) {
    const next = await request.store.transaction((records) => writeNext(request, records, step));
    if (next === null) return { kind: "superseded" };
    const { plan, written, taken } = next;
    request.onProgress?.({ written, total: plan.changes.length });
    if (written === plan.changes.length) {
      return { kind: "imported", ...describeImport(plan, request.feed, taken) };
    }
    step = next;
  }
}

interface ImportStep {
  readonly plan: ImportPlan | null;
  readonly written: number;
  /** Ids that another source of the account has. */
  readonly taken: ReadonlySet<string>;
}

/** The plan is made in the first transaction, which most imports do not exceed. */
async function writeNext(
  request: ImportRequest,
  records: EventsRecords,
  { plan: made, written: start, taken: takenBefore }: ImportStep,
): Promise<(ImportStep & { readonly plan: ImportPlan }) | null> {
  const { accountId, sourceId, feed } = request;
  if (request.mayWrite !== undefined && !(await request.mayWrite(records))) return null;
  const now = request.now();
  const plan =
    made ??
    planImport(await records.events.listSource(accountId, sourceId), feed, request.options, now);
  const changes = plan.changes.slice(start, start + CHANGES_PER_TRANSACTION);
  const result =
    changes.length === 0
      ? { taken: [] }
      : await records.events.write(accountId, sourceId, changes, now);
  const taken = new Set([...takenBefore, ...result.taken]);
  const written = start + changes.length;
  if (written === plan.changes.length) {
    await request.finish?.(records, describeImport(plan, feed, taken));
  }
  return { plan, written, taken };
}

export interface ImportPlan extends Omit<ImportedFeed, "summary"> {
  readonly changes: readonly EventChange[];
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly deleted: number;
  readonly unchanged: number;
  /** The number of events that are missing from the source, and kept. */
  readonly held: number;
}

export function planImport(
  known: readonly KnownEvent[],
  feed: ParsedFeed,
  options: ReconcileOptions,
  now: number,
): ImportPlan {
  const found = confirmMissing(reconcile(known, feed, options), options);
  const added = [...found.added, ...found.restored];
  const put = (entry: ParsedEntry) => toPut(entry, now);
  return {
    // Missing events are counted last, so that an interrupted import has not counted them.
    changes: [
      ...added.map(put),
      ...found.changed.map(put),
      ...found.returned.map((eventId) => ({ kind: "missing", eventId, missing: 0 }) as const),
      ...found.deleted.map((eventId) => ({ kind: "delete", eventId }) as const),
      ...found.missingOnce.map((eventId) => ({ kind: "missing", eventId, missing: 1 }) as const),
    ],
    added: added.map(({ eventId }) => eventId),
    changed: found.changed.map(({ eventId }) => eventId),
    deleted: found.deleted.length,
    unchanged:
      feed.entries.filter(({ cancelled }) => !cancelled).length -
      added.length -
      found.changed.length,
    // Past events that a feed has dropped are not reported.
    held:
      options.mode === "file"
        ? found.held.length
        : found.missingOnce.length + (found.warning?.held ?? 0),
    warning: found.warning?.code ?? null,
    needsFullRead: found.missingOnce.length > 0 || found.warning !== null,
  };
}

/** A person who accepts a smaller feed confirms that the missing events are deleted. */
function confirmMissing(found: Reconciliation, options: ReconcileOptions): Reconciliation {
  if (options.mode !== "subscription" || options.acceptShrink !== true) return found;
  return { ...found, deleted: [...found.deleted, ...found.missingOnce], missingOnce: [] };
}

function toPut(entry: ParsedEntry, now: number): EventChange {
  const { eventId, type, subjectName, title, date, dateAt } = entry;
  return {
    kind: "put",
    eventId,
    content: { type, subjectName, title, date, dateAt },
    createdAt: entry.createdAt ?? new Date(now).toISOString(),
  };
}

const MAX_SKIPPED_LISTED = 100;

function describeImport(
  plan: ImportPlan,
  feed: ParsedFeed,
  taken: ReadonlySet<string>,
): ImportedFeed {
  const countWritten = (ids: readonly string[]) => ids.filter((id) => !taken.has(id)).length;
  const { deleted, unchanged, held, warning, needsFullRead } = plan;
  const summary = {
    added: countWritten(plan.added),
    changed: countWritten(plan.changed),
    deleted,
    unchanged,
    held,
    skippedCount: feed.skipped.total + taken.size,
    skipped: [
      ...listSkipped(feed),
      ...[...taken].map((what) => ({ what, reason: "id-taken" })),
    ].slice(0, MAX_SKIPPED_LISTED),
    notices: feed.notices,
  };
  return { summary, warning, needsFullRead };
}

export function listSkipped({ skipped }: ParsedFeed): ImportSummary["skipped"] {
  return skipped.list.map(({ uid, index, reason }) => ({ what: uid ?? `#${index + 1}`, reason }));
}
