/** What a person or an app does with operations that the server refused. */
import type { ClearProfile } from "../../contract/sync/operation-limits.ts";
import { isSequenceJump } from "../../rules/sync/log-clock.ts";
import {
  parseOperation,
  scanOperation,
  type ParsedOperation,
} from "../../rules/sync/operation-text.ts";
import { sequenceOf } from "../../rules/sync/operation.ts";
import { validateClear } from "../../rules/sync/validate-operation.ts";
import type { LocalStore } from "./local-store.ts";
import type { LocalTransaction } from "./local-transaction.ts";
import { isSealedId } from "./record-form.ts";
import { pendingKey, revisionOf, type QuarantineRecord } from "./records.ts";
import { showRefused } from "./refused-edits.ts";
import { refuseEdit, refuseFailed, type RefusedEdit } from "./errors.ts";
import type {
  DiscardResult,
  EditResult,
  QuarantinedOperation,
  RetryResult,
  SyncResult,
} from "./results.ts";
import { refuseInvalid, storeOperations } from "./store-operation.ts";

/** The edits that the server refused for good: an app lists them, and the person retries or discards each. */
export interface Quarantine {
  /** Lists the operations in the order in which they were made. */
  list(): readonly QuarantinedOperation[];
  /**
   * Sends the operation again, with its whole transaction, and returns what the server says; offline it is
   * queued again.
   */
  retry(operationId: string): Promise<RetryResult>;
  /** Forgets the operation for good, with its whole transaction. */
  discard(operationId: string): Promise<DiscardResult>;
}

export function createQuarantine(
  store: LocalStore,
  profile: ClearProfile,
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
        entityId: store.form().entityIdOf(entityId) ?? entityId,
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
          const records = await transaction.takeFromQuarantine(operationId);
          await showRefused(transaction, entityIdsOf(records));
          return { kind: records.length === 0 ? "not-found" : "discarded" };
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
      return "The sync server refused another change that was made together with this one; a retry sends them all";
    case "payload_too_large":
      return "This change is too large for the sync server; make it smaller, or discard it";
    default:
      return `The sync server does not take this change (${reason}); update the app and try it again, or discard it`;
  }
}

async function retryOperation(
  transaction: LocalTransaction,
  operationId: string,
  profile: ClearProfile,
): Promise<EditResult> {
  const records = await transaction.takeFromQuarantine(operationId);
  if (records.length === 0) {
    return refuseEdit(
      "operation_not_found",
      "no such operation is in quarantine: it was retried or discarded before",
    );
  }
  const retried = toRetried(transaction, records, profile);
  if ("kind" in retried) {
    for (const record of records) transaction.addToQuarantine(record);
    return retried;
  }
  await storeOperations(transaction, retried);
  const sequences = retried.map(({ revision }) => revision.sequence);
  const [first, last] = [Math.min(...sequences), Math.max(...sequences)];
  if (first < last) transaction.joinQueued({ first, last });
  await showRefused(transaction, entityIdsOf(records));
  const index = records.findIndex((record) => record.operationId === operationId);
  return { kind: "stored", operationId: retried[index]?.operationId ?? "" };
}

/**
 * An id that the server knows with other content cannot be used again, nor a sequence that is out of reach;
 * when the clock was set back, this device may have used the id for another change since.
 */
function toRetried(
  transaction: LocalTransaction,
  records: readonly QuarantineRecord[],
  profile: ClearProfile,
): readonly ParsedOperation[] | RefusedEdit {
  const { form } = transaction;
  const clock = transaction.clock();
  const isUsable = ({ operationId, entityId, reason, shownAt }: QuarantineRecord) =>
    reason !== "id_reused" &&
    reason !== "operation_conflict" &&
    shownAt === undefined &&
    !isSequenceJump(clock, sequenceOf(operationId)) &&
    (form.kind !== "sealed" || isSealedId(entityId));
  const isSame = records.every(isUsable);
  const { deviceId, sequence } = transaction.nextRevision();
  const retried: ParsedOperation[] = [];
  for (const [index, { text }] of records.entries()) {
    const revision = { deviceId, sequence: sequence + index };
    const operation = parseOperation(text);
    const next = isSame ? operation : form.withRevision(operation, revision);
    if (next === null) return refuseEdit("operation_not_found", "the operation cannot be read");
    // What is sealed was checked before.
    if (!isSealedId(next.entityId)) {
      const result = validateClear(scanOperation(next.text), profile);
      if (result.kind === "invalid") return refuseInvalid(result);
    }
    retried.push(next);
  }
  return retried;
}

function entityIdsOf(records: readonly QuarantineRecord[]): readonly string[] {
  return records.map(({ entityId }) => entityId);
}
