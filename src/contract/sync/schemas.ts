/** The bodies of the sync service, as JSON Schema 2020-12. Operations are in operation.ts. */
import Type, { type Static } from "typebox";
import { closedObject } from "../closed-object.ts";
import { PasskeyAssertion, PasskeyRequest } from "../passkey.ts";
import * as proof from "../password-proof.ts";
import {
  ENVELOPE_PATTERN,
  ACCOUNT_KEY_ID_PATTERN,
  MAX_ACCOUNT_KEYS,
  MAX_FROM_ENVELOPE_CHARACTERS,
  MAX_KEYS_ENVELOPE_CHARACTERS,
  WRITE_SECRET_PATTERN,
} from "./account-keys.ts";
import { MAX_DEVICE_NAME_CHARACTERS } from "./device-name.ts";
import { SYNC_ERROR_CODES } from "./errors.ts";
import { SYNC_PROFILES } from "./operation-limits.ts";
import { PROTOCOL_VERSION, RECOVERY_REASONS } from "./values.ts";

const Text = Type.String();
const Version = Type.Literal(PROTOCOL_VERSION);
const Count = Type.Integer({ minimum: 0 });
const DateTime = Type.String({ format: "date-time" });

export const SyncError = closedObject({
  error: Type.Enum([...SYNC_ERROR_CODES], { type: "string" }),
  message: Type.String({ maxLength: 512 }),
  requestId: Text,
});

export const SyncHealth = closedObject({ status: Type.Literal("ok"), version: Version });

export const Capabilities = closedObject({
  protocolVersion: Version,
  authentication: closedObject({
    authorizationCode: Type.Literal(true),
    pkceMethods: Type.Array(Type.Literal("S256")),
    refreshRotation: Type.Literal(true),
    displayName: Type.Optional(
      Type.Literal(true, { description: "POST /v1/token takes the name of the device" }),
    ),
    passkeys: Type.Optional(
      Type.Boolean({ description: "Whether POST /v1/passkey is there, and the page offers it" }),
    ),
  }),
  sync: closedObject({
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
    profile: Type.Optional(
      Type.Enum([...SYNC_PROFILES], {
        type: "string",
        description: "The rules of the data; an app of another profile pushes nothing",
      }),
    ),
  }),
});

export const InstanceInfo = closedObject({
  protocolVersion: Version,
  name: Text,
  baseUrl: Text,
  initialized: Type.Boolean({ description: "Whether an account exists" }),
});

const attemptMembers = {
  codeChallenge: Text,
  state: Text,
  redirectUri: Text,
  attemptId: Text,
  deviceId: Text,
};
export const Attempt = closedObject({ username: Text, ...attemptMembers });
/** A passkey names its account, so the attempt does not. */
export const PasskeyAttempt = closedObject(attemptMembers);

// What is wrong inside `attempt` has a code of its own, so its members are checked by the handler.
export const AuthorizeBegin = closedObject({
  action: Type.Literal("begin"),
  csrf: Text,
  attempt: Type.Unknown(),
});
export const AuthorizeComplete = proof.SignInComplete;
export const AuthorizeBody = Type.Union([AuthorizeBegin, AuthorizeComplete]);

export const ChallengeResponse = proof.ProofChallenge;
export const CompletedResponse = closedObject({
  code: Text,
  state: Text,
  redirectUri: Text,
  serverSignature: Text,
});
export const AuthorizeResponse = Type.Union([ChallengeResponse, CompletedResponse]);

export const PasskeyComplete = closedObject({
  action: Type.Literal("complete"),
  csrf: Text,
  attempt: Type.Unknown(),
  credential: PasskeyAssertion,
});
export const PasskeyBody = Type.Union([AuthorizeBegin, PasskeyComplete]);
export const PasskeyCompleted = closedObject({ code: Text, state: Text, redirectUri: Text });
export const PasskeyResponse = Type.Union([PasskeyRequest, PasskeyCompleted]);

