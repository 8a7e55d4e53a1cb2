/** Merges a pulled page: its operations and its cursor are stored in one transaction. */
import { KEY_ENTITY_ID } from "../../contract/sync/operation-limits.ts";
import type { ParsedOperation } from "../../rules/sync/operation-text.ts";
import {
  findOperation,
  isAside,
  putOperation,
  UNCONFIRMED,
  replacedIn,
  unreadableIn,
  type EntityOperation,
  type StoredOperations,
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
import { showRefused } from "./refused-edits.ts";
import { isSameValue } from "./same-value.ts";
import type { StorageTransaction } from "./storage.ts";

/** The place in the log from which a page was asked for. */
export interface PullPlace {
  readonly deviceId: string;
  readonly cursor: string | null;
  /** Null where it is not known. */
  readonly offset: number | null;
  readonly epoch: number;
}

export async function readPlace(transaction: StorageTransaction): Promise<PullPlace> {
  const { cursor, offset = null, epoch } = await readPosition(transaction);
  const device = await readRecord<DeviceRecord>(transaction, DEVICE_KEY);
  return { deviceId: device?.deviceId ?? "", cursor, offset, epoch };
}

export function isAt({ cursor, epoch }: PositionRecord, place: PullPlace): boolean {
  return cursor === place.cursor && epoch === place.epoch;
}

/** A cursor fits an address. */
const CURSOR = /^[\x21-\x7e]{1,2048}$/;

export function isCursor(value: unknown): value is string {
  return typeof value === "string" && CURSOR.test(value);
}

export interface PulledPage {
  readonly operations: readonly ParsedOperation[];
  readonly cursor: string;
  /** The offset of the cursor; null where it is not known. */
  readonly offset: number | null;
}

/** False, without a change, when the device has moved since: another tab was faster. */
export async function mergePage(
  transaction: LocalTransaction,
  place: PullPlace,
  { operations, cursor, offset }: PulledPage,
): Promise<boolean> {
  const position = await readPosition(transaction);
  if (!isAt(position, place) || transaction.deviceId !== place.deviceId) return false;
  const byEntity = Map.groupBy(operations, ({ entityId }) => entityId);
  await Promise.all([...byEntity.keys()].map((entityId) => transaction.readStored(entityId)));
  const reused: ParsedOperation[] = [];
  for (const [entityId, ofEntity] of byEntity) {
    const stored = await transaction.readStored(entityId);
    const merged = await addPulled(transaction, stored, ofEntity, position.epoch, reused);
    const needed = await dropReplaced(transaction, merged, position.epoch);
    transaction.writeStored(entityId, needed, ofEntity.every(isStored(stored)));
  }
  if (reused.length > 0) {
    await keepQueued(transaction, reused);
    await showRefused(
      transaction,
      reused.map(({ entityId }) => entityId),
    );
  }
  if (cursor !== position.cursor || offset !== position.offset) {
    await changePosition(transaction, { cursor, offset });
  }
  return true;
}

function isStored(stored: StoredOperations): (operation: ParsedOperation) => boolean {
  const known = stored.filter((one) => !isAside(one));
  const texts = new Set(known.map(({ operation }) => operation.text));
  return ({ text }) => texts.has(text);
}

/** Adds to `reused` the operations whose ids this device has used for other changes. */
async function addPulled(
  transaction: LocalTransaction,
  before: StoredOperations,
  operations: readonly ParsedOperation[],
  epoch: number,
  reused: ParsedOperation[],
): Promise<StoredOperations> {
  // The queues can have more only of an entity with an unconfirmed operation: a first pull costs no reads.
  const hasUnconfirmed = before.some(({ confirmedIn }) => confirmedIn === UNCONFIRMED);
  let stored = before;
  for (const operation of operations) {
    const { operationId, entityId, revision } = operation;
    transaction.observe(revision.sequence);
    const known = findOperation(stored, operationId);
    // What is stored could be read before.
    const isReadable =
      known?.operation.text === operation.text ||
      transaction.form.isReadable(operation, known?.operation);
    const kept = isReadable ? operation : known?.operation;
    if (kept === undefined) {
      stored = putOperation(stored, operation, unreadableIn(epoch));
      continue;
    }
    stored = putOperation(stored, kept, epoch);
    if (known === undefined ? !hasUnconfirmed : known.confirmedIn === epoch) continue;
    const text = await leaveQueues(transaction, operation);
    if (text === undefined || !isReadable) continue;
    // Another spelling is the same change, and what a device has queued has no number that JSON.parse would round.
    if (isSameValue(JSON.parse(text), JSON.parse(operation.text))) continue;
    // The device was set back, such as by a restored backup.
    transaction.addToQuarantine({ operationId, entityId, reason: "id_reused", text });
    reused.push(operation);
  }
  return stored;
}

async function dropReplaced(
  transaction: LocalTransaction,
  stored: StoredOperations,
  epoch: number,
): Promise<StoredOperations> {
  // What a server invents must not replace what leads to the account's key.
  if (stored[0]?.operation.entityId === KEY_ENTITY_ID) return stored;
  const isReplaced = replacedIn(stored, epoch);
  const needed: EntityOperation[] = [];
  for (const one of stored) {
    if (isAside(one) || !isReplaced(one.operation)) needed.push(one);
    else if (one.confirmedIn !== epoch) await leaveQueues(transaction, one.operation);
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
