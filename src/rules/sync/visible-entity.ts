/** The part of an entity's state that apps show, and the part that a snapshot carries. */
import type { EntityState, Registers } from "./merge.ts";
import { compareRevisions } from "./operation.ts";

export interface VisibleEntity {
  readonly entityId: string;
  readonly deleted: boolean;
  /** Values as JSON text, by field name; empty for a tombstone. */
  readonly payload: ReadonlyMap<string, string>;
  readonly metadata: ReadonlyMap<string, string>;
}

/** Null while the create is missing. Fields from before the last create or restore stay hidden. */
export function visibleEntity(state: EntityState): VisibleEntity | null {
  if (state.lifecycleRevision === null) return null;
  const { entityId, deleted, payloadFields, metadataFields } = currentState(state);
  return {
    entityId,
    deleted,
    payload: deleted ? new Map() : toTexts(payloadFields),
    metadata: toTexts(metadataFields),
  };
}

/** Drops registers older than the lifecycle, which stay hidden for good; without a create all are kept. */
export function currentState(state: EntityState): EntityState {
  return {
    ...state,
    payloadFields: currentRegisters(state, state.payloadFields),
    metadataFields: currentRegisters(state, state.metadataFields),
  };
}

/** A snapshot's entity as JSON text, because values are sent as they were pushed. */
export function snapshotEntityToText(state: EntityState): string {
  const { entityId, lifecycleRevision, deleted, payloadFields, metadataFields } =
    currentState(state);
  return `{"entityId":${JSON.stringify(entityId)},"lifecycleRevision":${JSON.stringify(lifecycleRevision)},"deleted":${deleted},"payloadFields":${registersToText(payloadFields)},"metadataFields":${registersToText(metadataFields)}}`;
}

function currentRegisters({ lifecycleRevision }: EntityState, registers: Registers): Registers {
  if (lifecycleRevision === null) return registers;
  return new Map(
    [...registers].filter(([, { revision }]) => compareRevisions(revision, lifecycleRevision) >= 0),
  );
}

function toTexts(registers: Registers): Map<string, string> {
  return new Map([...registers].map(([name, { json }]) => [name, json]));
}

function registersToText(registers: Registers): string {
  const fields = [...registers].map(
    ([name, { json, revision }]) =>
      [name, `{"value":${json},"revision":${JSON.stringify(revision)}}`] as const,
  );
  return fieldsToText(fields);
}

/** The JSON text of an object of fields. */
export function fieldsToText(fields: Iterable<readonly [name: string, json: string]>): string {
  const members = Array.from(fields, ([name, json]) => `${JSON.stringify(name)}:${json}`);
  return `{${members.join(",")}}`;
}
