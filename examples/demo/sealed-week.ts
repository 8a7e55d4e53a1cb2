/**
 * What the devices would show of the operations that the server has. The server cannot do this: the demo opens
 * them with the key of the devices, so that a person sees what a restore takes away.
 */
import type { OperationSealer } from "../../src/client/encryption/operation-sealer.ts";
import { toLocalDate } from "../../src/client/events/to-local-date.ts";
import { applyOperation, type EntityState } from "../../src/rules/sync/merge.ts";
import {
  scanOperation,
  type Field,
  type ParsedOperation,
} from "../../src/rules/sync/operation-text.ts";
import { validateSealed } from "../../src/rules/sync/validate-operation.ts";
import { visibleEntity } from "../../src/rules/sync/visible-entity.ts";
import type { StoredHabit } from "./page/call-demo.ts";

const DAYS = 7;

type Fields = Readonly<Record<string, unknown>>;

export function readSealedWeek(
  bodies: readonly string[],
  sealer: OperationSealer,
  now: number,
): StoredHabit[] {
  const entities = openEntities(bodies, sealer);
  const days = Array.from({ length: DAYS }, (_, index) => dateBefore(now, DAYS - 1 - index));
  const isDone = (habitId: string, day: string) =>
    entities.get(`entry/${habitId}/${day}`)?.["completed"] === true;
  return [...entities]
    .filter(([entityId, { frequency }]) => entityId.startsWith("habit/") && frequency === "daily")
    .map(([entityId, { name, color }]) => {
      const id = entityId.slice("habit/".length);
      return {
        id,
        name: String(name),
        color: String(color),
        days: days.map((day) => isDone(id, day)),
      };
    });
}

/** The local date so many days earlier: the day of a clock change has no 24 hours. */
export function dateBefore(now: number, days: number): string {
  const date = new Date(now);
  return toLocalDate(date.setDate(date.getDate() - days));
}

/** The live entities by their ids, in the order in which they came; those that do not open are left out. */
function openEntities(bodies: readonly string[], sealer: OperationSealer): Map<string, Fields> {
  const states = new Map<string, EntityState>();
  for (const body of bodies) {
    const opened = openOperation(body, sealer);
    if (opened === null) continue;
    const { entityId } = opened;
    states.set(entityId, applyOperation(states.get(entityId) ?? null, opened).state);
  }
  const shown = [...states].flatMap(([entityId, state]) => {
    const entity = visibleEntity(state);
    if (entity === null || entity.deleted) return [];
    const fields = [...entity.payload].map(([name, json]) => [name, JSON.parse(json)] as const);
    return [[entityId, Object.fromEntries(fields)] as const];
  });
  return new Map(shown);
}

/** Null when it does not open. */
function openOperation(body: string, sealer: OperationSealer): ParsedOperation | null {
  const result = validateSealed(scanOperation(body));
  if (result.kind === "invalid") return null;
  const { operation } = result;
  const { kind, revision, entityId: opaqueId, envelope } = operation;
  if (envelope === undefined) return null;
  const [payload, metadata] = [toNames(operation.payloadFields), toNames(operation.metadataFields)];
  const plain = sealer.open({ kind, revision, opaqueId, payload, metadata }, envelope);
  if (typeof plain === "string") return null;
  const { entityId, payload: payloadFields, metadata: metadataFields } = plain;
  return { ...operation, entityId, payloadFields, metadataFields };
}

function toNames(fields: readonly Field[]): readonly string[] {
  return fields.map(({ name }) => name);
}
