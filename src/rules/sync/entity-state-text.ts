/**
 * The text in which a store keeps an entity's state:
 * `[1, entityId, revisions, lifecycle, deleted, payload, metadata]`. Most registers share a few
 * revisions, so these are listed once as `[sequence, deviceId]` and referred to by their index (-1 is
 * none). Registers are a flat list of `name, value's JSON text, revision`: no field name is special.
 */
import type { Revision } from "../../contract/sync/types.ts";
import type { EntityState, Register, Registers } from "./merge.ts";
import { compareRevisions } from "./operation.ts";

const VERSION = 1;

type StoredRegisters = (string | number)[];
type StoredState = [
  version: typeof VERSION,
  entityId: string,
  revisions: [sequence: number, deviceId: string][],
  lifecycle: number,
  deleted: 0 | 1,
  payload: StoredRegisters,
  metadata: StoredRegisters,
];

export function entityStateToText(state: EntityState): string {
  const revisions: Revision[] = [];
  const indexOf = (revision: Revision): number => {
    const known = revisions.findIndex((other) => compareRevisions(other, revision) === 0);
    return known === -1 ? revisions.push(revision) - 1 : known;
  };
  const toStored = (registers: Registers): StoredRegisters => {
    const stored: StoredRegisters = [];
    for (const [name, { json, revision }] of registers) stored.push(name, json, indexOf(revision));
    return stored;
  };
  const lifecycle = state.lifecycleRevision === null ? -1 : indexOf(state.lifecycleRevision);
  const payload = toStored(state.payloadFields);
  const metadata = toStored(state.metadataFields);
  const stored: StoredState = [
    VERSION,
    state.entityId,
    revisions.map(({ sequence, deviceId }) => [sequence, deviceId]),
    lifecycle,
    state.deleted ? 1 : 0,
    payload,
    metadata,
  ];
  return JSON.stringify(stored);
}

/** Trusted: the text is one that `entityStateToText` made. */
export function parseEntityState(text: string): EntityState {
  const [, entityId, list, lifecycle, deleted, payload, metadata] = JSON.parse(text) as StoredState;
  const revisions = list.map(([sequence, deviceId]) => ({ deviceId, sequence }));
  return {
    entityId,
    lifecycleRevision: revisions[lifecycle] ?? null,
    deleted: deleted === 1,
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
