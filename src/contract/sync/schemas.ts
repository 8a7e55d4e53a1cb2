/** The bodies of the sync service, as JSON Schema 2020-12. Operations are in operation.ts. */
import Type from "typebox";
import { SYNC_ERROR_CODES } from "./errors.ts";
import { PROTOCOL_VERSION, RECOVERY_REASONS } from "./values.ts";
import type * as types from "./types.ts";

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
    changes: Type.Optional(
      Type.Literal(true, {
        description: "GET /v1/changes is there; a client polls where it is not",
      }),
    ),
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

export const HeadEvent = object({
  cursor: Type.String({ description: "Of the head: what a pull up to it would return" }),
});

export const Device = object({
  deviceId: Text,
  accessExpiresAt: Type.Integer({ description: "Unix seconds" }),
  createdAt: DateTime,
  lastUsedAt: DateTime,
  refreshExpiresAt: DateTime,
});

export type SyncError = types.SyncError;
export type Attempt = types.Attempt;
export type AuthorizeBody = types.AuthorizeBody;
export type AuthorizeComplete = types.AuthorizeComplete;
export type ChallengeResponse = types.ChallengeResponse;
export type CompletedResponse = types.CompletedResponse;
export type TokenBody = types.TokenBody;
export type TokenResponse = types.TokenResponse;
export type RefreshBody = types.RefreshBody;
export type RevokeBody = types.RevokeBody;
export type Receipt = types.Receipt;
export type Device = types.Device;
