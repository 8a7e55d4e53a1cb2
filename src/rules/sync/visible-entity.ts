/** What of a state people see, and what of it a snapshot carries. */
import type { EntityState } from "./merge.ts";
import type { Registers } from "./registers.ts";
import { compareRevisions } from "./revision.ts";

export interface VisibleEntity {
  readonly entityId: string;
  readonly deleted: boolean;
  /** JSON text by field; empty for a tombstone. */
  readonly payload: ReadonlyMap<string, string>;
  readonly metadata: ReadonlyMap<string, string>;
}

/** Null while the create is awaited. Fields from before the last create or restore stay hidden. */
export function visibleEntity(state: EntityState): VisibleEntity | null {
  if (state.lifecycleRevision === null) return null;
  const current = currentState(state);
  return {
    entityId: state.entityId,
    deleted: state.deleted,
    payload: state.deleted ? new Map() : toTexts(current.payloadFields),
    metadata: toTexts(current.metadataFields),
  };
}

/**
 * The state without registers below the lifecycle's revision: a lifecycle only grows, so they can
 * never be seen again. An entity that awaits its create keeps everything.
 */
export function currentState(state: EntityState): EntityState {
  return {
    ...state,
    payloadFields: currentRegisters(state, state.payloadFields),
    metadataFields: currentRegisters(state, state.metadataFields),
  };
}

/** A snapshot's entry, as JSON text: values are sent as they were pushed. */
export function snapshotEntityToText(state: EntityState): string {
  const { entityId, lifecycleRevision, deleted, payloadFields, metadataFields } =
    currentState(state);
  return `{"entityId":${JSON.stringify(entityId)},"lifecycleRevision":${JSON.stringify(lifecycleRevision)},"deleted":${deleted},"payloadFields":${registersToText(payloadFields)},"metadataFields":${registersToText(metadataFields)}}`;
}

function currentRegisters({ lifecycleRevision }: EntityState, registers: Registers): Registers {
  if (lifecycleRevision === null) return registers;
  return registers.filter((revision) => compareRevisions(revision, lifecycleRevision) >= 0);
}

function toTexts(registers: Registers): Map<string, string> {
  const texts = new Map<string, string>();
  for (const [name, { json }] of registers) texts.set(name, json);
  return texts;
}

function registersToText(registers: Registers): string {
  let text = "";
  for (const [name, { json, revision }] of registers) {
    text += `${text === "" ? "" : ","}${JSON.stringify(name)}:{"value":${json},"revision":${JSON.stringify(revision)}}`;
  }
  return `{${text}}`;
}