export const TokenBody = closedObject({
  grantType: Text,
  code: Text,
  codeVerifier: Text,
  redirectUri: Text,
  attemptId: Text,
  displayName: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_DEVICE_NAME_CHARACTERS,
      description: "The name of the device, for its owner; only where the capabilities have it",
    }),
  ),
});

export const RefreshBody = closedObject({ grantType: Text, refreshToken: Text });

export const TokenResponse = closedObject({
  tokenType: Type.Literal("Bearer"),
  accessToken: Text,
  expiresIn: Count,
  refreshToken: Text,
  refreshExpiresAt: DateTime,
  deviceId: Text,
});

export const RevokeBody = closedObject({
  scope: Type.Optional(Type.Enum(["device", "all"], { type: "string", default: "device" })),
});
export const RevokeResponse = closedObject({ revoked: Count });

// Each operation is checked by the rules, which name the index and the rule.
export const PushBody = closedObject({ operations: Type.Array(Type.Unknown(), { minItems: 1 }) });

export const Receipt = closedObject({
  cursor: Text,
  offset: Count,
  duplicate: Type.Boolean(),
  changed: Type.Boolean(),
});
export const PushResponse = closedObject({ receipts: Type.Array(Receipt) });

const KeyId = Type.String({ pattern: ACCOUNT_KEY_ID_PATTERN });

/** A record of the list of keys, which the server cannot read. */
export const AccountKey = closedObject({
  keyId: KeyId,
  write: Type.String({
    pattern: WRITE_SECRET_PATTERN,
    description: "SHA-256 of the 32 bytes of the key's write secret",
  }),
  keys: Type.String({
    pattern: ENVELOPE_PATTERN,
    maxLength: MAX_KEYS_ENVELOPE_CHARACTERS,
    description: "The keys before it, sealed under this one",
  }),
  from: Type.Optional(
    Type.String({
      pattern: ENVELOPE_PATTERN,
      maxLength: MAX_FROM_ENVELOPE_CHARACTERS,
      description:
        "The id of this key, sealed under the key before it; the first record alone has none",
    }),
  ),
});
export const AccountKeyList = closedObject({
  keys: Type.Array(AccountKey, {
    maxItems: MAX_ACCOUNT_KEYS,
    description: "Oldest first; the last is the account's key",
  }),
});
export const AccountKeyResponse = closedObject({
  keyId: Type.String({ description: "The account's key: that of the last record" }),
});

export const PullResponse = closedObject({
  operations: Type.Array(Type.Unknown({ description: "Operations, as they were pushed" })),
  cursor: Text,
  headOffset: Count,
  compactionFloor: Count,
  requiresSnapshot: Type.Boolean(),
  recoveryReason: Type.Enum([...RECOVERY_REASONS], { type: "string" }),
  keyId: Type.Optional(
    Type.Union([KeyId, Type.Null()], {
      description: "The account's key, null without one; in the profile `sealed` alone",
    }),
  ),
});

export const SnapshotResponse = closedObject({
  schemaVersion: Type.Literal(1),
  cursor: Text,
  entities: Type.Array(Type.Unknown({ description: "Entity states, by entity id" })),
});

export const HeadEvent = closedObject({
  cursor: Type.String({ description: "Of the head: what a pull up to it would return" }),
});

export const KeysEvent = AccountKeyResponse;

export const Device = closedObject({
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
export type PasskeyAttempt = Static<typeof PasskeyAttempt>;
export type PasskeyBody = Static<typeof PasskeyBody>;
export type PasskeyCompleted = Static<typeof PasskeyCompleted>;
export type ChallengeResponse = Static<typeof ChallengeResponse>;
export type CompletedResponse = Static<typeof CompletedResponse>;
export type TokenBody = Static<typeof TokenBody>;
export type TokenResponse = Static<typeof TokenResponse>;
export type RefreshBody = Static<typeof RefreshBody>;
export type RevokeBody = Static<typeof RevokeBody>;
export type AccountKey = Static<typeof AccountKey>;
export type Receipt = Static<typeof Receipt>;
export type Device = Static<typeof Device>;
