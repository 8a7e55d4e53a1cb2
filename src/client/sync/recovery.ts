/**
 * What the server lost is pushed again. The device reads the log from the start in a new epoch; each
 * kept operation that no page of the epoch brings is missing on the server, whichever device made it.
 */
import { keepOperation, MISSED, MISSED_BUT_KNOWN, type KeptOperations } from "./entity-record.ts";
import type { LocalStore } from "./local-store.ts";
import type { LocalTransaction } from "./local-transaction.ts";
import type { PullPlace } from "./merge-page.ts";
import {
  ENTITY_PREFIX,
  pendingKey,
  POSITION_KEY,
  prefixRange,
  readPosition,
  SENT_PREFIX,
  sentKey,
  writeRecord,
} from "./records.ts";

/** Of records in one transaction. */
const PAGE_RECORDS = 200;

/** Forgets the cursor, unless another tab has moved it. */
export async function startOver(transaction: LocalTransaction, place: PullPlace): Promise<void> {
  const position = await readPosition(transaction);
  if (position.cursor !== place.cursor || position.epoch !== place.epoch) return;
  const epoch = position.epoch + 1;
  writeRecord(transaction, POSITION_KEY, { ...position, cursor: null, epoch, recovering: true });
}

/**
 * To be called when the pages were read to the end. Queues what they lacked, and returns how many
 * operations these were.
 */
export async function queueMissing(store: LocalStore): Promise<number> {
  const { recovering } = await store.read(readPosition);
  if (!recovering) return queueUnseen(store);
  let count = 0;
  let after: string | undefined;
  do {
    const range = prefixRange(ENTITY_PREFIX, PAGE_RECORDS, after);
    const records = await store.read((transaction) => transaction.list(range));
    const entityIds = records.map(([key]) => key.slice(ENTITY_PREFIX.length));
    count += await store.write(async (transaction) => {
      let queued = 0;
      for (const entityId of entityIds) queued += await queueOfEntity(transaction, entityId);
      return queued;
    });
    after = records.length < PAGE_RECORDS ? undefined : records.at(-1)?.[0];
  } while (after !== undefined);
  await store.write(async (transaction) => {
    const position = await readPosition(transaction);
    writeRecord(transaction, POSITION_KEY, { ...position, recovering: false });
  });
  return count;
}

async function queueOfEntity(transaction: LocalTransaction, entityId: string): Promise<number> {
  const { epoch } = await readPosition(transaction);
  let kept = await transaction.readKept(entityId);
  let queued = 0;
  for (const one of kept) {
    const { operation, seen } = one;
    const isPending = (await transaction.get(pendingKey(operation.revision))) !== undefined;
    if (seen === epoch || isPending) continue;
    kept = await queueAgain(transaction, kept, one);
    queued++;
  }
  if (queued > 0) transaction.writeKept(entityId, kept);
  return queued;
}

/** Queues what has a receipt and yet did not come: the server was put back since the push. */
async function queueUnseen(store: LocalStore): Promise<number> {
  let count = 0;
  for (;;) {
    const sent = await store.read((tx) => tx.list(prefixRange(SENT_PREFIX, PAGE_RECORDS)));
    if (sent.length === 0) return count;
    count += await store.write(async (transaction) => {
      let queued = 0;
      for (const [key, entityId] of sent) {
        // Another tab may have seen it in the meantime.
        if ((await transaction.get(key)) === undefined) continue;
        transaction.delete(key);
        const kept = await transaction.readKept(entityId);
        const one = kept.find(({ operation }) => sentKey(operation.revision) === key);
        if (one === undefined) continue;
        transaction.writeKept(entityId, await queueAgain(transaction, kept, one));
        queued++;
      }
      return queued;
    });
  }
}

async function queueAgain(
  transaction: LocalTransaction,
  kept: KeptOperations,
  { operation, seen }: KeptOperations[number],
): Promise<KeptOperations> {
  transaction.delete(sentKey(operation.revision));
  await transaction.enqueue(operation);
  return keepOperation(kept, operation, seen === MISSED_BUT_KNOWN ? seen : MISSED);
}
