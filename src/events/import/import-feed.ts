/**
 * Brings what is stored of a source up to what the source says. Large changes are written in parts,
 * so that nobody waits for long; each part is whole or not there, and a second run does what a run
 * that was broken off has left.
 */
import type { ParsedFeed } from "../../rules/events/ingest/entry.ts";
import type { ReconcileOptions } from "../../rules/events/ingest/reconcile.ts";
import type { ImportSummary } from "../pages.ts";
import type { EventsRecords, EventsStore } from "../store.ts";
import { planImport, summarizeImport, type ImportPlan } from "./plan-import.ts";

export interface ImportRequest {
  readonly store: EventsStore;
  readonly accountId: string;
  readonly sourceId: string;
  readonly feed: ParsedFeed;
  readonly options: ReconcileOptions;
  now(): number;
  /** Asked within each transaction. When it says no, nothing more is written. */
  mayWrite?(records: EventsRecords): Promise<boolean>;
  /** The last thing of the last transaction. */
  finish?(records: EventsRecords, result: ImportResult): Promise<void>;
  onProgress?(progress: ImportProgress): void;
}

export interface ImportResult {
  readonly summary: ImportSummary;
  readonly warning: string | null;
  readonly needsSecondLook: boolean;
}

export interface ImportProgress {
  readonly written: number;
  readonly total: number;
}

export type ImportOutcome =
  | ({ readonly kind: "imported" } & ImportResult)
  /** `mayWrite` said no: somebody else has taken the source over. */
  | { readonly kind: "superseded" };

const CHANGES_PER_TRANSACTION = 1000;

export async function importFeed(request: ImportRequest): Promise<ImportOutcome> {
  const { store, feed } = request;
  let plan: ImportPlan | null = null;
  let written = 0;
  let taken: ReadonlySet<string> = new Set();
  for (;;) {
    const step = await store.transaction((records) =>
      writeNext(request, records, plan, written, taken),
    );
    if (step === null) return { kind: "superseded" };
    ({ plan, written, taken } = step);
    request.onProgress?.({ written, total: plan.changes.length });
    if (written === plan.changes.length) {
      return { kind: "imported", ...resultOf(plan, feed, taken) };
    }
  }
}

interface Step {
  readonly plan: ImportPlan;
  readonly written: number;
  readonly taken: ReadonlySet<string>;
}

/** The plan is made in the transaction of the first part: most imports have no other. */
async function writeNext(
  request: ImportRequest,
  records: EventsRecords,
  given: ImportPlan | null,
  start: number,
  takenBefore: ReadonlySet<string>,
): Promise<Step | null> {
  const { accountId, sourceId, feed } = request;
  if (request.mayWrite !== undefined && !(await request.mayWrite(records))) return null;
  const now = request.now();
  const plan =
    given ??
    planImport(await records.events.listSource(accountId, sourceId), feed, request.options, now);
  const part = plan.changes.slice(start, start + CHANGES_PER_TRANSACTION);
  const result =
    part.length === 0 ? { taken: [] } : await records.events.write(accountId, sourceId, part, now);
  const taken = new Set([...takenBefore, ...result.taken]);
  const written = start + part.length;
  if (written === plan.changes.length) {
    await request.finish?.(records, resultOf(plan, feed, taken));
  }
  return { plan, written, taken };
}

function resultOf(plan: ImportPlan, feed: ParsedFeed, taken: ReadonlySet<string>): ImportResult {
  return {
    summary: summarizeImport(plan, feed, taken),
    warning: plan.warning?.code ?? null,
    needsSecondLook: plan.needsSecondLook,
  };
}
