/** Merges a pulled page: its operations and its cursor are stored in one transaction. */
import { isSameContent } from "../../rules/sync/content-identity.ts";
import type { ParsedOperation } from "../../rules/sync/operation-text.ts";
import { dropSuperseded, keepOperation, type KeptOperations } from "./entity-record.ts";
import type { LocalTransaction } from "./local-transaction.ts";
import {
  DEVICE_KEY,
  POSITION_KEY,
  readPosition,
  readRecord,
  sentKey,
  writeRecord,
  type DeviceRecord,
} from "./records.ts";
import type { StorageTransaction } from "./storage.ts";

/** Where a page was asked for. */
export interface PullPlace {
  readonly deviceId: string;
  readonly cursor: string | null;
  readonly epoch: number;
}

export async function readPlace(transaction: StorageTransaction): Promise<PullPlace> {
  const { cursor, epoch } = await readPosition(transaction);
  const device = await readRecord<DeviceRecord>(transaction, DEVICE_KEY);
  return { deviceId: device?.deviceId ?? "", cursor, epoch };
}

export interface PulledPage {
  readonly operations: readonly ParsedOperation[];
  readonly cursor: string;
}

/** False, without a change, when the device has moved since: another tab was faster. */
export async function mergePage(
  transaction: LocalTransaction,
  place: PullPlace,
  { operations, cursor }: PulledPage,
): Promise<boolean> {
  const position = await readPosition(transaction);
  if (
    position.cursor !== place.cursor ||
    position.epoch !== place.epoch ||
    transaction.deviceId !== place.deviceId
  ) {
    return false;
  }
  const byEntity = Map.groupBy(operations, ({ entityId }) => entityId);
  const entityIds = [...byEntity.keys()];
  const keptBefore = await Promise.all(entityIds.map((id) => transaction.readKept(id)));
  for (const [index, entityId] of entityIds.entries()) {
    let kept = keptBefore[index] ?? [];
    for (const operation of byEntity.get(entityId) ?? []) {
      kept = await mergeOperation(transaction, kept, operation, position.epoch);
    }
    const { kept: needed, dropped } = dropSuperseded(kept, position.epoch);
    for (const { operation, seen } of dropped) {
      if (seen !== position.epoch) await leaveQueues(transaction, operation);
    }
    transaction.writeKept(entityId, needed);
  }
  if (cursor !== position.cursor) writeRecord(transaction, POSITION_KEY, { ...position, cursor });
  return true;
}

async function mergeOperation(
  transaction: LocalTransaction,
  kept: KeptOperations,
  operation: ParsedOperation,
  epoch: number,
): Promise<KeptOperations> {
  transaction.observe(operation.revision.sequence);
  const { operationId, entityId, text } = operation;
  const known = kept.find((one) => one.operation.operationId === operationId);
  if (known !== undefined && known.seen !== epoch) {
    const wasPending = await leaveQueues(transaction, operation);
    // The device was set back, such as by a restored backup, and used its ids for other changes.
    if (wasPending && !isSameContent(known.operation.text, text)) {
      const reason = "id_reused";
      await transaction.addToQuarantine({
        operationId,
        entityId,
        reason,
        text: known.operation.text,
      });
    }
  }
  return keepOperation(kept, operation, epoch);
}

/** The server has the operation, or one that replaces it. Returns whether it was to be pushed. */
async function leaveQueues(
  transaction: LocalTransaction,
  { revision }: ParsedOperation,
): Promise<boolean> {
  transaction.delete(sentKey(revision));
  return transaction.dequeue(revision);
}
