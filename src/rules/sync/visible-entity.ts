/** The part of an entity's state that apps show, and the text in which a snapshot carries the state. */
import type { EntityState, Registers } from "./merge.ts";
import { compareRevisions } from "./operation.ts";

export interface VisibleEntity {
  readonly entityId: string;
  readonly deleted: boolean;
  /** Values as JSON text, by field name. A tombstone shows none. */
  readonly payload: ReadonlyMap<string, string>;
  readonly metadata: ReadonlyMap<string, string>;
}

/** Null while the create is missing. Fields from before the last delete stay hidden. */
export function visibleEntity(state: EntityState): VisibleEntity | null {
  const visible = visibleState(state);
  return visible === null ? null : restorableEntity(visible);
}

/** The state with its visible registers alone. */
export function visibleState(state: EntityState): EntityState | null {
  const { lifecycleRevision, deleted, payloadFields, metadataFields } = state;
  if (lifecycleRevision === null) return null;
  return {
    ...state,
    payloadFields: deleted ? new Map() : visibleRegisters(state, payloadFields),
    metadataFields: visibleRegisters(state, metadataFields),
  };
}

/** Every field that the entity ever had, also before a delete: what a restore can bring back. */
export function restorableEntity(state: EntityState): VisibleEntity | null {
  const { entityId, lifecycleRevision, deleted, payloadFields, metadataFields } = state;
  if (lifecycleRevision === null) return null;
  return { entityId, deleted, payload: toTexts(payloadFields), metadata: toTexts(metadataFields) };
}

/** A snapshot's entity as JSON text, because values are sent as they were pushed. */
export function snapshotEntityToText(state: EntityState): string {
  const [payload, metadata] = [state.payloadFields, state.metadataFields].map(registersToText);
  return `{${lifecycleMembers(state)},"payloadFields":${payload},"metadataFields":${metadata}}`;
}

/** The same of an encrypted account, with the operations that own its registers, as they were pushed. */
export function sealedEntityToText(state: EntityState, operations: readonly string[]): string {
  return `{${lifecycleMembers(state)},"operations":[${operations.join(",")}]}`;
}

function lifecycleMembers(state: EntityState): string {
  const { entityId, lifecycleRevision, deletedRevision, deleted } = state;
  return `"entityId":${JSON.stringify(entityId)},"lifecycleRevision":${JSON.stringify(lifecycleRevision)},"deletedRevision":${JSON.stringify(deletedRevision)},"deleted":${deleted}`;
}

/** Two devices that create one entity both keep their fields: only a delete hides what was before. */
function visibleRegisters({ deletedRevision }: EntityState, registers: Registers): Registers {
  if (deletedRevision === null) return registers;
  return new Map(
    [...registers].filter(([, { revision }]) => compareRevisions(revision, deletedRevision) >= 0),
  );
}

function toTexts(registers: Registers): Map<string, string> {
  return new Map([...registers].map(([name, { json }]) => [name, json]));
}

/** The JSON text of an object of registers, each with its value and revision. */
export function registersToText(registers: Registers): string {
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
