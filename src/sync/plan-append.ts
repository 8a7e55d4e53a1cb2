/**
 * Decides what a push writes, from what the store already holds. Pure: a store only obeys, so that
 * whoever writes one needs to know nothing of merging.
 */
import {
  entityStateToText,
  operationToStateText,
  parseEntityState,
} from "../rules/sync/entity-state-text.ts";
import { applyOperation, type EntityState } from "../rules/sync/merge.ts";
import type { NewOperation, StoredReceipt } from "./store.ts";

export interface LedgerEntry {
  readonly contentHash: string;
  readonly offset: number;
}

export interface AppendPlan {
  readonly kind: "plan";
  readonly receipts: StoredReceipt[];
  /** The operations that are new, with their offsets, in order. */
  readonly added: readonly { readonly operation: NewOperation; readonly offset: number }[];
  /** The states that moved, as text by entity id. */
  readonly states: ReadonlyMap<string, string>;
  readonly headOffset: number;
}

/**
 * `ledger` holds by operation id what was ever stored, `statesBefore` by entity id the states' texts;
 * both as far as these operations and their entities are in the store.
 */
export function planAppend(
  operations: readonly NewOperation[],
  ledger: ReadonlyMap<string, LedgerEntry>,
  statesBefore: ReadonlyMap<string, string>,
  headBefore: number,
): AppendPlan | { readonly kind: "conflict"; readonly index: number } {
  const known = new Map(ledger);
  const added: { operation: NewOperation; offset: number }[] = [];
  const receipts: StoredReceipt[] = [];
  /** Entities that nothing was known of and that one operation has written: most of them. */
  const begun = new Map<string, NewOperation>();
  const moved = new Map<string, EntityState>();
  let headOffset = headBefore;

  function currentState(id: string): EntityState | null {
    const state = moved.get(id);
    if (state !== undefined) return state;
    const first = begun.get(id);
    if (first !== undefined) return applyOperation(null, first).state;
    const text = statesBefore.get(id);
    return text === undefined ? null : parseEntityState(text);
  }

  /** Whether any register moved. */
  function merge(operation: NewOperation): boolean {
    const { entityId } = operation;
    const current = currentState(entityId);
    if (current === null) {
      begun.set(entityId, operation);
      return true;
    }
    const { state, changed } = applyOperation(current, operation);
    if (changed) {
      begun.delete(entityId);
      moved.set(entityId, state);
    }
    return changed;
  }

  for (let index = 0; index < operations.length; index++) {
    const operation = operations[index] as NewOperation;
    const { operationId, contentHash } = operation;
    const before = known.get(operationId);
    if (before !== undefined) {
      if (before.contentHash !== contentHash) return { kind: "conflict", index };
      receipts.push({ offset: before.offset, duplicate: true, changed: false });
      continue;
    }
    const offset = ++headOffset;
    known.set(operationId, { contentHash, offset });
    added.push({ operation, offset });
    receipts.push({ offset, duplicate: false, changed: merge(operation) });
  }
  const states = new Map<string, string>();
  for (const [id, operation] of begun) states.set(id, operationToStateText(operation));
  for (const [id, state] of moved) states.set(id, entityStateToText(state));
  return { kind: "plan", receipts, added, states, headOffset };
}
