/** What a push takes of the queue: transactions whole where they fit one, and a larger one part by part. */
import { utf8Length } from "../../rules/sync/operation-bounds.ts";
import { parseOperation, type ParsedOperation } from "../../rules/sync/operation-text.ts";
import type { LocalStore } from "./local-store.ts";
import { parsePending, readTransactionOf } from "./push-queue.ts";
import { PENDING_PREFIX, pendingKey, readPages, readPending } from "./records.ts";
import type { StorageTransaction, StoredRecord } from "./storage.ts";
import type { TransferLimits } from "./transfer-limits.ts";

export type PushLimits = Pick<TransferLimits, "pushOperations" | "pushBytes">;

export interface Batch {
  readonly operations: readonly ParsedOperation[];
  /** Whether it is one operation, or one transaction that fits a push. */
  readonly isSmallest: boolean;
}

/** `{"operations":[]}` */
const BODY_BYTES = 17;

export function batchToBody(batch: readonly ParsedOperation[]): string {
  return `{"operations":[${batch.map(({ text }) => text).join(",")}]}`;
}

/**
 * The first operations that fit, in the order of their revisions; at least one, if there is one. `atMost` asks for
 * fewer, and parts no transaction that fits.
 */
export async function readBatch(
  transaction: StorageTransaction,
  { pushOperations, pushBytes }: PushLimits,
  atMost = pushOperations,
): Promise<Batch> {
  const operations: ParsedOperation[] = [];
  /** Where transactions, and operations of their own, begin and end. */
  const ends: number[] = [];
  let bytes = BODY_BYTES;
  /** The last key of the transactions that have begun. */
  let openUntil = "";
  const read = <T>(work: (tx: StorageTransaction) => Promise<T>) => work(transaction);
  for await (const page of readPages(read, PENDING_PREFIX, pushOperations + 1)) {
    for (const [key, value] of page) {
      if (key > openUntil) ends.push(operations.length);
      const { text, span } = readPending(value);
      bytes += utf8Length(text) + 1;
      const isOver = operations.length === pushOperations || bytes > pushBytes;
      if (isOver && operations.length > 0) return toBatch(operations, ends, atMost);
      const operation = parseOperation(text);
      operations.push(operation);
      const { deviceId } = operation.revision;
      const last = span === null ? key : pendingKey({ deviceId, sequence: span.last });
      if (last > openUntil) openUntil = last;
    }
  }
  ends.push(operations.length);
  return toBatch(operations, ends, atMost);
}

/** `ends` begin with 0, and have nothing else when the first transaction does not fit. */
function toBatch(
  operations: readonly ParsedOperation[],
  ends: readonly number[],
  atMost: number,
): Batch {
  const [, first] = ends;
  if (first === undefined) {
    const part = operations.slice(0, atMost);
    return { operations: part, isSmallest: part.length <= 1 };
  }
  const end = Math.max(first, ends.findLast((one) => one <= atMost) ?? 0);
  return { operations: operations.slice(0, end), isSmallest: end === first };
}

/**
 * The operation of the greatest revision in the queue, behind those of its transaction, as many as fit; none when the
 * queue is empty.
 */
export async function readGreatest(
  { read }: Pick<LocalStore, "read">,
  { pushOperations, pushBytes }: PushLimits,
): Promise<readonly ParsedOperation[]> {
  let greatest: StoredRecord | undefined;
  for await (const page of readPages(read, PENDING_PREFIX)) greatest = page.at(-1) ?? greatest;
  if (greatest === undefined) return [];
  const operation = parsePending(greatest[1]);
  const together = await read((transaction) => readTransactionOf(transaction, operation));
  let bytes = BODY_BYTES;
  const tooMuch = together.findLastIndex(({ text }, index) => {
    bytes += utf8Length(text) + 1;
    return together.length - index > pushOperations || bytes > pushBytes;
  });
  return together.slice(Math.min(tooMuch + 1, together.length - 1));
}
