/** What a person or an app does with operations that the server refused. */
import type { SyncProfile } from "../../contract/sync/operation-limits.ts";
import { isSequenceJump } from "../../rules/sync/log-clock.ts";
import { sequenceOf } from "../../rules/sync/operation.ts";
import type { LocalStore } from "./local-store.ts";
import type { LocalTransaction } from "./local-transaction.ts";
import { pendingKey, revisionOf, type QuarantineRecord } from "./records.ts";
import { showRefused, withRevision } from "./refused-edits.ts";
import { refuseEdit, refuseFailed } from "./errors.ts";
import type {
  DiscardResult,
  EditResult,
  QuarantinedOperation,
  RetryResult,
  SyncResult,
} from "./results.ts";
import { storeOperations } from "./store-operation.ts";

export interface Quarantine {
  /** Lists the operations in the order in which they were made. */
  list(): readonly QuarantinedOperation[];
  /** Sends the operation again and returns what the server says; offline it is queued again. */
  retry(operationId: string): Promise<RetryResult>;
  /** Forgets the operation for good. */
  discard(operationId: string): Promise<DiscardResult>;
}

export function createQuarantine(
  store: LocalStore,
  profile: SyncProfile,
  sync: () => Promise<SyncResult>,
): Quarantine {
  /** What became of an operation that was queued again. */
  async function send(operationId: string): Promise<RetryResult> {
    await sync();
    const refused = store.facts().quarantine.find((one) => one.operationId === operationId);
    if (refused !== undefined) {
      const { reason } = refused;
      return { kind: "refused", reason, message: explainReason(reason) };
    }
    const key = pendingKey(revisionOf(operationId));
    const isPending = (await store.read((transaction) => transaction.get(key))) !== undefined;
    return { kind: isPending ? "stored" : "accepted", operationId };
  }

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
      return result.kind === "stored" ? send(result.operationId).catch(refuseFailed) : result;
    },
    discard: (operationId) =>
      store
        .write(async (transaction): Promise<DiscardResult> => {
          const record = await transaction.takeFromQuarantine(operationId);
          if (record === undefined) return { kind: "not-found" };
          await showRefused(transaction, [record.entityId]);
          return { kind: "discarded" };
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
    case "transaction_refused":
      return "The sync server refused another change that was made together with this one; try that one again first, or discard both";
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
  const result = await storeOperations(transaction, [toRetriedText(transaction, record)], profile);
  if (result.kind === "refused") transaction.addToQuarantine(record);
  else await showRefused(transaction, [record.entityId]);
  return result;
}

/** An id that the server knows with other content cannot be used again, nor a sequence that is out of reach. */
function toRetriedText(
  transaction: LocalTransaction,
  { operationId, reason, text }: QuarantineRecord,
): string {
  const isUsed = reason === "id_reused" || reason === "operation_conflict";
  if (!isUsed && !isSequenceJump(transaction.clock(), sequenceOf(operationId))) return text;
  return withRevision(text, transaction.nextRevision());
}
