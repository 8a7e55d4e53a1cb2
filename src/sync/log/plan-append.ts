/** Decides what an append writes, so that a store need not know how to merge. */
import { hash } from "node:crypto";
import {
  canonicalContent,
  isSameContent,
  orderedContent,
} from "../../rules/sync/content-identity.ts";
import { advanceClock, isSequenceJump, type LogClock } from "../../rules/sync/log-clock.ts";
import { sequenceOf } from "../../rules/sync/operation.ts";
import {
  findKeyError,
  NO_KEYS,
  type KeyError,
  type KeyProof,
  type KnownKeys,
} from "../keys/key-proof.ts";
import type { AppendError, NewOperation, StoredReceipt } from "../store.ts";
import { addToRows, rowIdOf, type ReadRow } from "./entity-rows.ts";

/** An operation that was stored before. */
export interface LedgerEntry {
  /** The place of the operation in the log. */
  readonly offset: number;
  /** The mark of the commit that the offset belongs to. */
  readonly mark: string;
  /** The operation as it was pushed; null when it has left the log. */
  readonly text: string | null;
  /** The operation's `contentHash` once it has left the log; empty before. */
  readonly contentHash: string;
}

export interface AddedOperation extends LedgerEntry {
  readonly operationId: string;
  readonly entityId: string;
  readonly text: string;
}

export interface AppendWrites {
  /** The operations that are new, in order. */
  readonly added: readonly AddedOperation[];
  /** The rows of the states that changed, by the ids that `rowIdOf` gives them. */
  readonly states: readonly (readonly [rowId: string, state: string])[];
  readonly headOffset: number;
  readonly clock: LogClock;
}

/** What a store must write for an append, in one transaction, and the receipts to return. */
export interface AppendPlan extends AppendWrites {
  /** Tells a plan from a refusal. */
  readonly kind: "plan";
  /** One for each operation, in their order. */
  readonly receipts: StoredReceipt[];
}

/**
 * The state of the log before an append: where it ends, its clock, the new mark and the keys of the account.
 */
export interface AppendPlace {
  /** The offset of the head before the append. */
  readonly headOffset: number;
  /** The clock of the log before the append. */
  readonly clock: LogClock;
  /** A new mark, for what the append adds. */
  readonly mark: string;
  /** Without them, what is sealed is refused. */
  readonly keys?: KnownKeys;
  /** The proof of the key that the push names. */
  readonly proof?: KeyProof | null;
}

/**
 * Decides what a store writes for an append, and what it refuses: call it in `OperationStore.append`, and
 * write its plan in the same transaction.
 * @param operations - the operations of the push, in their order
 * @param ledger - by operation id, at least the entries of those that were stored before
 * @param states - by entity id, the texts of the states of the entities that the operations are about
 * @param place - where the log ends, with its clock and the new mark
 * @returns the plan, or the error to return in its place
 * @example
 * ```ts
 * import { contentHash, createMark, EMPTY_LOG_CLOCK, planAppend } from "trellis/sync";
 * import type { AppendResult, LedgerEntry, NewOperation, SyncStore } from "trellis/sync";
 *
 * const clock = EMPTY_LOG_CLOCK; // then what the last plan returned
 * const ledger = new Map<string, LedgerEntry>();
 *
 * export async function append(
 *   store: SyncStore,
 *   operations: readonly NewOperation[],
 * ): Promise<AppendResult> {
 *   const { headOffset, generation } = await store.operations.head();
 *   const mark = createMark(null);
 *   const plan = planAppend(operations, ledger, new Map(), { headOffset, clock, mark });
 *   if (plan.kind !== "plan") return plan;
 *   for (const { text } of operations) console.log(contentHash(text));
 *   return { kind: "stored", generation, receipts: plan.receipts };
 * }
 * ```
 */
export function planAppend(
  operations: readonly NewOperation[],
  ledger: ReadonlyMap<string, LedgerEntry>,
  states: ReadonlyMap<string, string>,
  { mark, proof, ...log }: AppendPlace,
): AppendPlan | AppendError | KeyError {
  const stored = operations.map(({ operationId, entityId }) => ({
    entry: ledger.get(operationId),
    readRow: (row: number) => states.get(rowIdOf(entityId, row)),
  }));
  const planner = createAppendPlanner(operations, findEntities(operations), stored, log);
  const result = planner.append(operations.length, mark, proof);
  return result.kind === "planned"
    ? { kind: "plan", receipts: result.receipts, ...planner.writes() }
    : result;
}

/** What a store has of an operation and of its entity. */
export interface StoredOperation {
  readonly entry: LedgerEntry | undefined;
  /** Reads the rows of the entity's state, for the first operation of an entity alone. */
  readonly readRow: ReadRow;
}

/** Returns for each operation the index of the first operation of its entity. */
export function findEntities(operations: readonly NewOperation[]): readonly number[] {
  return findFirst(operations.map(({ entityId }) => entityId));
}

interface AppendPlanner {
  /** Plans the next push of `count` operations as if those before were written; a refused one writes nothing. */
  append(
    count: number,
    mark: string,
    proof?: KeyProof | null,
  ): PlannedPush | AppendError | KeyError;
  writes(): AppendWrites;
}

