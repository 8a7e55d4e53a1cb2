/** The bodies of the sync service, as JSON Schema 2020-12. */
import Type, { type Static } from "typebox";
import { ID_PATTERN } from "../identity.ts";
import { SYNC_ERROR_CODES } from "./errors.ts";
import {
  DOCUMENT_SCHEMA_VERSION,
  MAX_ENTITY_ID_LENGTH,
  MAX_FIELDS,
  MAX_SEQUENCE,
  OPERATION_KINDS,
} from "./operation-limits.ts";
import { PROTOCOL_VERSION, RECOVERY_REASONS } from "./values.ts";

const closed = { additionalProperties: false } as const;
const object = <T extends Record<string, Type.TSchema>>(properties: T) =>
  Type.Object(properties, closed);

const Text = Type.String();
const Version = Type.Literal(PROTOCOL_VERSION);
const Count = Type.Integer({ minimum: 0 });
const DateTime = Type.String({ format: "date-time" });

export const SyncError = object({
  error: Type.Enum([...SYNC_ERROR_CODES], { type: "string" }),
  message: Type.String({ maxLength: 512 }),
  requestId: Text,
});

export const SyncHealth = object({ status: Type.Literal("ok"), version: Version });

export const Capabilities = object({
  protocolVersion: Version,
  authentication: object({
    authorizationCode: Type.Literal(true),
    pkceMethods: Type.Array(Type.Literal("S256")),
    refreshRotation: Type.Literal(true),
  }),
  sync: object({
    push: Type.Literal(true),
    pull: Type.Literal(true),
    snapshotRecovery: Type.Literal(true),
    maximumPushOperations: Count,
    maximumPullOperations: Count,
    maximumBodyBytes: Count,
  }),
});

export const InstanceInfo = object({
  protocolVersion: Version,
  name: Text,
  baseUrl: Text,
  initialized: Type.Boolean({ description: "Whether an account exists" }),
});

export const Attempt = object({
  username: Text,
  codeChallenge: Text,
  state: Text,
  redirectUri: Text,
  attemptId: Text,
  deviceId: Text,
});

// What is wrong inside `attempt` has a code of its own, so its members are checked by the handler.
export const AuthorizeBegin = object({
  action: Type.Literal("begin"),
  csrf: Text,
  attempt: Type.Unknown(),
});
export const AuthorizeComplete = object({
  action: Type.Literal("complete"),
  csrf: Text,
  challengeId: Text,
  clientNonce: Text,
  proof: Text,
});
export const AuthorizeBody = Type.Union([AuthorizeBegin, AuthorizeComplete]);

export const ChallengeResponse = object({
  challengeId: Text,
  salt: Text,
  iterations: Count,
  serverNonce: Text,
  expiresAt: DateTime,
});
export const CompletedResponse = object({
  code: Text,
  state: Text,
  redirectUri: Text,
  serverSignature: Text,
});
export const AuthorizeResponse = Type.Union([ChallengeResponse, CompletedResponse]);

export const TokenBody = object({
  grantType: Text,
  code: Text,
  codeVerifier: Text,
  redirectUri: Text,
  attemptId: Text,
});

export const RefreshBody = object({ grantType: Text, refreshToken: Text });

export const TokenResponse = object({
  tokenType: Type.Literal("Bearer"),
  accessToken: Text,
  expiresIn: Count,
  refreshToken: Text,
  refreshExpiresAt: DateTime,
  deviceId: Text,
});

export const RevokeBody = object({
  scope: Type.Optional(Type.Enum(["device", "all"], { type: "string", default: "device" })),
});
export const RevokeResponse = object({ revoked: Count });

const RevisionSchema = Type.Object(
  {
    deviceId: Type.String({ pattern: ID_PATTERN, description: "The device that made it" }),
    sequence: Type.Integer({
      minimum: 1,
      maximum: MAX_SEQUENCE,
      description: "Lamport clock: greater than every sequence the device had seen",
    }),
  },
  { ...closed, description: "Ordered by sequence, then by deviceId; wall clocks never decide" },
);

const EntityId = Type.String({
  minLength: 1,
  maxLength: MAX_ENTITY_ID_LENGTH,
  description: "Type and identity, each part percent-encoded: entry/water/2026-01-31",
});

const FieldNames = Type.Array(Type.String(), { uniqueItems: true, maxItems: MAX_FIELDS });

/** Of the type `Operation`. The rules check more than a schema can say. */
export const OperationSchema = object({
  protocolVersion: Version,
  operationId: Type.String({ description: "operation/<deviceId>/<sequence> of the revision" }),
  kind: Type.Enum([...OPERATION_KINDS], { type: "string" }),
  revision: RevisionSchema,
  document: Type.Object(
    {
      schemaVersion: Type.Literal(DOCUMENT_SCHEMA_VERSION),
      entityId: EntityId,
      deleted: Type.Boolean({ description: "A tombstone, which has no payload" }),
      payload: Type.Optional(
        Type.Record(Type.String(), Type.Unknown(), { maxProperties: MAX_FIELDS }),
      ),
    },
    { additionalProperties: true, description: "Further members are metadata, and are kept" },
  ),
  changedFields: FieldNames,
  changedMetadataFields: FieldNames,
});

const Registers = Type.Record(
  Type.String(),
  object({ value: Type.Unknown(), revision: RevisionSchema }),
);

/** Of the type `SnapshotEntity`. */
export const SnapshotEntitySchema = object({
  entityId: EntityId,
  lifecycleRevision: Type.Union([RevisionSchema, Type.Null()], {
    description: "Of the last create, delete or restore; null while the create is missing",
  }),
  deleted: Type.Boolean(),
  payloadFields: Registers,
  metadataFields: Registers,
});

// Each operation is checked by the rules, which name the index and the rule.
export const PushBody = object({ operations: Type.Array(Type.Unknown(), { minItems: 1 }) });

export const Receipt = object({
  cursor: Text,
  offset: Count,
  duplicate: Type.Boolean(),
  changed: Type.Boolean(),
});
export const PushResponse = object({ receipts: Type.Array(Receipt) });

export const PullResponse = object({
  operations: Type.Array(Type.Unknown({ description: "Operations, as they were pushed" })),
  cursor: Text,
  headOffset: Count,
  compactionFloor: Count,
  requiresSnapshot: Type.Boolean(),
  recoveryReason: Type.Enum([...RECOVERY_REASONS], { type: "string" }),
});

export const SnapshotResponse = object({
  schemaVersion: Type.Literal(1),
  cursor: Text,
  entities: Type.Array(Type.Unknown({ description: "Entity states, by entity id" })),
});

export const Device = object({
  deviceId: Text,
  accessExpiresAt: Type.Integer({ description: "Unix seconds" }),
  createdAt: DateTime,
  lastUsedAt: DateTime,
  refreshExpiresAt: DateTime,
});

export type SyncError = Static<typeof SyncError>;
export type Attempt = Static<typeof Attempt>;
export type AuthorizeBody = Static<typeof AuthorizeBody>;
export type AuthorizeComplete = Static<typeof AuthorizeComplete>;
export type ChallengeResponse = Static<typeof ChallengeResponse>;
export type CompletedResponse = Static<typeof CompletedResponse>;
export type TokenBody = Static<typeof TokenBody>;
export type TokenResponse = Static<typeof TokenResponse>;
export type RefreshBody = Static<typeof RefreshBody>;
export type RevokeBody = Static<typeof RevokeBody>;
export type Receipt = Static<typeof Receipt>;
export type Device = Static<typeof Device>;
