/** Pushes again what the server lost: stored operations, of any device, that no page of a new epoch brings. */
import type { ParsedOperation } from "../../rules/sync/operation-text.ts";
import {
  dropOperation,
  epochOfUnreadable,
  findOperation,
  isAside,
  isUnreadable,
  isUnreadableIn,
  putOperation,
  MISSED,
  MISSED_BUT_KNOWN,
  replacedIn,
  type StoredOperations,
} from "./entity-record.ts";
import type { LocalStore } from "./local-store.ts";
import type { LocalTransaction } from "./local-transaction.ts";
import { isAt, type PullPlace } from "./merge-page.ts";
import { parsePending } from "./push-queue.ts";
import {
  changePosition,
  ENTITY_PREFIX,
  PAGE_RECORDS,
  pendingKey,
  prefixRange,
  readPages,
  readPending,
  readPosition,
  SENT_PREFIX,
  sentKey,
  toStart,
} from "./records.ts";

/** Forgets the cursor, unless another tab has moved it. */
export async function startOver(transaction: LocalTransaction, place: PullPlace): Promise<void> {
  const position = await readPosition(transaction);
  if (isAt(position, place)) await changePosition(transaction, toStart(position));
}

/** Queues what the pages, read to their end, have lacked; returns the number of operations. */
export async function queueMissing(store: LocalStore): Promise<number> {
  const { recovering } = await store.read(readPosition);
  const count = recovering ? await queueStored(store) : 0;
  return count + (await queueUnconfirmed(store));
}

/** Queues, for every entity, the operations that no page of this epoch has brought. */
async function queueStored(store: LocalStore): Promise<number> {
  let count = 0;
  for await (const records of readPages(store.read, ENTITY_PREFIX)) {
    count += await store.write(async (transaction) => {
      let queued = 0;
      for (const [key] of records) {
        queued += await queueOfEntity(transaction, key.slice(ENTITY_PREFIX.length));
      }
      return queued;
    });
  }
  await store.write((transaction) => changePosition(transaction, { recovering: false }));
  return count;
}

async function queueOfEntity(transaction: LocalTransaction, entityId: string): Promise<number> {
  const { epoch } = await readPosition(transaction);
  const before = await transaction.readStored(entityId);
  // The server no longer has what could not be read; a device that can read it pushes it again.
  let stored: StoredOperations = before.filter(
    (one) => !isUnreadable(one) || epochOfUnreadable(one) >= epoch,
  );
  let queued = 0;
  for (const { operation, confirmedIn } of stored.filter((one) => !isAside(one))) {
    const { operationId, revision } = operation;
    const isPending = (await transaction.get(pendingKey(revision))) !== undefined;
    if (confirmedIn === epoch || isPending || isUnreadableIn(stored, operationId, epoch)) continue;
    const sent = await transaction.get(sentKey(revision));
    stored = await queueAgain(transaction, stored, operation, sent);
    queued++;
  }
  if (queued > 0 || stored.length < before.length) transaction.writeStored(entityId, stored);
  return queued;
}

/** Queues what has a receipt and yet did not come: the server was rolled back since the push. */
async function queueUnconfirmed(store: LocalStore): Promise<number> {
  let count = 0;
  for (;;) {
    const sent = await store.read((tx) => tx.list(prefixRange(SENT_PREFIX, PAGE_RECORDS)));
    if (sent.length === 0) return count;
    count += await store.write(async (transaction) => {
      let queued = 0;
      const { epoch } = await readPosition(transaction);
      for (const [key, value] of sent) {
        // Another tab may have pulled the operation in the meantime.
        if ((await transaction.get(key)) === undefined) continue;
        transaction.delete(key);
        const operation = parsePending(value);
        const { entityId, operationId } = operation;
        const stored = await transaction.readStored(entityId);
        if (findOperation(stored, operationId)?.confirmedIn === epoch) continue;
        if (isUnreadableIn(stored, operationId, epoch)) continue;
        // The server does not need an operation that was replaced: compaction may have dropped it.
        if (replacedIn(stored, epoch)(operation)) {
          transaction.writeStored(entityId, dropOperation(stored, operationId));
          continue;
        }
        const again = await queueAgain(transaction, stored, operation, value);
        transaction.writeStored(entityId, again);
        queued++;
      }
      return queued;
    });
  }
}

/** With those of its transaction, as far as this device sent them. `sent` is what it noted then. */
async function queueAgain(
  transaction: LocalTransaction,
  stored: StoredOperations,
  operation: ParsedOperation,
  sent: string | undefined,
): Promise<StoredOperations> {
  const known = findOperation(stored, operation.operationId);
  const span = known?.span ?? (sent === undefined ? null : readPending(sent).span);
  transaction.delete(sentKey(operation.revision));
  await transaction.enqueue(operation, { span });
  const isKnown = known?.confirmedIn === MISSED_BUT_KNOWN;
  return putOperation(stored, operation, isKnown ? MISSED_BUT_KNOWN : MISSED, span ?? undefined);
}
