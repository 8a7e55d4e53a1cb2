/**
 * Every field of an entity is a register, and so is its lifecycle: the greater revision wins. That is
 * a join, so any order, any batching and any repetition of the same operations gives one state.
 */
import type { Revision } from "../../contract/sync/operation.ts";
import type { Field, ParsedOperation } from "./operation-text.ts";
import { compareRevisions } from "./operation.ts";

export interface Register {
  /** The value as JSON text, exactly as its device wrote it. */
  readonly json: string;
  readonly revision: Revision;
}

/** Registers by field name. */
export type Registers = ReadonlyMap<string, Register>;

export interface EntityState {
  readonly entityId: string;
  /** The revision of the last create, delete or restore; null while the create is missing. */
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

/** The state is that of the operation's entity, or null when the entity is unknown. */
export function applyOperation(state: EntityState | null, operation: ParsedOperation): MergeResult {
  return mergeStates(state, operationToState(operation));
}

/** Joins two states of one entity, such as a device's own and one from a snapshot. */
export function mergeStates(state: EntityState | null, other: EntityState): MergeResult {
  if (state === null) return { state: other, changed: true };
  const payloadFields = mergeRegisters(state.payloadFields, other.payloadFields);
  const metadataFields = mergeRegisters(state.metadataFields, other.metadataFields);
  const { lifecycleRevision, deleted } = lifecycleWins(other, state) ? other : state;
  const changed =
    lifecycleRevision !== state.lifecycleRevision ||
    deleted !== state.deleted ||
    payloadFields !== state.payloadFields ||
    metadataFields !== state.metadataFields;
  const { entityId } = state;
  return changed
    ? {
        state: { entityId, lifecycleRevision, deleted, payloadFields, metadataFields },
        changed,
      }
    : { state, changed };
}

/** The state that the operation alone adds up to. A patch has no lifecycle, a delete no payload. */
export function operationToState(operation: ParsedOperation): EntityState {
  const { entityId, kind, revision } = operation;
  return {
    entityId,
    lifecycleRevision: kind === "patch" ? null : revision,
    deleted: kind === "delete",
    payloadFields: toRegisters(operation.payloadFields, revision),
    metadataFields: toRegisters(operation.metadataFields, revision),
  };
}

function toRegisters(fields: readonly Field[], revision: Revision): Registers {
  const registers = new Map<string, Register>();
  for (const { name, json } of fields) registers.set(name, { json, revision });
  return registers;
}

/** Returns the same object when nothing moved. */
function mergeRegisters(own: Registers, others: Registers): Registers {
  let merged: Map<string, Register> | null = null;
  for (const [name, register] of others) {
    const current = own.get(name);
    if (current !== undefined && !registerWins(register, current)) continue;
    merged ??= new Map(own);
    merged.set(name, register);
  }
  return merged ?? own;
}

// A revision names one operation, so equal revisions carry equal values. Should a device ever break
// that, all others must still agree: the greater text wins, and deleted wins over live.

export function registerWins(challenger: Register, holder: Register): boolean {
  const order = compareRevisions(challenger.revision, holder.revision);
  return order > 0 || (order === 0 && challenger.json > holder.json);
}

type Lifecycle = Pick<EntityState, "lifecycleRevision" | "deleted">;

export function lifecycleWins(challenger: Lifecycle, holder: Lifecycle): boolean {
  if (challenger.lifecycleRevision === null) return false;
  if (holder.lifecycleRevision === null) return true;
  const order = compareRevisions(challenger.lifecycleRevision, holder.lifecycleRevision);
  return order > 0 || (order === 0 && challenger.deleted && !holder.deleted);
}

/** Adds up many operations of one entity in place: a copy for each would cost the square of their number. */
export function createEntityMerge(entityId: string) {
  const payloadFields = new Map<string, Register>();
  const metadataFields = new Map<string, Register>();
  let lifecycle: Pick<EntityState, "lifecycleRevision" | "deleted"> = {
    lifecycleRevision: null,
    deleted: false,
  };
  return {
    add(operation: ParsedOperation): void {
      const other = operationToState(operation);
      joinRegisters(payloadFields, other.payloadFields);
      joinRegisters(metadataFields, other.metadataFields);
      if (lifecycleWins(other, lifecycle)) lifecycle = other;
    },
    state(): EntityState {
      const { lifecycleRevision, deleted } = lifecycle;
      return { entityId, lifecycleRevision, deleted, payloadFields, metadataFields };
    },
  };
}

function joinRegisters(target: Map<string, Register>, others: Registers): void {
  for (const [name, register] of others) {
    const current = target.get(name);
    if (current === undefined || registerWins(register, current)) target.set(name, register);
  }
}
