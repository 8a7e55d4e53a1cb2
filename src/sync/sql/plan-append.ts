/** Decides what a push writes, from what the store already holds. Pure: the store only obeys. */
import { applyOperation, type EntityState } from "../../rules/sync/merge.ts";
import type { NewOperation, StoredReceipt } from "../store.ts";

export interface LedgerEntry {
  readonly contentHash: string;
  readonly offset: number;
}

export interface AppendPlan {
  readonly kind: "plan";
  readonly receipts: StoredReceipt[];
  /** The operations that are new, with their offsets, in order. */
  readonly added: readonly { readonly operation: NewOperation; readonly offset: number }[];
  /** The entities whose state moved. */
  readonly states: ReadonlyMap<string, EntityState>;
  readonly headOffset: number;
}

export function planAppend(
  operations: readonly NewOperation[],
  ledger: ReadonlyMap<string, LedgerEntry>,
  statesBefore: ReadonlyMap<string, EntityState>,
  headBefore: number,
): AppendPlan | { readonly kind: "conflict"; readonly index: number } {
  const known = new Map(ledger);
  const moved = new Map<string, EntityState>();
  const added: { operation: NewOperation; offset: number }[] = [];
  const receipts: StoredReceipt[] = [];
  let headOffset = headBefore;
  for (const [index, operation] of operations.entries()) {
    const { operationId, entityId, contentHash } = operation;
    const before = known.get(operationId);
    if (before !== undefined) {
      if (before.contentHash !== contentHash) return { kind: "conflict", index };
      receipts.push({ offset: before.offset, duplicate: true, changed: false });
      continue;
    }
    const offset = ++headOffset;
    known.set(operationId, { contentHash, offset });
    added.push({ operation, offset });
    const current = moved.get(entityId) ?? statesBefore.get(entityId) ?? null;
    const { state, changed } = applyOperation(current, operation);
    if (changed) moved.set(entityId, state);
    receipts.push({ offset, duplicate: false, changed });
  }
  return { kind: "plan", receipts, added, states: moved, headOffset };
}
