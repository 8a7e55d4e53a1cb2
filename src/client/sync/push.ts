/** Pushes the queue in batches, and sets aside what the server refuses. */
import { isObject, type Members } from "../../contract/is-object.ts";
import { REFUSED_HEADER } from "../../contract/sync/refused-operations.ts";
import type { ParsedOperation } from "../../rules/sync/operation-text.ts";
import { parseRefused } from "../../rules/sync/refused-operations.ts";
import { syncError } from "./errors.ts";
import type { LocalStore } from "./local-store.ts";
import { isCursor, mergePage, readPlace, type PulledPage, type PullPlace } from "./merge-page.ts";
import {
  acknowledge,
  batchToBody,
  quarantineOperations,
  readBatch,
  readGreatest,
  type RefusedQueuedOperation,
} from "./push-queue.ts";
import { isSealedId } from "./record-form.ts";
import { failure, type RequestFailure } from "./request.ts";
import type { Tokens } from "./tokens.ts";
import { lowerPushLimits, type TransferLimits } from "./transfer-limits.ts";

export interface PushReport {
  readonly kind: "pushed";
  readonly operations: number;
  readonly quarantined: number;
}

export interface PushOrder {
  /** Whether the server may know no clock, and takes any sequence, but only in its first push. */
  readonly greatestFirst: boolean;
  readonly now: () => number;
  /** Asks the server once more what it takes; a failure when it is no longer one for this app. */
  readonly confirmServer: () => Promise<RequestFailure | null>;
}

/**
 * After a longer time without a response, offsets prove nothing: while a computer sleeps, a server can be
 * rolled back and grow to the same offset by the operations of others.
 */
const MAX_SILENCE_MS = 60_000;

export async function pushQueue(
  store: LocalStore,
  tokens: Tokens,
  limits: TransferLimits,
  { greatestFirst, now, confirmServer }: PushOrder,
  signal: AbortSignal,
): Promise<PushReport | RequestFailure> {
  let operations = 0;
  let quarantined = 0;
  /** The server refuses one of so many operations at the head of the queue, without saying which. */
  let suspects = 0;
  /** A pull has just ended. */
  let heardAt = now();
  let first = greatestFirst ? await readGreatest(store) : [];
  for (;;) {
    const pushOperations = suspects > 0 ? Math.ceil(suspects / 2) : limits.pushOperations;
    const isTrial = first.length > 0;
    const place = await store.read(readPlace);
    const { operations: batch, isSmallest } = isTrial
      ? { operations: first, isSmallest: true }
      : await store.read((tx) => readBatch(tx, { ...limits, pushOperations }));
    first = [];
    if (batch.length === 0) {
      if (store.facts().pending !== 0) await store.write((tx) => tx.noteEmptyQueue());
      return { kind: "pushed", operations, quarantined };
    }
    if (store.form().kind !== "clear" && !batch.every(({ entityId }) => isSealedId(entityId))) {
      // A tab that did not know the key yet has stored it. Nothing leaves an encrypted device in the clear.
      if (!(await store.sealClear())) throw new Error("Cannot push: an operation is not sealed");
      continue;
    }
    const body = batchToBody(batch);
    const response = await tokens.request({ path: "/v1/push", method: "POST", body, signal });
    if (response.kind === "ok") {
      // A clock may be set back meanwhile.
      const isRecent = Math.abs(now() - heardAt) <= MAX_SILENCE_MS;
      heardAt = now();
      const isStored = await storeReceipts(store, batch, response.value, isRecent ? place : null);
      if (!isStored) return failure(syncError("not-a-sync-server"));
      operations += batch.length;
      suspects = Math.max(0, suspects - batch.length);
      continue;
    }
    if (!isSmallest && lowerPushLimits(limits, response, batch.length, body)) continue;
    // A proxy that takes a small push has refused this one for its size alone.
    const isTooLarge =
      response.status === 413 && response.code === null && (await takesSmallPush(tokens, signal));
    const code = isTooLarge ? "payload_too_large" : response.code;
    const refused = findRefused({ ...response, code }, batch, isSmallest);
    if (refused === null) return response;
    // Operations are judged in their order, in which each may be a step of the one before.
    if (isTrial) continue;
    if (refused.length === 0) {
      suspects = batch.length;
      continue;
    }
    // A server whose profile is another one now would refuse everything.
    const unfit = await confirmServer();
    if (unfit !== null) return unfit;
    quarantined += await store.write((tx) => quarantineOperations(tx, refused));
    suspects = 0;
  }
}

