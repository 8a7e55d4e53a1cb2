/** Merges a pulled page: its operations and its cursor are stored in one transaction. */
import { parseOperation, type ParsedOperation } from "../../rules/sync/operation-text.ts";
import {
  findOperation,
  isAside,
  isUnreadable,
  putOperation,
  putUnreadable,
  UNCONFIRMED,
  replacedIn,
  type EntityOperation,
  type StoredOperations,
} from "./entity-record.ts";
import type { LocalTransaction } from "./local-transaction.ts";
import { keepQueued } from "./push-queue.ts";
import {
  changePosition,
  DEVICE_KEY,
  readPending,
  readPosition,
  readRecord,
  sentKey,
  type DeviceRecord,
  type PositionRecord,
  type TransactionSpan,
} from "./records.ts";
import { showRefused } from "./refused-edits.ts";
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
    const opened = stored.filter((one) => !isAside(one) && isOpened(transaction, one));
    // What is known may take the place of what is listed.
    const isShown = !stored.some(isUnreadable) && ofEntity.every(isAmong(opened));
    transaction.writeStored(entityId, needed, isShown);
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

function isAmong(known: StoredOperations): (operation: ParsedOperation) => boolean {
  // By id: the hash of a whole text costs more than the few comparisons.
  const texts = new Map(known.map(({ operation }) => [operation.operationId, operation.text]));
  return ({ operationId, text }) => texts.get(operationId) === text;
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
    const known = findOperation(stored, operationId);
    const isSame = known?.operation.text === operation.text && isOpened(transaction, known);
    if (!isSame && !transaction.form.isReadable(operation)) {
      transaction.observeUnreadable(revision.sequence);
      stored = putUnreadable(stored, operation, epoch);
      continue;
    }
    transaction.observe(revision.sequence);
    const isQueued = known === undefined ? hasUnconfirmed : known.confirmedIn !== epoch;
    const { text, span } = isQueued ? await leaveQueues(transaction, operation) : {};
    stored = putOperation(stored, operation, epoch, span);
    if (text === undefined || transaction.form.isSame(parseOperation(text), operation)) continue;
    // The device was set back, such as by a restored backup.
    transaction.addToQuarantine({ operationId, entityId, reason: "id_reused", text });
    reused.push(operation);
  }
  return stored;
}

/**
 * What is stored could be read before. What waits unsealed is no such thing: a page that has its text has guessed
 * it, and must not learn that.
 */
function isOpened({ form }: LocalTransaction, one: EntityOperation): boolean {
  return one.confirmedIn !== UNCONFIRMED || form.sealing?.isDue(one.operation) !== true;
}

async function dropReplaced(
  transaction: LocalTransaction,
  stored: StoredOperations,
  epoch: number,
): Promise<StoredOperations> {
  // Most operations of a first pull are alone.
  if (stored.length === 1) return stored;
  const isReplaced = replacedIn(stored, epoch);
  const needed: EntityOperation[] = [];
  for (const one of stored) {
    if (isAside(one) || !isReplaced(one.operation)) needed.push(one);
    else if (one.confirmedIn !== epoch) await leaveQueues(transaction, one.operation);
  }
  return needed;
}

interface Left {
  /** What was to be pushed. */
  readonly text?: string;
  readonly span?: TransactionSpan;
}

/** The server has the operation, or one that replaces it. */
async function leaveQueues(
  transaction: LocalTransaction,
  { revision }: ParsedOperation,
): Promise<Left> {
  const key = sentKey(revision);
  const pending = await transaction.dequeue(revision);
  const sent = pending === undefined ? await transaction.get(key) : undefined;
  transaction.delete(key);
  const span = pending?.span ?? (sent === undefined ? null : readPending(sent).span);
  return { ...(pending && { text: pending.text }), ...(span && { span }) };
}
