/**
 * Every field of an entity is a register, and so are its lifecycle and its last delete: the greater
 * revision wins. That is a join, so any order, any batching and any repetition of the same operations
 * gives one state.
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
  /** The greatest revision of a delete; null if none. Fields below it are not visible. */
  readonly deletedRevision: Revision | null;
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
  const lifecycle = mergeLifecycles(state, other);
  const changed =
    lifecycle.lifecycleRevision !== state.lifecycleRevision ||
    lifecycle.deletedRevision !== state.deletedRevision ||
    payloadFields !== state.payloadFields ||
    metadataFields !== state.metadataFields;
  const { entityId } = state;
  return changed
    ? { state: { entityId, ...lifecycle, payloadFields, metadataFields }, changed }
    : { state, changed };
}

/** The state that the operation alone adds up to. A patch has no lifecycle, a delete no payload. */
export function operationToState(operation: ParsedOperation): EntityState {
  const { entityId, kind, revision } = operation;
  return {
    entityId,
    lifecycleRevision: kind === "patch" ? null : revision,
    deletedRevision: kind === "delete" ? revision : null,
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

function registerWins(challenger: Register, holder: Register): boolean {
  const order = compareRevisions(challenger.revision, holder.revision);
  return order > 0 || (order === 0 && challenger.json > holder.json);
}

type Lifecycle = Pick<EntityState, "lifecycleRevision" | "deletedRevision" | "deleted">;

const NO_LIFECYCLE: Lifecycle = { lifecycleRevision: null, deletedRevision: null, deleted: false };

function mergeLifecycles(own: Lifecycle, other: Lifecycle): Lifecycle {
  const lifecycleRevision = laterOf(own.lifecycleRevision, other.lifecycleRevision);
  const deletedRevision = laterOf(own.deletedRevision, other.deletedRevision);
  return {
    lifecycleRevision,
    deletedRevision,
    deleted: isDeletion(lifecycleRevision, deletedRevision),
  };
}

/** Returns the first of two equal ones. */
function laterOf(own: Revision | null, other: Revision | null): Revision | null {
  if (own === null || other === null) return own ?? other;
  return compareRevisions(other, own) > 0 ? other : own;
}

/** Whether the last write of the lifecycle is the last delete. */
export function isDeletion(lifecycle: Revision | null, deletion: Revision | null): boolean {
  return lifecycle !== null && deletion !== null && compareRevisions(lifecycle, deletion) === 0;
}

/** Adds up many operations of one entity in place: a copy for each would cost the square of their number. */
export function createEntityMerge(entityId: string) {
  const payloadFields = new Map<string, Register>();
  const metadataFields = new Map<string, Register>();
  let lifecycle = NO_LIFECYCLE;
  function addState(other: EntityState): void {
    joinRegisters(payloadFields, other.payloadFields);
    joinRegisters(metadataFields, other.metadataFields);
    lifecycle = mergeLifecycles(lifecycle, other);
  }
  return {
    add: (operation: ParsedOperation): void => addState(operationToState(operation)),
    addState,
    state: (): EntityState => ({ entityId, ...lifecycle, payloadFields, metadataFields }),
  };
}

/** Joins states of one entity, of which there is at least one. */
export function joinStates(states: readonly EntityState[]): EntityState {
  const merge = createEntityMerge(states[0]?.entityId ?? "");
  for (const state of states) merge.addState(state);
  return merge.state();
}

function joinRegisters(target: Map<string, Register>, others: Registers): void {
  for (const [name, register] of others) {
    const current = target.get(name);
    if (current === undefined || registerWins(register, current)) target.set(name, register);
  }
}
