/** What a push takes of the queue: transactions whole where they fit one, and a larger one part by part. */
import { utf8Length } from "../../rules/sync/operation-bounds.ts";
import { parseOperation, type ParsedOperation } from "../../rules/sync/operation-text.ts";
import type { LocalStore } from "./local-store.ts";
import { parsePending, readTransactionOf } from "./push-queue.ts";
import { PENDING_PREFIX, pendingKey, readPages, readPending } from "./records.ts";
import type { StorageTransaction, StoredRecord } from "./storage.ts";
import type { TransferLimits } from "./transfer-limits.ts";

export type PushLimits = Omit<TransferLimits, "pullOperations">;

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

/** Where a batch can end: behind `count` operations, which have `bytes` bytes. */
interface End {
  readonly count: number;
  readonly bytes: number;
}

/**
 * The first operations that fit, in the order of their revisions; at least one, if there is one. `atMost` asks for
 * fewer, and parts no transaction that fits.
 */
export async function readBatch(
  transaction: StorageTransaction,
  limits: PushLimits,
  atMost = limits.pushOperations,
): Promise<Batch> {
  const { wholeOperations, wholeBytes } = limits;
  const operations: ParsedOperation[] = [];
  const ends: End[] = [];
  let bytes = BODY_BYTES;
  /** The last key of the transactions that have begun. */
  let openUntil = "";
  const read = <T>(work: (tx: StorageTransaction) => Promise<T>) => work(transaction);
  for await (const page of readPages(read, PENDING_PREFIX, wholeOperations + 1)) {
    for (const [key, value] of page) {
      const count = operations.length;
      if (key > openUntil) ends.push({ count, bytes });
      const { text, span } = readPending(value);
      bytes += utf8Length(text) + 1;
      const isOver = count === wholeOperations || bytes > wholeBytes;
      if (isOver && count > 0) return toBatch(operations, ends, limits, atMost);
      const operation = parseOperation(text);
      operations.push(operation);
      const { deviceId } = operation.revision;
      const last = span === null ? key : pendingKey({ deviceId, sequence: span.last });
      if (last > openUntil) openUntil = last;
    }
  }
  ends.push({ count: operations.length, bytes });
  return toBatch(operations, ends, limits, atMost);
}

/** `ends` begin with that of nothing, and have no other when the first transaction does not fit. */
function toBatch(
  operations: readonly ParsedOperation[],
  ends: readonly End[],
  { pushOperations, pushBytes }: PushLimits,
  atMost: number,
): Batch {
  const most = Math.min(atMost, pushOperations);
  const [, first] = ends;
  if (first === undefined) {
    const part = operations.slice(0, Math.max(1, countFitting(operations, most, pushBytes)));
    return { operations: part, isSmallest: part.length <= 1 };
  }
  const fitting = ends.findLast(({ count, bytes }) => count <= most && bytes <= pushBytes);
  const count = Math.max(first.count, fitting?.count ?? 0);
  return { operations: operations.slice(0, count), isSmallest: count === first.count };
}

/** How many of the operations, from the first on, a push has at most. */
function countFitting(
  operations: readonly ParsedOperation[],
  most: number,
  pushBytes: number,
): number {
  let bytes = BODY_BYTES;
  const over = operations.findIndex(({ text }, index) => {
    bytes += utf8Length(text) + 1;
    return index >= most || bytes > pushBytes;
  });
  return over === -1 ? operations.length : over;
}

/**
 * The operation of the greatest revision in the queue, behind those of its transaction, as many as fit; none when the
 * queue is empty.
 */
export async function readGreatest(
  { read }: Pick<LocalStore, "read">,
  { wholeOperations, wholeBytes }: PushLimits,
): Promise<readonly ParsedOperation[]> {
  let greatest: StoredRecord | undefined;
  for await (const page of readPages(read, PENDING_PREFIX)) greatest = page.at(-1) ?? greatest;
  if (greatest === undefined) return [];
  const operation = parsePending(greatest[1]);
  const together = await read((transaction) => readTransactionOf(transaction, operation));
  const fitting = countFitting(together.toReversed(), wholeOperations, wholeBytes);
  return together.slice(-Math.max(1, fitting));
}
