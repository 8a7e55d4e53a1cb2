/** What a person or an app does with operations that the server refused. */
import type { SyncProfile } from "../../contract/sync/operation-limits.ts";
import type { Revision } from "../../contract/sync/operation.ts";
import { isSequenceJump } from "../../rules/sync/log-clock.ts";
import { operationIdOf, sequenceOf } from "../../rules/sync/operation.ts";
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
  /**
   * Sends the operation again, with those of its transaction, and returns what the server says; offline it is
   * queued again.
   */
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
  profile: SyncProfile,
): Promise<EditResult> {
  const records = await takeTransaction(transaction, operationId);
  const index = records.findIndex((record) => record.operationId === operationId);
  if (index < 0) {
    return refuseEdit("operation_not_found", "no such operation is in quarantine");
  }
  const { deviceId, sequence: next } = transaction.nextRevision();
  const needsNew = records.some((record) => needsNewRevision(transaction, record));
  const revisions = records.map((record, place) =>
    needsNew ? { deviceId, sequence: next + place } : revisionOf(record.operationId),
  );
  const texts = records.map(({ text }, place) =>
    needsNew ? withRevision(text, revisions[place] as Revision) : text,
  );
  const result = await storeOperations(transaction, texts, profile);
  if (result.kind === "refused") {
    for (const record of records) transaction.addToQuarantine(record);
    return result;
  }
  const sequences = revisions.map(({ sequence }) => sequence);
  if (records.length > 1) {
    await transaction.joinQueued({ first: Math.min(...sequences), last: Math.max(...sequences) });
  }
  await showRefused(
    transaction,
    records.map(({ entityId }) => entityId),
  );
  return { kind: "stored", operationId: operationIdOf(revisions[index] as Revision) };
}

/** Takes the operation and those of its transaction out of the quarantine. */
async function takeTransaction(
  transaction: LocalTransaction,
  operationId: string,
): Promise<readonly QuarantineRecord[]> {
  const record = await transaction.takeFromQuarantine(operationId);
  if (record?.span === undefined) return record === undefined ? [] : [record];
  const { first, last } = record.span;
  const { deviceId } = revisionOf(operationId);
  const records: QuarantineRecord[] = [];
  for (let sequence = first; sequence <= last; sequence++) {
    const id = operationIdOf({ deviceId, sequence });
    const one = id === operationId ? record : await transaction.takeFromQuarantine(id);
    if (one !== undefined) records.push(one);
  }
  return records;
}

/** An id that the server knows with other content cannot be used again, nor a sequence that is out of reach. */
function needsNewRevision(
  transaction: LocalTransaction,
  { operationId, reason }: QuarantineRecord,
): boolean {
  const isUsed = reason === "id_reused" || reason === "operation_conflict";
  return isUsed || isSequenceJump(transaction.clock(), sequenceOf(operationId));
}
