/** Asks for a page of the log and reads it; nothing is stored here. */
import { INSIDE_PUSH, PAGE_HEADER } from "../../contract/sync/page-header.ts";
import { RECOVERY_REASONS, type RecoveryReason } from "../../contract/sync/values.ts";
import { isLastStep } from "../../rules/sync/log-clock.ts";
import {
  scanOperations,
  type ParsedOperation,
  type ScannedOperation,
} from "../../rules/sync/operation-text.ts";
import { validateClear } from "../../rules/sync/validate-operation.ts";
import { readCursorOffset } from "./cursor-offset.ts";
import type { DeviceEncryption } from "./encryption.ts";
import { syncError } from "./errors.ts";
import { isCursor, type PulledPage, type PullPlace } from "./merge-page.ts";
import { failure, type RequestFailure, type SyncResponse } from "./request.ts";
import type { SyncSettings } from "./settings.ts";
import type { Tokens } from "./tokens.ts";
import { lowerPullLimit, type TransferLimits } from "./transfer-limits.ts";

/** A round ends after this number of pages; the next one goes on from its cursor. */
const MAX_PAGES = 10_000;

/** The pages that were asked for in one round. */
export interface PulledPages {
  count: number;
  readonly asked: Set<string>;
}

export function createPulledPages(): PulledPages {
  return { count: 0, asked: new Set() };
}

export interface PageContext {
  readonly settings: SyncSettings;
  readonly tokens: Tokens;
  readonly limits: TransferLimits;
  readonly signal: AbortSignal;
}

export async function requestPage(
  context: PageContext,
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
    page.kind === "page" && page.hasMore && pages.asked.has(`${epoch} ${page.cursor}`);
  return isAskedAgain ? failure(syncError("endless-log")) : page;
}

interface FullPage extends PulledPage {
  readonly kind: "page";
  readonly hasMore: boolean;
  /** Whether the rest of a push is on the next page. */
  readonly endsInside: boolean;
  /** The id of the account's key; null without one. */
  readonly keyId: string | null;
}

export type PageResult =
  | FullPage
  | {
      readonly kind: "lost-history";
      readonly reason: RecoveryReason;
      /** Absent where the server refused the cursor without a page. */
      readonly keyId?: string | null;
    }
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
  const key = typeof keyId === "string" ? keyId : null;
  if (requiresSnapshot === true) {
    const known = RECOVERY_REASONS.find((reason) => reason === recoveryReason);
    return { kind: "lost-history", reason: known ?? "generation_changed", keyId: key };
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
  return {
    kind: "page",
    operations: read,
    cursor,
    ...readEnd(cursor, headOffset, operations.length, limit),
    endsInside: response.headers.get(PAGE_HEADER) === INSIDE_PUSH,
    keyId: key,
  };
}

/** A page ends at the end of a push, so it may have fewer operations than were asked for and yet not reach the head. */
function readEnd(
  cursor: string,
  headOffset: unknown,
  length: number,
  limit: number,
): Pick<FullPage, "offset" | "hasMore"> {
  const offset = readCursorOffset(cursor);
  const head = typeof headOffset === "number" ? headOffset : null;
  if (offset !== null && head !== null) return { offset, hasMore: length > 0 && offset < head };
  // The server has cursors of its own: its pages are full before the head.
  const hasMore = length >= limit;
  return { offset: hasMore ? null : head, hasMore };
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
