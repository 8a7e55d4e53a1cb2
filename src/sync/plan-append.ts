/** Decides what an append writes, so that a store need not know how to merge. */
import { hash } from "node:crypto";
import { canonicalContent, isSameContent, orderedContent } from "../rules/sync/content-identity.ts";
import { entityStateToText, parseEntityState } from "../rules/sync/entity-state-text.ts";
import { mergeStates } from "../rules/sync/merge.ts";
import type { AppendConflict, NewOperation, StoredReceipt } from "./store.ts";

/** An operation that was stored before. */
export interface LedgerEntry {
  readonly offset: number;
  /** Of the commit that the offset belongs to. */
  readonly mark: string;
  /** As it was pushed; null when it has left the log. */
  readonly text: string | null;
  /** The operation's `contentHash` once it has left the log; empty before. */
  readonly contentHash: string;
}

/** Is in the ledger from now on. */
export interface AddedOperation extends LedgerEntry {
  readonly operationId: string;
  readonly entityId: string;
  readonly text: string;
}

export interface AppendPlan {
  readonly kind: "plan";
  readonly receipts: StoredReceipt[];
  /** The operations that are new, in order. */
  readonly added: readonly AddedOperation[];
  /** The texts of the entity states that changed, by entity id. */
  readonly states: ReadonlyMap<string, string>;
  readonly headOffset: number;
}

/** Where an append begins. */
export interface AppendPlace {
  /** Before the append. */
  readonly headOffset: number;
  /** A new mark, for what the append adds. */
  readonly mark: string;
}

/**
 * `ledger` has, by operation id, at least those of the operations that were stored before; `states`,
 * by entity id, the texts of the states of their entities.
 */
export function planAppend(
  operations: readonly NewOperation[],
  ledger: ReadonlyMap<string, LedgerEntry>,
  states: ReadonlyMap<string, string>,
  { headOffset: headBefore, mark }: AppendPlace,
): AppendPlan | AppendConflict {
  const addedById = new Map<string, AddedOperation>();
  const changedStates = new Map<string, string>();
  const receipts: StoredReceipt[] = [];
  const conflicts: number[] = [];
  let headOffset = headBefore;
  for (const [index, operation] of operations.entries()) {
    const { operationId, entityId, text } = operation;
    const known = ledger.get(operationId) ?? addedById.get(operationId);
    if (known !== undefined) {
      if (!isRepetition(known, text)) conflicts.push(index);
      else
        receipts.push({ offset: known.offset, mark: known.mark, duplicate: true, changed: false });
      continue;
    }
    const offset = ++headOffset;
    addedById.set(operationId, { operationId, entityId, text, offset, mark, contentHash: "" });
    const before = changedStates.get(entityId) ?? states.get(entityId);
    const after = mergeTexts(before, operation.state);
    if (after !== null) changedStates.set(entityId, after);
    receipts.push({ offset, mark, duplicate: false, changed: after !== null });
  }
  if (conflicts.length > 0) return { kind: "conflict", indexes: conflicts };
  const added = [...addedById.values()];
  return { kind: "plan", receipts, added, states: changedStates, headOffset };
}

/** The text of the merged state; null when nothing changed. */
function mergeTexts(before: string | undefined, added: string): string | null {
  if (before === undefined) return added;
  const { state, changed } = mergeStates(parseEntityState(before), parseEntityState(added));
  return changed ? entityStateToText(state) : null;
}

function isRepetition(known: LedgerEntry, text: string): boolean {
  return known.text === null
    ? known.contentHash === contentHash(text) || known.contentHash === orderedContentHash(text)
    : isSameContent(known.text, text);
}

/** The same for every spelling of the same content. */
export function contentHash(text: string): string {
  return hash("sha256", canonicalContent(text), "base64url");
}

/** What `contentHash` was when the order of changed fields still counted; ledgers keep those digests. */
function orderedContentHash(text: string): string {
  return hash("sha256", orderedContent(text), "base64url");
}
