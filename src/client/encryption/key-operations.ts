/** The operations of the key entity on a device: records like any other, so that a server which lost them gets them back. */
import { KEY_ENTITY_ID } from "../../contract/sync/operation-limits.ts";
import type { Revision } from "../../contract/sync/operation.ts";
import { parseOperation, type ParsedOperation } from "../../rules/sync/operation-text.ts";
import {
  findOperation,
  isAside,
  parseStoredOperations,
  putUnconfirmed,
} from "../sync/entity-record.ts";
import type { LocalTransaction } from "../sync/local-transaction.ts";
import { entityKey, sentKey } from "../sync/records.ts";
import type { StorageTransaction } from "../sync/storage.ts";

export function isOfKeyEntity({ entityId }: ParsedOperation): boolean {
  return entityId === KEY_ENTITY_ID;
}

export async function readKeyOperations(
  transaction: StorageTransaction,
): Promise<readonly ParsedOperation[]> {
  const stored = parseStoredOperations(await transaction.get(entityKey(KEY_ENTITY_ID)));
  return stored.filter((one) => !isAside(one)).map(({ operation }) => operation);
}

/** Uses up the next revision, so that an attempt whose response is lost shares its id with no other. */
export async function takeRevision(transaction: LocalTransaction): Promise<Revision> {
  const revision = transaction.nextRevision();
  transaction.observe(revision.sequence);
  return revision;
}

/** Keeps an operation that the server has, until a page brings it. */
export async function keepSent(
  transaction: LocalTransaction,
  operation: ParsedOperation,
): Promise<void> {
  await storeUnconfirmed(transaction, operation);
  transaction.put(sentKey(operation.revision), operation.text);
}

/** Keeps those of a page that is not taken in. */
export async function keepUnknown(
  transaction: LocalTransaction,
  operations: readonly ParsedOperation[],
): Promise<void> {
  const stored = await transaction.readStored(KEY_ENTITY_ID);
  for (const operation of operations) {
    if (!findOperation(stored, operation.operationId)) await keepSent(transaction, operation);
  }
}

export async function queueKeyOperation(
  transaction: LocalTransaction,
  createText: (revision: Revision) => string,
): Promise<void> {
  const operation = parseOperation(createText(await takeRevision(transaction)));
  await storeUnconfirmed(transaction, operation);
  await transaction.enqueue(operation);
}

async function storeUnconfirmed(
  transaction: LocalTransaction,
  operation: ParsedOperation,
): Promise<void> {
  const stored = await transaction.readStored(KEY_ENTITY_ID);
  transaction.writeStored(KEY_ENTITY_ID, putUnconfirmed(stored, operation));
}
