/** Pushes the queue in batches, and sets aside what the server refuses. */
import { isObject, type Members } from "../../contract/is-object.ts";
import { REFUSED_HEADER } from "../../contract/sync/refused-operations.ts";
import type { ParsedOperation } from "../../rules/sync/operation-text.ts";
import { parseRefused } from "../../rules/sync/refused-operations.ts";
import { syncError } from "./errors.ts";
import type { LocalStore } from "./local-store.ts";
import { isCursor, mergePage, readPlace, type PulledPage, type PullPlace } from "./merge-page.ts";
import { batchToBody, readBatch, readGreatest, type Batch } from "./push-batch.ts";
import { acknowledge, quarantineOperations, type RefusedQueuedOperation } from "./push-queue.ts";
import { isSealedId } from "./record-form.ts";
import {
  failure,
  otherKey,
  type RequestFailure,
  type SyncRequest,
  type SyncResponse,
} from "./request.ts";
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
  /** What proves the account's key; absent without encryption. */
  readonly proof?: () => Pick<SyncRequest, "keyProof">;
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
  { greatestFirst, now, confirmServer, proof }: PushOrder,
  signal: AbortSignal,
): Promise<PushReport | RequestFailure> {
  let operations = 0;
  let quarantined = 0;
  /** How many operations at the head of the queue have one that the server refuses, without saying which. */
  let suspects = 0;
  /** A pull has just ended. */
  let heardAt = now();
  let isTrial = greatestFirst;
  const push = (body: string) =>
    tokens.request({ path: "/v1/push", method: "POST", body, ...proof?.(), signal });
  for (;;) {
    const atMost = suspects > 0 ? Math.ceil(suspects / 2) : limits.pushOperations;
    const place = await store.read(readPlace);
    const taken: Batch = isTrial
      ? { operations: await readGreatest(store, limits), isSmallest: true }
      : await store.read((tx) => readBatch(tx, limits, atMost));
    const { operations: batch, isSmallest } = taken;
    if (batch.length === 0) {
      if (store.facts().pending !== 0) await store.write((tx) => tx.noteEmptyQueue());
      return { kind: "pushed", operations, quarantined };
    }
    if (store.form().kind !== "clear" && !batch.every(({ entityId }) => isSealedId(entityId))) {
      // A tab that did not know the key yet has stored it. Nothing leaves an encrypted device in the clear.
      if (!(await store.nameClear())) throw new Error("Cannot push: an operation is not sealed");
      continue;
    }
    if (batch.some((operation) => store.form().sealing?.isDue(operation))) {
      const isSealed = await store.write(async (tx) => tx.form.sealing?.seal(tx, batch));
      if (isSealed !== true) return otherKey();
      continue;
    }
    const body = batchToBody(batch);
    const response = await push(body);
    const wasTrial = isTrial;
    isTrial = false;
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
    if (lowerPushLimits(limits, response, taken, body)) continue;
    // A proxy that takes a small push has refused this one for its size alone.
    const isTooLarge =
      response.status === 413 && response.code === null && (await takesSmallPush(push));
    const code = isTooLarge ? "payload_too_large" : response.code;
    const refused = findRefused({ ...response, code }, batch, isSmallest);
    if (refused === null) return response;
    // Operations are judged in their order, in which each may be a step of the one before.
    if (wasTrial) continue;
    if (refused.some(({ reason }) => reason === "key_unknown")) return otherKey();
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

/** The server has an error code for a push of nothing. */
async function takesSmallPush(push: (body: string) => Promise<SyncResponse>): Promise<boolean> {
  const response = await push(batchToBody([]));
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
  if (code === "payload_too_large" && first !== undefined) {
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