export type PushAloneResult =
  | { readonly kind: "stored" }
  | { readonly kind: "refused"; readonly reason: string }
  | RequestFailure;

/** Pushes an operation that is not queued: it counts only when the server has stored it. */
export async function pushAlone(
  tokens: Tokens,
  operation: ParsedOperation,
  signal: AbortSignal,
): Promise<PushAloneResult> {
  const body = batchToBody([operation]);
  const response = await tokens.request({ path: "/v1/push", method: "POST", body, signal });
  if (response.kind === "ok") {
    return readReceipts(response.value, 1) === null
      ? failure(syncError("not-a-sync-server"))
      : { kind: "stored" };
  }
  const [refused] = findRefused(response, [operation], true) ?? [];
  return refused === undefined ? response : { kind: "refused", reason: refused.reason };
}

/** The server has an error code for a push of nothing. */
async function takesSmallPush(tokens: Tokens, signal: AbortSignal): Promise<boolean> {
  const body = batchToBody([]);
  const response = await tokens.request({ path: "/v1/push", method: "POST", body, signal });
  return response.kind === "ok" || response.code !== null;
}

/** `place` is that of the device, if it is still known. Returns whether the receipts are those of the batch. */
async function storeReceipts(
  store: LocalStore,
  batch: readonly ParsedOperation[],
  response: Members,
  place: PullPlace | null,
): Promise<boolean> {
  const receipts = readReceipts(response, batch.length);
  if (receipts === null) return false;
  const page = place === null ? null : receiptsToPage(batch, receipts, place);
  await store.write(async (transaction) => {
    if (place !== null && page !== null && (await mergePage(transaction, place, page))) return;
    const duplicates = receipts.map(({ duplicate }) => duplicate === true);
    await acknowledge(transaction, batch, duplicates);
  });
  return true;
}

/** Null when the receipts are not those of the batch. */
function readReceipts({ receipts }: Members, length: number): readonly Members[] | null {
  if (!Array.isArray(receipts) || receipts.length !== length) return null;
  return receipts.map((receipt: unknown) => (isObject(receipt) ? receipt : {}));
}

/**
 * The page that a pull would bring, when the operations follow the device's place without a gap: a pull
 * with its cursor proves as much as with that of a page. Null when others have pushed in between, or when
 * the server had an operation already.
 */
export function receiptsToPage(
  batch: readonly ParsedOperation[],
  receipts: readonly Members[],
  { offset: start }: Pick<PullPlace, "offset">,
): PulledPage | null {
  const cursor = receipts.at(-1)?.["cursor"];
  if (start === null || !isCursor(cursor)) return null;
  const follows = receipts.every(
    ({ offset, duplicate }, index) => offset === start + index + 1 && duplicate === false,
  );
  return follows ? { operations: batch, cursor, offset: start + batch.length } : null;
}

/** The refused operations; empty when the server does not say which, null when it refuses something else. */
function findRefused(
  { code, headers }: RequestFailure,
  batch: readonly ParsedOperation[],
  isSmallest: boolean,
): readonly RefusedQueuedOperation[] | null {
  const isOfOperations = code === "invalid_sync_operation" || code === "operation_conflict";
  const [first] = batch;
  // A transaction is sent whole or not at all, also when the limits of the server are lower now.
  const isTooMuch =
    code === "payload_too_large" || (code === "invalid_request" && batch.length > 1);
  if (isTooMuch && first !== undefined) {
    return [{ operation: first, reason: code }];
  }
  if (!isOfOperations) return null;
  const named = parseRefused(headers?.get(REFUSED_HEADER) ?? null) ?? [];
  const refused = named.flatMap(({ index, code: reason }) => {
    const operation = batch[index];
    return operation === undefined ? [] : [{ operation, reason }];
  });
  if (refused.length > 0 || first === undefined || !isSmallest) return refused;
  return [{ operation: first, reason: code }];
}
