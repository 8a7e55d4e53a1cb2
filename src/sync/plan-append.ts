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
  /** The states that moved, as texts. */
  readonly states: readonly (readonly [entityId: string, state: string])[];
  readonly headOffset: number;
}

/**
 * `ledger` holds by operation id what was ever stored, at least as far as these operations were;
 * `statesBefore` the text of the state of each operation's entity, in the order of the operations.
 */
export function planAppend(
  operations: readonly NewOperation[],
  ledger: ReadonlyMap<string, LedgerEntry>,
  statesBefore: readonly (string | undefined)[],
  headBefore: number,
): AppendPlan | { readonly kind: "conflict"; readonly index: number } {
  const added: AddedOperation[] = [];
  /** What of this push itself the ledger would hold by now; null where nothing can be twice. */
  const known = areAscending(operations) ? null : new Map<string, LedgerEntry>();
  const receipts: StoredReceipt[] = [];
  const entities = new Map<string, MergedEntity>();
  let headOffset = headBefore;

  function entityOf(id: string, index: number): MergedEntity {
    let entity = entities.get(id);
    if (entity === undefined) {
      entity = { text: statesBefore[index], state: null, isMoved: false };
      entities.set(id, entity);
    }
    return entity;
  }

  for (let index = 0; index < operations.length; index++) {
    const operation = operations[index] as NewOperation;
    const { operationId, entityId, text } = operation;
    const before =
      known?.get(operationId) ?? (ledger.size > 0 ? ledger.get(operationId) : undefined);
    if (before !== undefined) {
      if (!isSame(before, operation)) return { kind: "conflict", index };
      receipts.push({ offset: before.offset, duplicate: true, changed: false });
      continue;
    }
    const offset = ++headOffset;
    known?.set(operationId, { offset, text, contentHash: "" });
    added.push({ operation, offset });
    const changed = mergeInto(entityOf(entityId, index), operation.state);
    receipts.push({ offset, duplicate: false, changed });
  }
  return { kind: "plan", receipts, added, states: listMoved(entities), headOffset };
}

/** An entity of a push, with what of the push was merged into it so far. */
interface MergedEntity {
  /** Of its state; undefined while it has none. Not that of `state`, where there is one. */
  text: string | undefined;
  /** Read only when something is to be merged into it: most entities are written once. */
  state: EntityState | null;
  isMoved: boolean;
}

/** Whether any register moved. */
function mergeInto(entity: MergedEntity, added: string): boolean {
  if (entity.text === undefined) {
    entity.text = added;
    entity.isMoved = true;
    return true;
  }
  entity.state ??= parseEntityState(entity.text);
  const { state, changed } = mergeStates(entity.state, parseEntityState(added));
  entity.state = state;
  entity.isMoved ||= changed;
  return changed;
}

function listMoved(entities: ReadonlyMap<string, MergedEntity>): [string, string][] {
  const states: [string, string][] = [];
  for (const [id, { text = "", state, isMoved }] of entities) {
    if (isMoved) states.push([id, state === null ? text : entityStateToText(state)]);
  }
  return states;
}

/**
 * Whether each id is longer than the one before, or as long and after it, so that none is twice. So it
 * is with a device that pushes what it has numbered.
 */
function areAscending(operations: readonly NewOperation[]): boolean {
  let before = "";
  for (const { operationId: id } of operations) {
    if (id.length < before.length || (id.length === before.length && id <= before)) return false;
    before = id;
  }
  return true;
}

function isSame(before: LedgerEntry, { text }: NewOperation): boolean {
  return before.text === null
    ? before.contentHash === contentHash(text)
    : isSameContent(before.text, text);
}
