/** What becomes of operations of the queue that were pushed. */
import type { Revision } from "../../contract/sync/operation.ts";
import { isSequenceJump } from "../../rules/sync/log-clock.ts";
import { parseOperation, type ParsedOperation } from "../../rules/sync/operation-text.ts";
import {
  dropOperation,
  findOperation,
  isRefused,
  isUnreadable,
  putOperation,
  putUnconfirmed,
  MISSED,
  MISSED_BUT_KNOWN,
  UNCONFIRMED,
  parseStoredOperations,
} from "./entity-record.ts";
import type { LocalTransaction } from "./local-transaction.ts";
import {
  ENTITY_PREFIX,
  NO_LIMIT,
  PENDING_PREFIX,
  pendingKey,
  QUARANTINE_PREFIX,
  readPages,
  readPending,
  readPosition,
  revisionKey,
  revisionOf,
  SENT_PREFIX,
  sentKey,
  toPendingValue,
  type QuarantineRecord,
} from "./records.ts";
import { showRefused } from "./refused-edits.ts";
import type { StorageTransaction } from "./storage.ts";

/** The operations of the queue that belong to the same transaction, and the operation itself. */
export async function readTransactionOf(
  transaction: StorageTransaction,
  { revision }: ParsedOperation,
): Promise<readonly ParsedOperation[]> {
  const { deviceId, sequence } = revision;
  const value = await transaction.get(pendingKey(revision));
  const { span } = readPending(value ?? "{");
  const { first, last } = span ?? { first: sequence, last: sequence };
  const sequences = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const values = await Promise.all(
    sequences.map((one) => transaction.get(pendingKey({ deviceId, sequence: one }))),
  );
  return values.flatMap((one) => (one === undefined ? [] : [parsePending(one)]));
}

export function parsePending(value: string): ParsedOperation {
  return parseOperation(readPending(value).text);
}

/** Keeps received operations as sent until a page has them: others may have pushed in between. See decision 10. */
export async function acknowledge(
  transaction: LocalTransaction,
  batch: readonly ParsedOperation[],
  duplicates: readonly boolean[],
): Promise<void> {
  for (const [index, operation] of batch.entries()) {
    const { revision, text } = operation;
    const pending = await transaction.dequeue(revision);
    if (pending === undefined) continue;
    const isPurged = await updateMissed(transaction, operation, duplicates[index] === true);
    const sent = toPendingValue({ ...pending, text, isSealedAgain: false });
    if (!isPurged) transaction.put(sentKey(revision), sent);
  }
}

/**
 * Updates what is known of an operation that the pages lacked; returns whether it was purged. An operator has
 * purged its entity when the server says twice that it knows the operation, and a pull in between lacked it
 * too. Once is not enough: another device may have pushed the operation just before.
 */
async function updateMissed(
  transaction: LocalTransaction,
  operation: ParsedOperation,
  isDuplicate: boolean,
): Promise<boolean> {
  const { entityId, operationId } = operation;
  const stored = await transaction.readStored(entityId);
  const confirmedIn = findOperation(stored, operationId)?.confirmedIn;
  if (confirmedIn !== MISSED && confirmedIn !== MISSED_BUT_KNOWN) return false;
  const isPurged = isDuplicate && confirmedIn === MISSED_BUT_KNOWN;
  const { epoch } = await readPosition(transaction);
  const next = isPurged ? epoch : isDuplicate ? MISSED_BUT_KNOWN : MISSED;
  // Only a device can delete what is sealed: a server could claim that it purged everything.
  const isDropped = isPurged && transaction.form.kind === "clear";
  transaction.writeStored(
    entityId,
    isDropped ? dropOperation(stored, operationId) : putOperation(stored, operation, next),
  );
  return isPurged;
}

export interface RefusedQueuedOperation extends Pick<QuarantineRecord, "transaction"> {
  readonly operation: ParsedOperation;
  /** The server's code. */
  readonly reason: string;
}

/**
 * Sets refused operations aside, and with each its whole transaction: they are shown, and nothing else
 * follows from them. Returns how many.
 */
