/**
 * The text in which a store keeps an entity's state:
 * `[1, entityId, revisions, lifecycle, deletion, payload, metadata]`. Most registers share a few
 * revisions, so these are listed once as `[sequence, deviceId]` and referred to by their index (-1 is
 * none). Registers are a flat list of `name, value's JSON text, revision`: no field name is special. The first
 * member is 2 in the first row of an entity whose registers a store keeps in further rows.
 */
import type { Revision } from "../../contract/sync/operation.ts";
import { isDeletion, type EntityState, type Register, type Registers } from "./merge.ts";
import type { Field, ParsedOperation } from "./operation-text.ts";

const VERSION = 1;
const WITHOUT_REGISTERS = 2;

type StoredRevision = [sequence: number, deviceId: string];
type StoredRegisters = (string | number)[];
type StoredState = [
  version: typeof VERSION | typeof WITHOUT_REGISTERS,
  entityId: string,
  revisions: StoredRevision[],
  lifecycle: number,
  deletion: number,
  payload: StoredRegisters,
  metadata: StoredRegisters,
];

/** The text that a device or a store keeps of a state. */
export function entityStateToText(state: EntityState, isWithout = false): string {
  const { entityId, lifecycleRevision, deletedRevision, payloadFields, metadataFields } = state;
  const revisions = createRevisionList();
  const lifecycle = indexOfRevision(revisions, lifecycleRevision);
  const deletion = indexOfRevision(revisions, deletedRevision);
  const payload = toStoredRegisters(payloadFields, revisions);
  const metadata = toStoredRegisters(metadataFields, revisions);
  const stored: StoredState = [
    isWithout ? WITHOUT_REGISTERS : VERSION,
    entityId,
    revisions.list,
    lifecycle,
    deletion,
    payload,
    metadata,
  ];
  return JSON.stringify(stored);
}

/** Whether the text is that of a first row whose registers are in further ones. */
export function isWithoutRegisters(text: string): boolean {
  return text.startsWith(`[${WITHOUT_REGISTERS},`);
}

/** The text of the state that the operation alone adds up to: all its registers share one revision. */
export function operationToStateText(operation: ParsedOperation): string {
  const { entityId, kind, revision, payloadFields, metadataFields } = operation;
  const stored: StoredState = [
    VERSION,
    entityId,
    [[revision.sequence, revision.deviceId]],
    kind === "patch" ? -1 : 0,
    kind === "delete" ? 0 : -1,
    fieldsToStoredRegisters(payloadFields),
    fieldsToStoredRegisters(metadataFields),
  ];
  return JSON.stringify(stored);
}

function fieldsToStoredRegisters(fields: readonly Field[]): StoredRegisters {
  const stored: StoredRegisters = [];
  for (const { name, json } of fields) stored.push(name, json, 0);
  return stored;
}

function toStoredRegisters(registers: Registers, revisions: RevisionList): StoredRegisters {
  const stored: StoredRegisters = [];
  for (const [name, { json, revision }] of registers) {
    stored.push(name, json, indexOfRevision(revisions, revision));
  }
  return stored;
}

interface RevisionList {
  readonly list: StoredRevision[];
  readonly indexes: Map<string, Map<number, number>>;
}

function createRevisionList(): RevisionList {
  return { list: [], indexes: new Map() };
}

/** Adds a revision that is not in the list yet. */
function indexOfRevision({ list, indexes }: RevisionList, revision: Revision | null): number {
  if (revision === null) return -1;
  const { sequence, deviceId } = revision;
  const ofDevice = indexes.get(deviceId) ?? new Map<number, number>();
  indexes.set(deviceId, ofDevice);
  const known = ofDevice.get(sequence);
  if (known !== undefined) return known;
  const index = list.push([sequence, deviceId]) - 1;
  ofDevice.set(sequence, index);
  return index;
}

/** The text is trusted, because `entityStateToText` made it. */
export function parseEntityState(text: string): EntityState {
  const [, entityId, list, lifecycle, deletion, payload, metadata] = JSON.parse(
    text,
  ) as StoredState;
  const revisions = list.map(([sequence, deviceId]) => ({ deviceId, sequence }));
  const lifecycleRevision = revisions[lifecycle] ?? null;
  const deletedRevision = revisions[deletion] ?? null;
  return {
    entityId,
    lifecycleRevision,
    deletedRevision,
    deleted: isDeletion(lifecycleRevision, deletedRevision),
    payloadFields: parseRegisters(payload, revisions),
    metadataFields: parseRegisters(metadata, revisions),
  };
}

function parseRegisters(stored: StoredRegisters, revisions: readonly Revision[]): Registers {
  const registers = new Map<string, Register>();
  for (let index = 0; index < stored.length; index += 3) {
    const revision = revisions[stored[index + 2] as number] as Revision;
    registers.set(stored[index] as string, { json: stored[index + 1] as string, revision });
  }
  return registers;
}
