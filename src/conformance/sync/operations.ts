/** Valid operations, from as little as a case wants to say. */
import type { OperationKind } from "../../contract/sync/operation-limits.ts";
import type { Operation } from "../../contract/sync/operation.ts";
import type { SyncTarget } from "./target.ts";

export type Members = Readonly<Record<string, unknown>>;

export interface OperationSketch {
  readonly deviceId: string;
  readonly entityId: string;
  readonly sequence?: number;
  readonly kind?: OperationKind;
  /** The whole payload; a tombstone has none. */
  readonly payload?: Members;
  readonly metadata?: Members;
  /** What a patch changes; all of it unless told. */
  readonly changedFields?: readonly string[];
}

export function createOperation(sketch: OperationSketch): Operation {
  const { deviceId, entityId, sequence = 1, kind = "create", metadata = {} } = sketch;
  const deleted = kind === "delete";
  const payload = deleted ? {} : (sketch.payload ?? payloadOf(entityId));
  return {
    protocolVersion: 1,
    operationId: `operation/${deviceId}/${sequence}`,
    kind,
    revision: { deviceId, sequence },
    document: {
      schemaVersion: 1,
      entityId,
      deleted,
      ...(deleted ? {} : { payload: { ...payload } }),
      ...metadata,
    },
    changedFields: [...(sketch.changedFields ?? Object.keys(payload))],
    changedMetadataFields: Object.keys(metadata),
  };
}

/** A valid operation of its own device, for a case to push or to spoil. */
export function freshOperation(target: SyncTarget, entityId = target.newSetting()): Operation {
  return createOperation({ deviceId: target.newId("device"), entityId });
}

/** A payload that the rules of the entity's type accept. */
export function payloadOf(entityId: string): Record<string, unknown> {
  const [type, id = "", date = ""] = entityId.split("/");
  switch (type) {
    case "habit":
      return {
        id,
        name: "Conformance test",
        description: null,
        color: "#336699",
        icon: "check",
        category: "test",
        frequency: "daily",
        targetCount: 1,
        customDays: null,
        isActive: true,
        createdAt: "2026-01-31T12:00:00.000",
      };
    case "entry":
      return {
        id: `entry-${id}`,
        habitId: id,
        date,
        completed: true,
        count: 1,
        timestamp: "2026-01-31T12:00:00Z",
      };
    default:
      return { value: 1 };
  }
}
