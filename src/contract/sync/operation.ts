/** What devices exchange: operations, and the states that they add up to. */
import Type, { type Static } from "typebox";
import { closedObject } from "../closed-object.ts";
import {
  DOCUMENT_SCHEMA_VERSION,
  MAX_ENTITY_ID_LENGTH,
  MAX_FIELDS,
  MAX_SEQUENCE,
  OPERATION_KINDS,
} from "./operation-limits.ts";
import { ID_PATTERN } from "../identity.ts";
import { PROTOCOL_VERSION } from "./values.ts";

export const Revision = closedObject(
  {
    deviceId: Type.String({ pattern: ID_PATTERN, description: "The device that made it" }),
    sequence: Type.Integer({
      minimum: 1,
      maximum: MAX_SEQUENCE,
      description: "Lamport clock: greater than every sequence the device had seen",
    }),
  },
  { description: "Ordered by sequence, then by deviceId; wall clocks never decide" },
);

const EntityId = Type.String({
  minLength: 1,
  maxLength: MAX_ENTITY_ID_LENGTH,
  description: "Type and identity, each part percent-encoded: entry/water/2026-01-31",
});

const FieldNames = Type.Array(Type.String(), { uniqueItems: true, maxItems: MAX_FIELDS });

export const OperationDocument = Type.Object(
  {
    schemaVersion: Type.Literal(DOCUMENT_SCHEMA_VERSION),
    entityId: EntityId,
    deleted: Type.Boolean({ description: "A tombstone, which has no payload" }),
    payload: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { maxProperties: MAX_FIELDS }),
    ),
  },
  { additionalProperties: true, description: "Further members are metadata, and are kept" },
);

export const Operation = closedObject({
  protocolVersion: Type.Literal(PROTOCOL_VERSION),
  operationId: Type.String({ description: "operation/<deviceId>/<sequence> of the revision" }),
  kind: Type.Enum([...OPERATION_KINDS], { type: "string" }),
  revision: Revision,
  document: OperationDocument,
  changedFields: FieldNames,
  changedMetadataFields: FieldNames,
});

const Registers = Type.Record(
  Type.String(),
  closedObject({ value: Type.Unknown(), revision: Revision }),
);

const lifecycleMembers = {
  entityId: EntityId,
  lifecycleRevision: Type.Union([Revision, Type.Null()], {
    description: "Who created, deleted or restored it last; null while its create is awaited",
  }),
  deletedRevision: Type.Union([Revision, Type.Null()], {
    description: "The greatest revision of a delete, below which no field is visible; null if none",
  }),
  deleted: Type.Boolean(),
};

export const SnapshotEntity = closedObject({
  ...lifecycleMembers,
  payloadFields: Registers,
  metadataFields: Registers,
});

/** In the profile `sealed`, where only whole operations open. */
export const SealedSnapshotEntity = closedObject({
  ...lifecycleMembers,
  operations: Type.Array(Operation, {
    description: "Those that own a field or the lifecycle, as they were pushed",
  }),
});

export type Revision = Static<typeof Revision>;
export type OperationDocument = Static<typeof OperationDocument>;
export type Operation = Static<typeof Operation>;
export type SnapshotEntity = Static<typeof SnapshotEntity>;
export type SealedSnapshotEntity = Static<typeof SealedSnapshotEntity>;