export async function quarantineOperations(
  transaction: LocalTransaction,
  named: readonly RefusedQueuedOperation[],
): Promise<number> {
  const dropped: ParsedOperation[] = [];
  const refused = await addTransactions(transaction, named);
  for (const { operation, reason, ...joined } of refused) {
    const { operationId, entityId, revision, text } = operation;
    const value = await transaction.get(pendingKey(revision));
    if (value === undefined) continue;
    if (reason === "id_reused" && readPending(value).isSealedAgain) {
      // Another device has sealed it again, too.
      await acknowledge(transaction, [operation], [true]);
      continue;
    }
    await transaction.dequeue(revision);
    transaction.addToQuarantine({ operationId, entityId, reason, text, ...joined });
    const stored = await transaction.readStored(entityId);
    const confirmedIn = findOperation(stored, operationId)?.confirmedIn;
    // A stored operation that a page brought stays: it has this id with other content.
    if (confirmedIn === undefined || confirmedIn > UNCONFIRMED) continue;
    transaction.writeStored(entityId, dropOperation(stored, operationId));
    dropped.push(operation);
  }
  if (dropped.length > 0) await keepQueued(transaction, dropped);
  if (refused.some(({ reason }) => reason === "sequence_jump")) await setClockBack(transaction);
  await showRefused(
    transaction,
    refused.map(({ operation }) => operation.entityId),
  );
  return refused.length;
}

async function addTransactions(
  transaction: LocalTransaction,
  named: readonly RefusedQueuedOperation[],
): Promise<readonly RefusedQueuedOperation[]> {
  const byId = new Map<string, RefusedQueuedOperation>();
  const reasons = new Map(named.map(({ operation, reason }) => [operation.operationId, reason]));
  for (const { operation } of named) {
    const [first = operation, ...others] = await readTransactionOf(transaction, operation);
    const joined = others.length > 0 && { transaction: first.operationId };
    for (const one of [first, ...others]) {
      const reason = reasons.get(one.operationId) ?? "transaction_refused";
      byId.set(one.operationId, { operation: one, reason, ...joined });
    }
  }
  return [...byId.values()];
}

/**
 * Goes on from the greatest sequence that is left: edits which follow those that the server does not take
 * would be refused like them. These are shown where the clock is now, so that edits which follow replace them.
 */
async function setClockBack(transaction: LocalTransaction): Promise<void> {
  let greatest = 0;
  const note = ({ sequence }: Revision) => {
    greatest = Math.max(greatest, sequence);
  };
  const unreadable: Revision[] = [];
  const read = <T>(work: (tx: StorageTransaction) => Promise<T>) => work(transaction);
  for await (const page of readPages(read, ENTITY_PREFIX)) {
    for (const [, text] of page) {
      for (const one of parseStoredOperations(text)) {
        if (isUnreadable(one)) unreadable.push(one.operation.revision);
        else if (!isRefused(one)) note(one.operation.revision);
      }
    }
  }
  for (const prefix of [PENDING_PREFIX, SENT_PREFIX]) {
    for await (const page of readPages(read, prefix)) {
      for (const [, value] of page) note(parsePending(value).revision);
    }
  }
  // An id of the quarantine that the clock can reach must not be used again.
  const clock = { greatestSequence: greatest, takesAnySequence: false };
  const far: QuarantineRecord[] = [];
  for await (const page of readPages(read, QUARANTINE_PREFIX)) {
    for (const [, text] of page) {
      const record = JSON.parse(text) as QuarantineRecord;
      const { shownAt = revisionOf(record.operationId) } = record;
      if (isSequenceJump(clock, shownAt.sequence)) far.push(record);
      else note(shownAt);
    }
  }
  transaction.setClock(greatest);
  for (const { sequence } of unreadable) transaction.observeUnreadable(sequence);
  for (const record of far) {
    const shownAt = transaction.nextRevision();
    transaction.observe(shownAt.sequence);
    transaction.addToQuarantine({ ...record, shownAt });
  }
}

/** What the dropped operations had replaced, and the queues still have, owns its registers again. */
export async function keepQueued(
  transaction: LocalTransaction,
  dropped: readonly ParsedOperation[],
): Promise<void> {
  const entityIds = new Set(dropped.map(({ entityId }) => entityId));
  const keys = dropped.map(({ revision }) => revisionKey(revision)).sort();
  for (const prefix of [SENT_PREFIX, PENDING_PREFIX]) {
    const below = prefix + (keys.at(-1) ?? "");
    const older = await transaction.list({ from: prefix, below, limit: NO_LIMIT });
    for (const [, value] of older) {
      const operation = parsePending(value);
      const { entityId, operationId } = operation;
      const stored = entityIds.has(entityId) ? await transaction.readStored(entityId) : null;
      if (stored === null || findOperation(stored, operationId) !== undefined) continue;
      transaction.writeStored(entityId, putUnconfirmed(stored, operation));
    }
  }
}
