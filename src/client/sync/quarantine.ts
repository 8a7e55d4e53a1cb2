/** What a person or an app does with operations that the server refused. */
import type { SyncProfile } from "../../contract/sync/operation-limits.ts";
import type { Operation } from "../../contract/sync/operation.ts";
import { isSequenceJump } from "../../rules/sync/log-clock.ts";
import { operationIdOf, sequenceOf } from "../../rules/sync/operation.ts";
import type { LocalStore } from "./local-store.ts";
import type { LocalTransaction } from "./local-transaction.ts";
import type { QuarantineRecord } from "./records.ts";
import { refuseEdit, refuseFailed } from "./errors.ts";
import type { DiscardResult, EditResult, QuarantinedOperation } from "./results.ts";
import { storeOperation } from "./store-operation.ts";

export interface Quarantine {
  /** Lists the operations in the order in which they were made. */
  list(): readonly QuarantinedOperation[];
  /** Queues the operation again: the server may accept it now. */
  retry(operationId: string): Promise<EditResult>;
  /** Forgets the operation for good. */
  discard(operationId: string): Promise<DiscardResult>;
}

export function createQuarantine(
  store: LocalStore,
  profile: SyncProfile,
  onQueued: () => void,
): Quarantine {
  return {
    list: () =>
      store.facts().quarantine.map(({ operationId, entityId, reason }) => ({
        operationId,
        entityId,
        reason,
        message: explainReason(reason),
      })),
    async retry(operationId) {
      const result = await store
        .write((transaction) => retryOperation(transaction, operationId, profile))
        .catch(refuseFailed);
      if (result.kind === "stored") onQueued();
      return result;
    },
    discard: (operationId) =>
      store
        .write(async (transaction): Promise<DiscardResult> => {
          const record = await transaction.takeFromQuarantine(operationId);
          return { kind: record === undefined ? "not-found" : "discarded" };
        })
        .catch(refuseFailed),
  };
}

/** The reasons that a person can do something about by a retry; the others are for who makes the app. */
function explainReason(reason: string): string {
  switch (reason) {
    case "sequence_jump":
      return "This change was counted too far ahead of all others, and the sync server does not take it; try it again, and it follows them";
    case "id_reused":
    case "operation_conflict":
      return "The sync server has another change under the name of this one; try it again, and it gets a new name";
    case "payload_too_large":
      return "This change is too large for the sync server; make it smaller, or discard it";
    default:
      return `The sync server does not take this change (${reason}); update the app and try it again, or discard it`;
  }
}

async function retryOperation(
  transaction: LocalTransaction,
  operationId: string,
  profile: SyncProfile,
): Promise<EditResult> {
  const record = await transaction.takeFromQuarantine(operationId);
  if (record === undefined) {
    return refuseEdit("operation_not_found", "no such operation is in quarantine");
  }
  const result = await storeOperation(transaction, toRetriedText(transaction, record), profile);
  if (result.kind === "refused") transaction.addToQuarantine(record);
  return result;
}

/** An id that the server knows with other content cannot be used again, nor a sequence that is out of reach. */
function toRetriedText(
  transaction: LocalTransaction,
  { operationId, reason, text }: QuarantineRecord,
): string {
  const isUsed = reason === "id_reused" || reason === "operation_conflict";
  if (!isUsed && !isSequenceJump(transaction.clock(), sequenceOf(operationId))) return text;
  const revision = transaction.nextRevision();
  const operation = JSON.parse(text) as Operation;
  return JSON.stringify({ ...operation, operationId: operationIdOf(revision), revision });
}
