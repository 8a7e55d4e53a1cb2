/** Merges a pulled page: its operations and its cursor are stored in one transaction. */
import { isSameContent } from "../../rules/sync/content-identity.ts";
import type { ParsedOperation } from "../../rules/sync/operation-text.ts";
import {
  findOperation,
  keepOperation,
  NOT_SEEN,
  replacedIn,
  type KeptOperation,
  type KeptOperations,
} from "./entity-record.ts";
import type { LocalTransaction } from "./local-transaction.ts";
import { keepQueued } from "./push-queue.ts";
import {
  changePosition,
  DEVICE_KEY,
  readPosition,
  readRecord,
  sentKey,
  type DeviceRecord,
  type PositionRecord,
} from "./records.ts";
import type { StorageTransaction } from "./storage.ts";

/** The place in the log from which a page was asked for. */
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

export function isAt({ cursor, epoch }: PositionRecord, place: PullPlace): boolean {
  return cursor === place.cursor && epoch === place.epoch;
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
  if (!isAt(position, place) || transaction.deviceId !== place.deviceId) return false;
  const byEntity = Map.groupBy(operations, ({ entityId }) => entityId);
  await Promise.all([...byEntity.keys()].map((entityId) => transaction.readKept(entityId)));
  const reused: ParsedOperation[] = [];
  for (const [entityId, ofEntity] of byEntity) {
    const kept = await transaction.readKept(entityId);
    const merged = await mergeOperations(transaction, kept, ofEntity, position.epoch, reused);
    transaction.writeKept(entityId, await dropReplaced(transaction, merged, position.epoch));
  }
  if (reused.length > 0) await keepQueued(transaction, reused);
  if (cursor !== position.cursor) await changePosition(transaction, { cursor });
  return true;
}

/** Adds to `reused` the operations whose ids this device has used for other changes. */
async function mergeOperations(
  transaction: LocalTransaction,
  before: KeptOperations,
  operations: readonly ParsedOperation[],
  epoch: number,
  reused: ParsedOperation[],
): Promise<KeptOperations> {
  // The queues can have more only of an entity with an unseen operation: a first pull costs no reads.
  const hasUnseen = before.some(({ seen }) => seen === NOT_SEEN);
  let kept = before;
  for (const operation of operations) {
    const { operationId, entityId, revision } = operation;
    transaction.observe(revision.sequence);
    const known = findOperation(kept, operationId);
    kept = keepOperation(kept, operation, epoch);
    if (known === undefined ? !hasUnseen : known.seen === epoch) continue;
    const text = await leaveQueues(transaction, operation);
    if (text === undefined || isSameContent(text, operation.text)) continue;
    // The device was set back, such as by a restored backup.
    transaction.addToQuarantine({ operationId, entityId, reason: "id_reused", text });
    reused.push(operation);
  }
  return kept;
}

async function dropReplaced(
  transaction: LocalTransaction,
  kept: KeptOperations,
  epoch: number,
): Promise<KeptOperations> {
  const isReplaced = replacedIn(kept, epoch);
  const needed: KeptOperation[] = [];
  for (const one of kept) {
    if (!isReplaced(one.operation)) needed.push(one);
    else if (one.seen !== epoch) await leaveQueues(transaction, one.operation);
  }
  return needed;
}

/** The server has the operation, or one that replaces it. Returns the text that was to be pushed. */
async function leaveQueues(
  transaction: LocalTransaction,
  { revision }: ParsedOperation,
): Promise<string | undefined> {
  transaction.delete(sentKey(revision));
  return transaction.dequeue(revision);
}
