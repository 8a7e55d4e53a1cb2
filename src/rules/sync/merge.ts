/**
 * Every field of an entity is a register, and so is its lifecycle: the greater revision wins. That is
 * a join, so any order, any batching and any repetition of the same operations gives one state.
 */
import type { Revision } from "../../contract/sync/types.ts";
import type { FieldTexts } from "./field-texts.ts";
import type { ReadOperation } from "./read-operation.ts";
import { Registers } from "./registers.ts";
import { compareRevisions } from "./revision.ts";

export interface EntityState {
  readonly entityId: string;
  /** Of the create, delete or restore that decides; null while the create is awaited. */
  readonly lifecycleRevision: Revision | null;
  readonly deleted: boolean;
  readonly payloadFields: Registers;
  readonly metadataFields: Registers;
}

export interface MergeResult {
  readonly state: EntityState;
  /** Whether any register moved, visible or not. */
  readonly changed: boolean;
}

/** The state is that of the operation's entity, or null when nothing of it is known. */
export function applyOperation(state: EntityState | null, operation: ReadOperation): MergeResult {
  return mergeStates(state, operationToState(operation));
}

/** Joins two states of one entity, such as a device's own and one from a snapshot. */
export function mergeStates(state: EntityState | null, other: EntityState): MergeResult {
  if (state === null) return { state: other, changed: true };
  const payloadFields = mergeRegisters(state.payloadFields, other.payloadFields);
  const metadataFields = mergeRegisters(state.metadataFields, other.metadataFields);
  const lifecycle = lifecycleWins(other, state) ? other : state;
  const changed =
    lifecycle !== state ||
    payloadFields !== state.payloadFields ||
    metadataFields !== state.metadataFields;
  if (!changed) return { state, changed };
  return {
    state: {
      entityId: state.entityId,
      lifecycleRevision: lifecycle.lifecycleRevision,
      deleted: lifecycle.deleted,
      payloadFields,
      metadataFields,
    },
    changed,
  };
}

/** What one operation says. A patch leaves the lifecycle alone, a delete the payload. */
function operationToState(operation: ReadOperation): EntityState {
  const { entityId, kind, revision } = operation;
  return {
    entityId,
    lifecycleRevision: kind === "patch" ? null : revision,
    deleted: kind === "delete",
    payloadFields: toRegisters(operation.payloadFields, revision),
    metadataFields: toRegisters(operation.metadataFields, revision),
  };
}

function toRegisters({ names, texts }: FieldTexts, revision: Revision): Registers {
  return new Registers(
    names,
    texts,
    names.map(() => revision),
  );
}

/** The same object when nothing moved. */
function mergeRegisters(own: Registers, others: Registers): Registers {
  let merged: { names: string[]; texts: string[]; revisions: Revision[] } | undefined;
  for (let index = 0; index < others.names.length; index++) {
    const name = others.names[index] as string;
    const place = own.placeOf(name, index);
    if (place !== -1 && !registerWins(others, index, own, place)) continue;
    merged ??= { names: [...own.names], texts: [...own.texts], revisions: [...own.revisions] };
    const to = place === -1 ? merged.names.push(name) - 1 : place;
    merged.texts[to] = others.texts[index] as string;
    merged.revisions[to] = others.revisions[index] as Revision;
  }
  return merged === undefined ? own : new Registers(merged.names, merged.texts, merged.revisions);
}

// A revision names one operation, so equal revisions carry equal values. Should a device ever break
// that, all others must still agree: the greater text wins, and deleted wins over live.

function registerWins(
  challengers: Registers,
  challenger: number,
  holders: Registers,
  holder: number,
): boolean {
  const order = compareRevisions(
    challengers.revisions[challenger] as Revision,
    holders.revisions[holder] as Revision,
  );
  if (order !== 0) return order > 0;
  return (challengers.texts[challenger] as string) > (holders.texts[holder] as string);
}

function lifecycleWins(challenger: EntityState, holder: EntityState): boolean {
  if (challenger.lifecycleRevision === null) return false;
  if (holder.lifecycleRevision === null) return true;
  const order = compareRevisions(challenger.lifecycleRevision, holder.lifecycleRevision);
  return order > 0 || (order === 0 && challenger.deleted && !holder.deleted);
}
