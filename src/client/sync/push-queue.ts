/** The queue of operations that the server has not received, and what becomes of them. */
import { parseOperation, type ParsedOperation } from "../../rules/sync/operation-text.ts";
import { utf8Length } from "../../rules/sync/operation-bounds.ts";
import {
  dropOperation,
  findOperation,
  isRefused,
  putOperation,
  putUnconfirmed,
  MISSED,
  MISSED_BUT_KNOWN,
  UNCONFIRMED,
  parseStoredOperations,
} from "./entity-record.ts";
import type { LocalStore } from "./local-store.ts";
import type { LocalTransaction } from "./local-transaction.ts";
import {
  ENTITY_PREFIX,
  NO_LIMIT,
  PENDING_PREFIX,
  prefixRange,
  readPages,
  revisionKey,
  SENT_PREFIX,
  sentKey,
} from "./records.ts";
import { showRefused } from "./refused-edits.ts";
import type { StorageTransaction } from "./storage.ts";
import type { TransferLimits } from "./transfer-limits.ts";

/** `{"operations":[]}` */
const BODY_BYTES = 17;

/** The first operations that fit, in the order of their revisions; at least one, if there is one. */
export async function readBatch(
  transaction: StorageTransaction,
  { pushOperations, pushBytes }: Pick<TransferLimits, "pushOperations" | "pushBytes">,
): Promise<readonly ParsedOperation[]> {
  const records = await transaction.list(prefixRange(PENDING_PREFIX, pushOperations));
  const batch: ParsedOperation[] = [];
  let bytes = BODY_BYTES;
  for (const [, text] of records) {
    bytes += utf8Length(text) + 1;
    if (bytes > pushBytes && batch.length > 0) break;
    batch.push(parseOperation(text));
  }
  return batch;
}

/** The operation of the greatest revision in the queue; null when it is empty. */
export async function readGreatest({
  read,
}: Pick<LocalStore, "read">): Promise<ParsedOperation | null> {
  let greatest: string | null = null;
  for await (const page of readPages(read, PENDING_PREFIX)) greatest = page.at(-1)?.[1] ?? greatest;
  return greatest === null ? null : parseOperation(greatest);
}

export function batchToBody(batch: readonly ParsedOperation[]): string {
  return `{"operations":[${batch.map(({ text }) => text).join(",")}]}`;
}

/** Keeps received operations as sent until a page has them: others may have pushed in between. See decision 10. */
export async function acknowledge(
  transaction: LocalTransaction,
  batch: readonly ParsedOperation[],
  duplicates: readonly boolean[],
): Promise<void> {
  for (const [index, operation] of batch.entries()) {
    const { revision, text } = operation;
    if ((await transaction.dequeue(revision)) === undefined) continue;
    const isPurged = await updateMissed(transaction, operation, duplicates[index] === true);
    if (!isPurged) transaction.put(sentKey(revision), text);
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
  const next = isDuplicate ? MISSED_BUT_KNOWN : MISSED;
  transaction.writeStored(
    entityId,
    isPurged ? dropOperation(stored, operationId) : putOperation(stored, operation, next),
  );
  return isPurged;
}

export interface RefusedQueuedOperation {
  readonly operation: ParsedOperation;
  /** The server's code. */
  readonly reason: string;
}

/** Sets refused operations aside: they are shown, and nothing else follows from them. */
export async function quarantineOperations(
  transaction: LocalTransaction,
  refused: readonly RefusedQueuedOperation[],
): Promise<void> {
  const dropped: ParsedOperation[] = [];
  for (const { operation, reason } of refused) {
    const { operationId, entityId, revision, text } = operation;
    if ((await transaction.dequeue(revision)) === undefined) continue;
    transaction.addToQuarantine({ operationId, entityId, reason, text });
    const stored = await transaction.readStored(entityId);
    const confirmedIn = findOperation(stored, operationId)?.confirmedIn;
    // A stored operation that a page brought stays: it has this id with other content.
    if (confirmedIn === undefined || confirmedIn > UNCONFIRMED) continue;
    transaction.writeStored(entityId, dropOperation(stored, operationId));
    dropped.push(operation);
  }
  if (dropped.length > 0) await keepQueued(transaction, dropped);
  const jumped = refused.filter(({ reason }) => reason === "sequence_jump");
  if (jumped.length > 0) await setClockBack(transaction, jumped);
  await showRefused(
    transaction,
    refused.map(({ operation }) => operation.entityId),
  );
}

/**
 * Goes on from the greatest sequence that is left: edits which follow those that the server does not take
 * would be refused like them. These are shown where the clock is now, so that edits which follow replace them.
 */
async function setClockBack(
  transaction: LocalTransaction,
  jumped: readonly RefusedQueuedOperation[],
): Promise<void> {
  let greatest = 0;
  const note = ({ revision }: ParsedOperation) => {
    greatest = Math.max(greatest, revision.sequence);
  };
  const read = <T>(work: (tx: StorageTransaction) => Promise<T>) => work(transaction);
  for await (const page of readPages(read, ENTITY_PREFIX)) {
    for (const [, text] of page) {
      for (const one of parseStoredOperations(text)) if (!isRefused(one)) note(one.operation);
    }
  }
  for (const prefix of [PENDING_PREFIX, SENT_PREFIX]) {
    for await (const page of readPages(read, prefix)) {
      for (const [, text] of page) note(parseOperation(text));
    }
  }
  transaction.setClock(greatest);
  for (const { operation, reason } of jumped) {
    const { operationId, entityId, text } = operation;
    const shownAt = transaction.nextRevision();
    transaction.observe(shownAt.sequence);
    transaction.addToQuarantine({ operationId, entityId, reason, text, shownAt });
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
    for (const [, text] of older) {
      const operation = parseOperation(text);
      const { entityId, operationId } = operation;
      const stored = entityIds.has(entityId) ? await transaction.readStored(entityId) : null;
      if (stored === null || findOperation(stored, operationId) !== undefined) continue;
      transaction.writeStored(entityId, putUnconfirmed(stored, operation));
    }
  }
}
