/**
 * Every field of an entity is a register, and so is its lifecycle: the greater revision wins. That is
 * a join, so any order, any batching and any repetition of the same operations gives one state.
 */
import type { Revision } from "../../contract/sync/operation.ts";
import type { FieldTexts } from "./field-texts.ts";
import type { ReadOperation } from "./read-operation.ts";
import { compareRevisions } from "./revision.ts";

export interface Register {
  /** The value as JSON text, exactly as its device wrote it. */
  readonly json: string;
  readonly revision: Revision;
}

export type Registers = ReadonlyMap<string, Register>;

export interface EntityState {
  readonly entityId: string;
  /** Of the create, delete or restore that decides; null while the create is awaited. */
  readonly lifecycleRevision: Revision | null;
  readonly deleted: boolean;
  readonly payloadFields: Registers;
  readonly metadataFields: Registers;
}

export interface MergeOutcome {
  readonly state: EntityState;
  /** Whether any register moved, visible or not. */
  readonly changed: boolean;
}

/** The state is that of the operation's entity, or null when nothing of it is known. */
export function applyOperation(state: EntityState | null, operation: ReadOperation): MergeOutcome {
  return mergeStates(state, operationToState(operation));
}

/** Joins two states of one entity, such as a device's own and one from a snapshot. */
export function mergeStates(state: EntityState | null, other: EntityState): MergeOutcome {
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
  const registers = new Map<string, Register>();
  for (let index = 0; index < names.length; index++) {
    registers.set(names[index] as string, { json: texts[index] as string, revision });
  }
  return registers;
}

/** The same object when nothing moved. */
function mergeRegisters(own: Registers, others: Registers): Registers {
  let merged: Map<string, Register> | undefined;
  for (const [name, other] of others) {
    const current = own.get(name);
    if (current !== undefined && !registerWins(other, current)) continue;
    merged ??= new Map(own);
    merged.set(name, other);
  }
  return merged ?? own;
}

// A revision names one operation, so equal revisions carry equal values. Should a device ever break
// that, all others must still agree: the greater text wins, and deleted wins over live.

function registerWins(challenger: Register, holder: Register): boolean {
  const order = compareRevisions(challenger.revision, holder.revision);
  return order > 0 || (order === 0 && challenger.json > holder.json);
}

function lifecycleWins(challenger: EntityState, holder: EntityState): boolean {
  if (challenger.lifecycleRevision === null) return false;
  if (holder.lifecycleRevision === null) return true;
  const order = compareRevisions(challenger.lifecycleRevision, holder.lifecycleRevision);
  return order > 0 || (order === 0 && challenger.deleted && !holder.deleted);
}
