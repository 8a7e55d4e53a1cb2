/** Gives what a device stored without the account's keys opaque ids and names; nothing of it was ever sent. */
import { parseOperation, type ParsedOperation } from "../../rules/sync/operation-text.ts";
import {
  epochOfUnreadable,
  isUnreadable,
  parseStoredOperations,
  putUnconfirmed,
  UNCONFIRMED,
  unreadableIn,
  type EntityOperation,
} from "../sync/entity-record.ts";
import type { LocalTransaction } from "../sync/local-transaction.ts";
import { isSealedId } from "../sync/record-form.ts";
import {
  ENTITY_PREFIX,
  NO_LIMIT,
  PENDING_PREFIX,
  prefixRange,
  readPending,
  toPendingValue,
} from "../sync/records.ts";
import type { KeyRange, StorageTransaction, StoredRecord } from "../sync/storage.ts";

const { below: END } = prefixRange(ENTITY_PREFIX, NO_LIMIT);
const SEALED = prefixRange(`${ENTITY_PREFIX}sealed/`, NO_LIMIT);
/** The records that are not sealed. */
const CLEAR: readonly KeyRange[] = [
  { ...SEALED, from: ENTITY_PREFIX, below: SEALED.from },
  { ...SEALED, from: SEALED.below, below: END },
];

type Lists = Pick<StorageTransaction, "list">;

export async function hasClear(transaction: Lists): Promise<boolean> {
  return (await listClear(transaction)).length > 0;
}

/** Whether a server once had some of it: edits that only wait are named, and what cannot be read is only listed. */
export async function hasSyncedClear(transaction: Lists): Promise<boolean> {
  const clear = (await listClear(transaction)).flatMap(([, text]) => parseStoredOperations(text));
  const pending = await transaction.list(prefixRange(PENDING_PREFIX, NO_LIMIT));
  const waiting = new Set(
    pending.map(([, value]) => parseOperation(readPending(value).text).operationId),
  );
  return clear.some(
    (one) =>
      !isUnreadable(one) &&
      (one.confirmedIn !== UNCONFIRMED || !waiting.has(one.operation.operationId)),
  );
}

async function listClear(transaction: Lists): Promise<readonly StoredRecord[]> {
  const lists = await Promise.all(CLEAR.map((range) => transaction.list(range)));
  return lists.flat();
}

/** What was sent before the app had encryption stays as it was: it is listed, and no recovery removes it. */
const NO_EPOCH = 2 ** 40;

/** Must run in one transaction, with the form `sealed`. */
export async function nameRecords(transaction: LocalTransaction): Promise<void> {
  const named = await namePending(transaction);
  for (const [key] of await listClear(transaction)) {
    const entityId = key.slice(ENTITY_PREFIX.length);
    const clear = await transaction.readStored(entityId);
    if (clear.every(isUnreadable)) continue;
    const left: EntityOperation[] = [];
    for (const one of clear) {
      const operation = named.get(one.operation.operationId);
      if (operation === undefined || one.confirmedIn !== UNCONFIRMED) {
        left.push(isUnreadable(one) ? one : { ...one, confirmedIn: unreadableIn(NO_EPOCH) });
        continue;
      }
      const stored = await transaction.readStored(operation.entityId);
      transaction.writeStored(operation.entityId, putUnconfirmed(stored, operation));
    }
    transaction.writeStored(entityId, left);
  }
}

/** Returns the named operations by their ids. */
async function namePending(
  transaction: LocalTransaction,
): Promise<ReadonlyMap<string, ParsedOperation>> {
  const named = new Map<string, ParsedOperation>();
  for (const [key, value] of await transaction.list(prefixRange(PENDING_PREFIX, NO_LIMIT))) {
    const pending = readPending(value);
    const operation = parseOperation(pending.text);
    if (isSealedId(operation.entityId)) continue;
    const next = transaction.form.toStored(operation);
    named.set(operation.operationId, next);
    transaction.put(key, toPendingValue({ ...pending, text: next.text }));
  }
  return named;
}

/** Another key may open what could not be read. */
export async function reopenRecords(transaction: LocalTransaction): Promise<void> {
  for (const [key] of await transaction.list(SEALED)) {
    const recordId = key.slice(ENTITY_PREFIX.length);
    const stored = await transaction.readStored(recordId);
    const reopened = stored.map((one) => {
      if (!isUnreadable(one) || !transaction.form.isReadable(one.operation)) return one;
      transaction.observe(one.operation.revision.sequence);
      return { ...one, confirmedIn: epochOfUnreadable(one) };
    });
    if (reopened.some((one, index) => one !== stored[index])) {
      transaction.writeStored(recordId, reopened);
    }
  }
}
