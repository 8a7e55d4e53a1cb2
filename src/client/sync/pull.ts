/** Reads the log of the server to its end, page by page. */
import { RECOVERY_REASONS, type RecoveryReason } from "../../contract/sync/values.ts";
import { isLastStep } from "../../rules/sync/log-clock.ts";
import {
  scanOperations,
  type ParsedOperation,
  type ScannedOperation,
} from "../../rules/sync/operation-text.ts";
import { validateClear } from "../../rules/sync/validate-operation.ts";
import type { DeviceEncryption } from "./encryption.ts";
import { syncError } from "./errors.ts";
import type { LocalStore } from "./local-store.ts";
import { isCursor, mergePage, readPlace, type PulledPage, type PullPlace } from "./merge-page.ts";
import { startOver } from "./recovery.ts";
import { failure, otherKey, type RequestFailure, type SyncResponse } from "./request.ts";
import type { SyncSettings } from "./settings.ts";
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

export interface PullContext {
  readonly settings: SyncSettings;
  readonly store: LocalStore;
  readonly tokens: Tokens;
  readonly limits: TransferLimits;
  readonly signal: AbortSignal;
}

export async function pullToEnd(
  context: PullContext,
  pages: PulledPages,
  /** The id of the account's key, as the device knows it; null without encryption. */
  keyIdOf: (() => string | null) | null,
): Promise<PullReport | RequestFailure> {
  const { store } = context;
  let operations = 0;
  let restarts = 0;
  let recovered: RecoveryReason | null = null;
  for (;;) {
    const place = await store.read(readPlace);
    const page = await requestPage(context, pages, place);
    if (page.kind === "failed") return page;
    if (page.kind === "lost-history") {
      if (++restarts > MAX_RESTARTS) return failure(syncError("unstable-log"));
      recovered = page.reason;
      await store.write((transaction) => startOver(transaction, place));
      continue;
    }
    // Of an account whose key is another one by now, nothing is used.
    if (keyIdOf !== null && page.keyId !== keyIdOf()) return otherKey();
    const isMerged = await store.write((transaction) => mergePage(transaction, place, page));
    if (!isMerged) continue;
    operations += page.operations.length;
    if (!page.isFull) return { kind: "pulled", operations, recovered };
  }
}

/** Asks for the page behind a cursor, and stores nothing. */
export async function requestPage(
  context: PullContext,
  pages: PulledPages,
  place: Pick<PullPlace, "cursor" | "epoch">,
): Promise<PageResult> {
  const { settings, tokens, limits, signal } = context;
  const { cursor, epoch } = place;
  if (++pages.count > MAX_PAGES) return failure(syncError("long-log"));
  // A device that starts over asks again.
  pages.asked.add(`${epoch} ${cursor}`);
  const limit = limits.pullOperations;
  const path = `/v1/pull?limit=${limit}${cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`}`;
  const response = await tokens.request({ path, signal });
  const page = readPage(response, { cursor }, limit, settings.encryption?.validateSealed);
  if (page.kind === "failed" && lowerPullLimit(limits, page)) {
    return requestPage(context, pages, place);
  }
  // A server that leads back would be asked for ever.
  const isAskedAgain =
    page.kind === "page" && page.isFull && pages.asked.has(`${epoch} ${page.cursor}`);
  return isAskedAgain ? failure(syncError("endless-log")) : page;
}

interface FullPage extends PulledPage {
  readonly kind: "page";
  readonly isFull: boolean;
  /** The id of the account's key; null without one. */
  readonly keyId: string | null;
}

type PageResult =
  | FullPage
  | { readonly kind: "lost-history"; readonly reason: RecoveryReason }
  | RequestFailure;

export function readPage(
  response: SyncResponse,
  { cursor: asked }: Pick<PullPlace, "cursor">,
  limit: number,
  validateSealed?: DeviceEncryption["validateSealed"],
): PageResult {
  if (response.kind === "failed") {
    const isOurs = response.code === "invalid_cursor" && asked !== null;
    return isOurs ? { kind: "lost-history", reason: "generation_changed" } : response;
  }
  const { operations, cursor, headOffset, requiresSnapshot, recoveryReason, keyId } =
    response.value;
  if (requiresSnapshot === true) {
    const known = RECOVERY_REASONS.find((reason) => reason === recoveryReason);
    return { kind: "lost-history", reason: known ?? "generation_changed" };
  }
  if (!Array.isArray(operations) || !isCursor(cursor)) {
    return failure(syncError("not-a-sync-server"));
  }
  const scanned = scanOperations(response.text, operations);
  const read = scanned === null ? null : readOperations(scanned, validateSealed);
  if (read === null) return failure(syncError("unreadable-page"));
  // What a device with encryption cannot open moves no clock; what opens is checked then.
  if (!validateSealed && read.some(({ revision }) => isLastStep(revision.sequence))) {
    return failure(syncError("exhausted-log"));
  }
  const isFull = operations.length >= limit;
  // A page that is not full reaches the head.
  const offset = !isFull && typeof headOffset === "number" ? headOffset : null;
  const key = typeof keyId === "string" ? keyId : null;
  return { kind: "page", operations: read, cursor, offset, isFull, keyId: key };
}

/** Operations of any profile are read: a newer server or app may know types that this app does not. */
function readOperations(
  scanned: readonly ScannedOperation[],
  validateSealed?: DeviceEncryption["validateSealed"],
): readonly ParsedOperation[] | null {
  const goodNames = new Set<string>();
  const operations: ParsedOperation[] = [];
  for (const one of scanned) {
    // What is sealed may be larger, and what is not is listed as such instead of ending every round.
    const result = validateSealed?.(one);
    const read = result?.kind === "valid" ? result : validateClear(one, "open", goodNames);
    if (read.kind === "invalid") return null;
    operations.push(read.operation);
  }
  return operations;
}
