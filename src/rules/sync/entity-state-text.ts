/**
 * The one text in which a store keeps an entity's state:
 * `[1, entityId, revisions, lifecycle, deleted, payload, metadata]`. Most registers share a few
 * revisions, so these are listed once as `[sequence, deviceId]` and named by their place (-1 is none).
 * Registers are flat `name, value's JSON text, revision` triples: no field name can be special.
 */
import type { Revision } from "../../contract/sync/types.ts";
import type { FieldTexts } from "./field-texts.ts";
import type { EntityState } from "./merge.ts";
import type { ReadOperation } from "./read-operation.ts";
import { Registers } from "./registers.ts";

const VERSION = 1;

type FlatRegisters = (string | number)[];
type Stored = [
  version: typeof VERSION,
  entityId: string,
  revisions: [sequence: number, deviceId: string][],
  lifecycle: number,
  deleted: 0 | 1,
  payload: FlatRegisters,
  metadata: FlatRegisters,
];

export function entityStateToText(state: EntityState): string {
  const revisions = createRevisionList();
  const stored: Stored = [
    VERSION,
    state.entityId,
    revisions.list,
    state.lifecycleRevision === null ? -1 : revisions.placeOf(state.lifecycleRevision),
    state.deleted ? 1 : 0,
    flatten(state.payloadFields, revisions.placeOf),
    flatten(state.metadataFields, revisions.placeOf),
  ];
  return JSON.stringify(stored);
}

/** The text of the state that an operation makes of nothing; most entities are written once. */
export function operationToStateText(operation: ReadOperation): string {
  const { kind, revision, payloadFields, metadataFields } = operation;
  const isWritten =
    kind !== "patch" || payloadFields.names.length + metadataFields.names.length > 0;
  const stored: Stored = [
    VERSION,
    operation.entityId,
    isWritten ? [[revision.sequence, revision.deviceId]] : [],
    kind === "patch" ? -1 : 0,
    kind === "delete" ? 1 : 0,
    flattenTexts(payloadFields),
    flattenTexts(metadataFields),
  ];
  return JSON.stringify(stored);
}

/** Trusted: the text is one that `entityStateToText` made. */
export function parseEntityState(text: string): EntityState {
  const [, entityId, list, lifecycle, deleted, payload, metadata] = JSON.parse(text) as Stored;
  const revisions = list.map(([sequence, deviceId]) => ({ deviceId, sequence }));
  return {
    entityId,
    lifecycleRevision: revisions[lifecycle] ?? null,
    deleted: deleted === 1,
    payloadFields: unflatten(payload, revisions),
    metadataFields: unflatten(metadata, revisions),
  };
}

function createRevisionList() {
  const list: [sequence: number, deviceId: string][] = [];
  let last: Revision | null = null;
  let lastPlace = -1;
  const placeOf = (revision: Revision): number => {
    // Registers of one operation follow one another.
    if (revision === last) return lastPlace;
    const { sequence, deviceId } = revision;
    const known = list.findIndex((item) => item[0] === sequence && item[1] === deviceId);
    last = revision;
    lastPlace = known === -1 ? list.push([sequence, deviceId]) - 1 : known;
    return lastPlace;
  };
  return { list, placeOf };
}

function flatten(
  { names, texts, revisions }: Registers,
  placeOf: (revision: Revision) => number,
): FlatRegisters {
  const flat: FlatRegisters = [];
  for (let index = 0; index < names.length; index++) {
    const place = placeOf(revisions[index] as Revision);
    flat.push(names[index] as string, texts[index] as string, place);
  }
  return flat;
}

function flattenTexts({ names, texts }: FieldTexts): FlatRegisters {
  const flat: FlatRegisters = [];
  for (let index = 0; index < names.length; index++) {
    flat.push(names[index] as string, texts[index] as string, 0);
  }
  return flat;
}

function unflatten(flat: FlatRegisters, revisions: readonly Revision[]): Registers {
  const count = flat.length / 3;
  const names = new Array<string>(count);
  const texts = new Array<string>(count);
  const owners = new Array<Revision>(count);
  for (let index = 0, at = 0; index < count; index++) {
    names[index] = flat[at++] as string;
    texts[index] = flat[at++] as string;
    owners[index] = revisions[flat[at++] as number] as Revision;
  }
  return new Registers(names, texts, owners);
}
