/**
 * What the devices would show of the operations that the server has. The server cannot do this: the demo opens
 * them with the key of the devices, so that a person sees what a restore takes away.
 */
import type { Sealer } from "../../src/client/sync/encryption.ts";
import { toLocalDate } from "../../src/client/events/to-local-date.ts";
import { applyOperation, type EntityState } from "../../src/rules/sync/merge.ts";
import { parseOperation } from "../../src/rules/sync/operation-text.ts";
import { visibleEntity } from "../../src/rules/sync/visible-entity.ts";
import type { StoredHabit } from "./page/call-demo.ts";

const DAYS = 7;

type Fields = Readonly<Record<string, unknown>>;

export function readSealedWeek(
  bodies: readonly string[],
  sealer: Sealer,
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
function openEntities(bodies: readonly string[], sealer: Sealer): Map<string, Fields> {
  const states = new Map<string, EntityState>();
  const entityIds = new Map<string, string>();
  for (const body of bodies) {
    const operation = parseOperation(body);
    const opened = sealer.open(operation);
    if (opened.kind !== "opened") continue;
    const { entityId, payloadFields, metadataFields } = opened.operation;
    const sealedId = operation.entityId;
    // A patch does not say which entity it is of.
    if (entityId !== null) entityIds.set(sealedId, entityId);
    const clear = { ...operation, payloadFields, metadataFields };
    states.set(sealedId, applyOperation(states.get(sealedId) ?? null, clear).state);
  }
  const shown = [...states].flatMap(([sealedId, state]) => {
    const entityId = entityIds.get(sealedId);
    const entity = visibleEntity(state);
    if (entityId === undefined || entity === null || entity.deleted) return [];
    const fields = [...entity.payload].map(([name, json]) => [name, JSON.parse(json)] as const);
    return [[entityId, Object.fromEntries(fields)] as const];
  });
  return new Map(shown);
}
