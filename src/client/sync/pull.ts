/** Reads the log of the server to its end, page by page. */
import { RECOVERY_REASONS, type RecoveryReason } from "../../contract/sync/values.ts";
import { isLastStep } from "../../rules/sync/log-clock.ts";
import { scanOperations } from "../../rules/sync/operation-text.ts";
import { validateBatch } from "../../rules/sync/validate-operation.ts";
import { syncError } from "./errors.ts";
import type { LocalStore } from "./local-store.ts";
import { isCursor, mergePage, readPlace, type PulledPage, type PullPlace } from "./merge-page.ts";
import { startOver } from "./recovery.ts";
import { failure, type RequestFailure, type SyncResponse } from "./request.ts";
import type { Tokens } from "./tokens.ts";
import { lowerPullLimit, type TransferLimits } from "./transfer-limits.ts";

export interface PullReport {
  readonly kind: "pulled";
  readonly operations: number;
  readonly recovered: RecoveryReason | null;
}

/** The restarts within one pull; a server whose log is replaced more often than that is given time. */
const MAX_RESTARTS = 3;

/** A round that has taken so many pages ends; the next one goes on from its cursor. */
const MAX_PAGES = 10_000;

/** The pages that were asked for in one round. */
export interface PulledPages {
  count: number;
  readonly asked: Set<string>;
}

export function createPulledPages(): PulledPages {
  return { count: 0, asked: new Set() };
}

export async function pullToEnd(
  store: LocalStore,
  tokens: Tokens,
  limits: TransferLimits,
  pages: PulledPages,
  signal: AbortSignal,
): Promise<PullReport | RequestFailure> {
  let operations = 0;
  let restarts = 0;
  let recovered: RecoveryReason | null = null;
  for (;;) {
    if (++pages.count > MAX_PAGES) return failure(syncError("long-log"));
    const place = await store.read(readPlace);
    const { cursor, epoch } = place;
    // A device that starts over asks again.
    pages.asked.add(`${epoch} ${cursor}`);
    const limit = limits.pullOperations;
    const path = `/v1/pull?limit=${limit}${cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`}`;
    const page = readPage(await tokens.request({ path, signal }), place, limit);
    if (page.kind === "failed") {
      lowerPullLimit(limits, page);
      return page;
    }
    if (page.kind === "lost-history") {
      if (++restarts > MAX_RESTARTS) return failure(syncError("unstable-log"));
      recovered = page.reason;
      await store.write((transaction) => startOver(transaction, place));
      continue;
    }
    // A server that leads back would be asked for ever.
    if (page.isFull && pages.asked.has(`${epoch} ${page.cursor}`)) {
      return failure(syncError("endless-log"));
    }
    const isMerged = await store.write((transaction) => mergePage(transaction, place, page));
    if (!isMerged) continue;
    operations += page.operations.length;
    if (!page.isFull) return { kind: "pulled", operations, recovered };
  }
}

type PageResult =
  | ({ readonly kind: "page"; readonly isFull: boolean } & PulledPage)
  | { readonly kind: "lost-history"; readonly reason: RecoveryReason }
  | RequestFailure;

export function readPage(
  response: SyncResponse,
  { cursor: asked }: Pick<PullPlace, "cursor">,
  limit: number,
): PageResult {
  if (response.kind === "failed") {
    const isOurs = response.code === "invalid_cursor" && asked !== null;
    return isOurs ? { kind: "lost-history", reason: "generation_changed" } : response;
  }
  const { operations, cursor, headOffset, requiresSnapshot, recoveryReason } = response.value;
  if (requiresSnapshot === true) {
    const known = RECOVERY_REASONS.find((reason) => reason === recoveryReason);
    return { kind: "lost-history", reason: known ?? "generation_changed" };
  }
  if (!Array.isArray(operations) || !isCursor(cursor)) {
    return failure(syncError("not-a-sync-server"));
  }
  const scanned = scanOperations(response.text, operations);
  // Operations of any profile are read: a newer server or app may know types that this app does not.
  const result = scanned === null ? null : validateBatch(scanned, "open");
  if (result?.kind !== "valid") return failure(syncError("unreadable-page"));
  if (result.operations.some(({ revision }) => isLastStep(revision.sequence))) {
    return failure(syncError("exhausted-log"));
  }
  const isFull = operations.length >= limit;
  // A page that is not full reaches the head.
  const offset = !isFull && typeof headOffset === "number" ? headOffset : null;
  return { kind: "page", operations: result.operations, cursor, offset, isFull };
}
