/** Seals what waits, in the transaction of the round that is about to send it. */
import type { ParsedOperation } from "../../rules/sync/operation-text.ts";
import { isUnreadable, type EntityOperation } from "../sync/entity-record.ts";
import type { SealingTransaction } from "../sync/record-form.ts";
import { pendingKey, readPending, toPendingValue } from "../sync/records.ts";

export interface BatchSealer {
  /** The id of the key that seals. */
  readonly keyId: string;
  isDue(operation: ParsedOperation): boolean;
  /** Whether a server may have it, sealed under another key. */
  isSealed(operation: ParsedOperation): boolean;
  seal(operation: ParsedOperation): ParsedOperation;
}

/** False, without a change, when another tab has learnt of another key. */
export async function sealBatch(
  transaction: SealingTransaction,
  batch: readonly ParsedOperation[],
  { keyId, isDue, isSealed, seal }: BatchSealer,
): Promise<boolean> {
  if (transaction.keyId() !== keyId) return false;
  for (const operation of batch) {
    const { entityId, operationId, revision } = operation;
    const key = pendingKey(revision);
    const value = await transaction.get(key);
    if (value === undefined || !isDue(operation)) continue;
    const sealed = seal(operation);
    const pending = readPending(value);
    const isSealedAgain = pending.isSealedAgain || isSealed(operation);
    transaction.put(key, toPendingValue({ ...pending, text: sealed.text, isSealedAgain }));
    const stored = await transaction.readStored(entityId);
    const isOwn = (one: EntityOperation) =>
      one.operation.operationId === operationId &&
      one.operation.text === operation.text &&
      !isUnreadable(one);
    const replaced = stored.map((one) => (isOwn(one) ? { ...one, operation: sealed } : one));
    if (replaced.some((one, index) => one !== stored[index])) {
      transaction.writeStored(entityId, replaced, true);
    }
  }
  return true;
}
