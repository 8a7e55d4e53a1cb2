// Generated from the schemas by scripts/contract-types.ts; do not edit.

export type Attempt = {
  username: string;
  codeChallenge: string;
  state: string;
  redirectUri: string;
  attemptId: string;
  deviceId: string;
};

type AuthorizeBegin = {
  action: "begin";
  csrf: string;
  attempt: unknown;
};

export type AuthorizeBody = AuthorizeBegin | AuthorizeComplete;

export type AuthorizeComplete = {
  action: "complete";
  csrf: string;
  challengeId: string;
  clientNonce: string;
  proof: string;
};

export type ChallengeResponse = {
  challengeId: string;
  salt: string;
  iterations: number;
  serverNonce: string;
  expiresAt: string;
};

export type CompletedResponse = {
  code: string;
  state: string;
  redirectUri: string;
  serverSignature: string;
};

export type Device = {
  deviceId: string;
  /** Unix seconds */
  accessExpiresAt: number;
  createdAt: string;
  lastUsedAt: string;
  refreshExpiresAt: string;
};

export type Receipt = {
  cursor: string;
  offset: number;
  duplicate: boolean;
  changed: boolean;
};

export type RefreshBody = {
  grantType: string;
  refreshToken: string;
};

export type RevokeBody = {
  scope?: "device" | "all";
};

export type SyncError = {
  error:
    | "invalid_request"
    | "invalid_json"
    | "invalid_authorization_request"
    | "invalid_grant"
    | "unsupported_grant_type"
    | "invalid_cursor"
    | "invalid_sync_operation"
    | "authentication_failed"
    | "invalid_access_token"
    | "invalid_refresh_token"
    | "csrf_failed"
    | "cors_denied"
    | "not_found"
    | "method_not_allowed"
    | "operation_conflict"
    | "payload_too_large"
    | "request_target_too_large"
    | "unsupported_media_type"
    | "rate_limited"
    | "internal_error"
    | "storage_unavailable"
    | "quota_exceeded";
  message: string;
  requestId: string;
};

export type TokenBody = {
  grantType: string;
  code: string;
  codeVerifier: string;
  redirectUri: string;
  attemptId: string;
};

export type TokenResponse = {
  tokenType: "Bearer";
  accessToken: string;
  expiresIn: number;
  refreshToken: string;
  refreshExpiresAt: string;
  deviceId: string;
};

export type Operation = {
  protocolVersion: 1;
  /** operation/<deviceId>/<sequence> of the revision */
  operationId: string;
  kind: "create" | "patch" | "delete" | "restore";
  /** Ordered by sequence, then by deviceId; wall clocks never decide */
  revision: Revision;
  /** Further members are metadata, and are kept */
  document: OperationDocument;
  changedFields: string[];
  changedMetadataFields: string[];
};

/** Further members are metadata, and are kept */
export type OperationDocument = {
  schemaVersion: 1;
  /** Type and identity, each part percent-encoded: entry/water/2026-01-31 */
  entityId: string;
  /** A tombstone, which has no payload */
  deleted: boolean;
  payload?: {
    [name: string]: unknown;
  };
};

/** Ordered by sequence, then by deviceId; wall clocks never decide */
export type Revision = {
  /** The device that made it */
  deviceId: string;
  /** Lamport clock: greater than every sequence the device had seen */
  sequence: number;
};

export type SnapshotEntity = {
  /** Type and identity, each part percent-encoded: entry/water/2026-01-31 */
  entityId: string;
  /** Who created, deleted or restored it last; null while its create is awaited */
  lifecycleRevision: Revision | null;
  deleted: boolean;
  payloadFields: {
    [name: string]: {
      value: unknown;
      /** Ordered by sequence, then by deviceId; wall clocks never decide */
      revision: Revision;
    };
  };
  metadataFields: {
    [name: string]: {
      value: unknown;
      /** Ordered by sequence, then by deviceId; wall clocks never decide */
      revision: Revision;
    };
  };
};
