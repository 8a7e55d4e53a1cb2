/**
 * Decides what a push writes, from what the store already holds. Pure: a store only obeys, so that
 * whoever writes one needs to know nothing of merging.
 */
import { isSameContent } from "../rules/sync/content-identity.ts";
import { entityStateToText, parseEntityState } from "../rules/sync/entity-state-text.ts";
import { mergeStates, type EntityState } from "../rules/sync/merge.ts";
import type { NewOperation } from "../rules/sync/new-operation.ts";
import { contentHash } from "./content-hash.ts";
import type { StoredReceipt } from "./store.ts";

/** An operation that was stored before. */
export interface LedgerEntry {
  readonly offset: number;
  /** As it was pushed; null when the log no longer has it. */
  readonly text: string | null;
  /** What `contentHash` made of it then; before that, nothing is hashed. */
  readonly contentHash: string;
}

export interface AddedOperation {
  readonly operation: NewOperation;
  readonly offset: number;
}

export interface AppendPlan {
  readonly kind: "plan";
  readonly receipts: StoredReceipt[];
  /** The operations that are new, in order. */
  readonly added: readonly AddedOperation[];
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
  const added: AddedOperation[] = [];
  /** What of this push itself the ledger would hold by now. */
  const known = new Map<string, LedgerEntry>();
  const receipts: StoredReceipt[] = [];
  const states = new Map<string, string>();
  /** Those of the states that are not yet text. */
  const moved = new Map<string, EntityState>();
  let headOffset = headBefore;

  function currentState(id: string): EntityState | null {
    const state = moved.get(id);
    if (state !== undefined) return state;
    const text = states.get(id) ?? statesBefore.get(id);
    return text === undefined ? null : parseEntityState(text);
  }

  /** Whether any register moved. */
  function merge(operation: NewOperation): boolean {
    const { entityId } = operation;
    const current = currentState(entityId);
    if (current === null) {
      states.set(entityId, operation.state);
      return true;
    }
    const { state, changed } = mergeStates(current, parseEntityState(operation.state));
    if (changed) moved.set(entityId, state);
    return changed;
  }

  for (let index = 0; index < operations.length; index++) {
    const operation = operations[index] as NewOperation;
    const { operationId } = operation;
    const before = known.get(operationId) ?? ledger.get(operationId);
    if (before !== undefined) {
      if (!isSame(before, operation)) return { kind: "conflict", index };
      receipts.push({ offset: before.offset, duplicate: true, changed: false });
      continue;
    }
    const offset = ++headOffset;
    known.set(operationId, { offset, text: operation.text, contentHash: "" });
    added.push({ operation, offset });
    receipts.push({ offset, duplicate: false, changed: merge(operation) });
  }
  for (const [id, state] of moved) states.set(id, entityStateToText(state));
  return { kind: "plan", receipts, added, states, headOffset };
}

function isSame(before: LedgerEntry, { text }: NewOperation): boolean {
  return before.text === null
    ? before.contentHash === contentHash(text)
    : isSameContent(before.text, text);
}
