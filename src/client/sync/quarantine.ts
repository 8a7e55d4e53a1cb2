/** What a person or an app does with operations that the server refused. */
import type { SyncProfile } from "../../contract/sync/operation-limits.ts";
import type { Operation } from "../../contract/sync/types.ts";
import { operationIdOf } from "../../rules/sync/operation.ts";
import type { LocalStore } from "./local-store.ts";
import type { LocalTransaction } from "./local-transaction.ts";
import type { QuarantineRecord } from "./records.ts";
import { refuseEdit, refuseExhausted, refuseFailed } from "./refuse-edit.ts";
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
      store
        .facts()
        .quarantine.map(({ operationId, entityId, reason }) => ({ operationId, entityId, reason })),
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

async function retryOperation(
  transaction: LocalTransaction,
  operationId: string,
  profile: SyncProfile,
): Promise<EditResult> {
  const record = await transaction.takeFromQuarantine(operationId);
  if (record === undefined) {
    return refuseEdit("operation_not_found", "no such operation is in quarantine");
  }
  const text = toRetriedText(transaction, record);
  const result =
    text === null ? refuseExhausted() : await storeOperation(transaction, text, profile);
  if (result.kind === "refused") transaction.addToQuarantine(record);
  return result;
}

/** An id that the server knows with other content cannot be used again. */
function toRetriedText(
  transaction: LocalTransaction,
  { reason, text }: QuarantineRecord,
): string | null {
  if (reason !== "id_reused" && reason !== "operation_conflict") return text;
  const revision = transaction.nextRevision();
  if (revision === null) return null;
  const operation = JSON.parse(text) as Operation;
  return JSON.stringify({ ...operation, operationId: operationIdOf(revision), revision });
}
