/** The queue of operations that the server has not received, and what becomes of them. */
import { parseOperation, type ParsedOperation } from "../../rules/sync/operation-text.ts";
import { utf8Length } from "../../rules/sync/operation-bounds.ts";
import { keepOperation, NOT_SEEN } from "./entity-record.ts";
import type { LocalTransaction } from "./local-transaction.ts";
import { PENDING_PREFIX, prefixRange, readPosition, sentKey } from "./records.ts";
import type { StorageTransaction } from "./storage.ts";

export interface BatchLimits {
  readonly maxOperations: number;
  /** Of the whole body. */
  readonly maxBytes: number;
}

/** `{"operations":[]}` */
const BODY_BYTES = 17;

/** The first operations that fit, in the order of their revisions; at least one, if there is one. */
export async function readBatch(
  transaction: StorageTransaction,
  { maxOperations, maxBytes }: BatchLimits,
): Promise<readonly ParsedOperation[]> {
  const records = await transaction.list(prefixRange(PENDING_PREFIX, maxOperations));
  const batch: ParsedOperation[] = [];
  let bytes = BODY_BYTES;
  for (const [, text] of records) {
    bytes += utf8Length(text) + 1;
    if (bytes > maxBytes && batch.length > 0) break;
    batch.push(parseOperation(text));
  }
  return batch;
}

export function batchToBody(batch: readonly ParsedOperation[]): string {
  return `{"operations":[${batch.map(({ text }) => text).join(",")}]}`;
}

/**
 * The server has received the operations. Each is kept as sent until a page brings it: only that
 * proves that the server was not put back to a moment before the push.
 */
export async function acknowledge(
  transaction: LocalTransaction,
  batch: readonly ParsedOperation[],
  duplicates: readonly boolean[],
): Promise<void> {
  for (const [index, operation] of batch.entries()) {
    const { revision, entityId } = operation;
    if (!(await transaction.dequeue(revision))) continue;
    const isPurged = duplicates[index] === true && (await confirmPurged(transaction, operation));
    if (!isPurged) transaction.put(sentKey(revision), entityId);
  }
}

/**
 * The pages lacked the operation although the server knows its id: an operator purged it, and it will
 * come in no page. False for an operation that was pushed for the first time.
 */
async function confirmPurged(
  transaction: LocalTransaction,
  operation: ParsedOperation,
): Promise<boolean> {
  const kept = await transaction.readKept(operation.entityId);
  const known = kept.find((one) => one.operation.operationId === operation.operationId);
  if (known === undefined || known.seen === NOT_SEEN) return false;
  const { epoch } = await readPosition(transaction);
  transaction.writeKept(operation.entityId, keepOperation(kept, operation, epoch));
  return true;
}

export interface RefusedOperation {
  readonly operation: ParsedOperation;
  /** The server's code. */
  readonly reason: string;
}

/** Sets refused operations aside, as if they had not been made. */
export async function quarantineOperations(
  transaction: LocalTransaction,
  refused: readonly RefusedOperation[],
): Promise<void> {
  for (const { operation, reason } of refused) {
    const { operationId, entityId, revision, text } = operation;
    if (!(await transaction.dequeue(revision))) continue;
    const kept = await transaction.readKept(entityId);
    transaction.writeKept(
      entityId,
      kept.filter((one) => one.operation.operationId !== operationId),
    );
    await transaction.addToQuarantine({ operationId, entityId, reason, text });
  }
}