interface PlannedPush {
  readonly kind: "planned";
  readonly receipts: StoredReceipt[];
  /** The offset of the push's last operation that is new; null when none is. */
  readonly lastOffset: number | null;
}

/**
 * `operations` are the operations of all pushes, and `entityIndexes` is what `findEntities` returns
 * for them. `stored` has, at the same index, what the store has of each operation.
 */
export function createAppendPlanner(
  operations: readonly NewOperation[],
  entityIndexes: readonly number[],
  stored: readonly StoredOperation[],
  log: Omit<AppendPlace, "mark" | "proof">,
): AppendPlanner {
  const idIndexes = findFirst(operations.map(({ operationId }) => operationId));
  // The keys of both maps are the indexes of the first operation with the same id or entity.
  const added = new Map<number, AddedOperation>();
  const changed = new Map<number, Map<number, string>>();
  let start = 0;
  const { keys: knownKeys = NO_KEYS } = log;
  let { headOffset, clock } = log;

  return {
    append(count, mark, proof = null) {
      const pushed = operations.slice(start, start + count);
      const keyError = findKeyError(pushed, proof, knownKeys);
      if (keyError !== null) {
        start += count;
        return keyError;
      }
      const newById = new Map<number, AddedOperation>();
      const newRows = new Map<number, Map<number, string>>();
      const receipts: StoredReceipt[] = [];
      const [conflicts, jumps]: [number[], number[]] = [[], []];
      let newClock = clock;
      for (let index = start; index < start + count; index++) {
        const { operationId, entityId, text, state } = operations[index] as NewOperation;
        const [id, entity] = [idIndexes[index] as number, entityIndexes[index] as number];
        const known = stored[id]?.entry ?? added.get(id) ?? newById.get(id);
        if (known !== undefined) {
          const { offset, mark: knownMark } = known;
          if (!isRepetition(known, text)) conflicts.push(index - start);
          else receipts.push({ offset, mark: knownMark, duplicate: true, changed: false });
          continue;
        }
        const sequence = sequenceOf(operationId);
        if (isSequenceJump(newClock, sequence)) {
          jumps.push(index - start);
          continue;
        }
        const readRow = (row: number) =>
          newRows.get(entity)?.get(row) ??
          changed.get(entity)?.get(row) ??
          stored[entity]?.readRow(row);
        newClock = advanceClock(newClock, sequence);
        const offset = headOffset + newById.size + 1;
        newById.set(id, { operationId, entityId, text, offset, mark, contentHash: "" });
        const rows = addToRows(readRow, state);
        setRows(newRows, entity, rows);
        receipts.push({ offset, mark, duplicate: false, changed: rows.size > 0 });
      }
      start += count;
      if (jumps.length > 0) return { kind: "sequence-jump", indexes: jumps };
      if (conflicts.length > 0) return { kind: "conflict", indexes: conflicts };
      headOffset += newById.size;
      clock = newClock;
      for (const [id, operation] of newById) added.set(id, operation);
      for (const [entity, rows] of newRows) setRows(changed, entity, rows);
      return { kind: "planned", receipts, lastOffset: newById.size > 0 ? headOffset : null };
    },
    writes: () => ({
      added: [...added.values()],
      states: [...changed].flatMap(([index, rows]) => {
        const { entityId } = operations[index] as NewOperation;
        return [...rows].map(([row, state]) => [rowIdOf(entityId, row), state] as const);
      }),
      headOffset,
      clock,
    }),
  };
}

/**
 * Returns for each text the index of the first that is equal. It sorts them, because V8 interns
 * every key of a Map or Set: with ids, that took a twentieth of a push, and kept them in memory
 * until a full collection.
 */
function findFirst(texts: readonly string[]): readonly number[] {
  const textAt = (index: number) => texts[index] as string;
  const order = texts.map((_text, index) => index);
  order.sort((a, b) => compareTexts(textAt(a), textAt(b)) || a - b);
  const first = texts.map(() => 0);
  let group = 0;
  for (const index of order) {
    if (textAt(index) !== textAt(group)) group = index;
    first[index] = group;
  }
  return first;
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function setRows(
  rowsByEntity: Map<number, Map<number, string>>,
  entity: number,
  rows: ReadonlyMap<number, string>,
): void {
  const known = rowsByEntity.get(entity);
  if (known === undefined) rowsByEntity.set(entity, new Map(rows));
  else for (const [row, text] of rows) known.set(row, text);
}

function isRepetition(known: LedgerEntry, text: string): boolean {
  return known.text === null
    ? known.contentHash === contentHash(text) || known.contentHash === orderedContentHash(text)
    : isSameContent(known.text, text);
}

/**
 * Makes a digest of an operation that is the same for every spelling of the same content. A store keeps it
 * in its ledger when the operation leaves the log.
 * @param text - the operation as it was pushed
 * @returns the SHA-256 in Base64URL
 */
export function contentHash(text: string): string {
  return hash("sha256", canonicalContent(text), "base64url");
}

/** What `contentHash` was when the order of changed fields still counted; ledgers keep those digests. */
function orderedContentHash(text: string): string {
  return hash("sha256", orderedContent(text), "base64url");
}
