/** The whole HTTP surface of the sync service. Contract version 1.9.0. */
import Type, { type TSchema } from "typebox";
import {
  CODE_CHALLENGE_PATTERN,
  ID_PATTERN,
  KNOWN_BROWSER_HEADER,
  STATE_PATTERN,
} from "../identity.ts";
import { languageParameter } from "../language-parameter.ts";
import {
  createErrorResponses,
  createRoutes,
  type DeclaredResponse,
  type DeclaredRoute,
  type Parameter,
  type ServiceContract,
} from "../route.ts";
import { SERVER_PROOF } from "../server-proof.ts";
import { KEY_HEADER } from "./account-keys.ts";
import { SYNC_STRICTNESS } from "../strictness.ts";
import type { SyncErrorCode } from "./errors.ts";
import { INSIDE_PUSH, PAGE_HEADER } from "./page-header.ts";
import {
  MAX_REFUSED,
  REFUSED_HEADER,
  TOO_MANY_DEVICES,
  listRefusedCodes,
} from "./refused-operations.ts";
import {
  AccountKey,
  AccountKeyList,
  AccountKeyResponse,
  Attempt,
  AuthorizeResponse,
  AuthorizeBody,
  Capabilities,
  Device,
  HeadEvent,
  InstanceInfo,
  KeysEvent,
  PasskeyAttempt,
  PasskeyBody,
  PasskeyResponse,
  PullResponse,
  PushResponse,
  PushBody,
  Receipt,
  RefreshBody,
  RevokeResponse,
  RevokeBody,
  SnapshotResponse,
  SyncError,
  SyncHealth,
  TokenResponse,
  TokenBody,
} from "./schemas.ts";
import {
  CHANGES_COMMENT_SECONDS,
  DEFAULT_PULL_LIMIT,
  DEFAULT_SYNC_LIMITS,
  MAX_STREAMS_PER_DEVICE,
  MAX_STREAMS_PER_INSTANCE,
  SYNC_LIMIT_RANGES,
} from "./values.ts";

export const SYNC_CONTRACT_VERSION = "1.9.0";

// Unknown query parameters and malformed escapes are refused.
const strictQuery = { unknown: "invalid_request", malformed: "invalid_request" } as const;
const strictAuthorizeQuery = {
  unknown: "invalid_authorization_request",
  malformed: "invalid_authorization_request",
} as const;

const authorizeParameter = <const S extends TSchema>(schema: S, description: string) =>
  ({
    schema,
    description,
    required: true,
    invalid: "invalid_authorization_request",
  }) as const satisfies Parameter;

const ok = (schema: TSchema, description: string): DeclaredResponse => ({ description, schema });

function failures(...codes: SyncErrorCode[]): Record<number, DeclaredResponse> {
  const refusals = SYNC_STRICTNESS.errorsOn(["every route"]);
  return createErrorResponses([...codes.map(SYNC_STRICTNESS.pairOf), ...refusals], {
    schema: SyncError,
  });
}

const REFUSED_OPERATIONS = `Index and code of each refused operation, at most ${MAX_REFUSED}, such as 3=payload_field_type, 7=id_reused. Codes: ${listRefusedCodes().join(", ")}`;
const REFUSED_DEVICE = `${TOO_MANY_DEVICES} when as many devices are signed in as the operator allows`;

/** The responses, of which those with these statuses name what is refused. */
function namingRefused(
  responses: Record<number, DeclaredResponse>,
  description: string,
  ...statuses: readonly number[]
): Record<number, DeclaredResponse> {
  const headers = { [REFUSED_HEADER]: { description } };
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [
      status,
      statuses.includes(Number(status)) ? { ...response, headers } : response,
    ]),
  );
}

const body = <const S extends TSchema>(schema: S) =>
  ({
    schema,
    mediaType: "application/json",
    maxBytes: DEFAULT_SYNC_LIMITS.maxBodyBytes,
    invalid: "invalid_request",
  }) as const;
const bodyFailures = SYNC_STRICTNESS.errorsOn(["routes with a body"]).map(({ code }) => code);
/** What both ways to sign in on the page share. */
const signIn = {
  method: "POST",
  description:
    "Needs the header X-<prefix>-CSRF with the value of `csrf`, which is the attempt's state. Cross-site requests are refused.",
  requestHeaders: {
    [KNOWN_BROWSER_HEADER]: {
      description: "The value that an earlier sign-in of this browser returned",
      schema: Type.String(),
    },
  },
  rateLimit: { name: "signIn", by: "stranger" },
} as const;
const signInResponses = (schema: TSchema): Record<number, DeclaredResponse> => ({
  200: {
    ...ok(schema, "A challenge, or the authorization code"),
    headers: {
      [KNOWN_BROWSER_HEADER]: {
        description: "With the code: what this browser keeps and sends from now on",
      },
    },
  },
  ...failures(
    ...bodyFailures,
    "invalid_authorization_request",
    "authentication_failed",
    "csrf_failed",
    "rate_limited",
    "storage_unavailable",
  ),
});
const keyHeader = (description: string) => ({
  [KEY_HEADER]: {
    description: `${description}: the id of the account's key, a dot, and its write secret in base64url`,
    schema: Type.String(),
  },
});
const bearerFailures = [
  "invalid_access_token",
  "storage_unavailable",
] as const satisfies SyncErrorCode[];

export const SYNC_ROUTES = createRoutes({ origin: "sync", strictQuery }, {
  getHealth: {
    method: "GET",
    path: "/v1/health",
    summary: "Liveness",
    requestHeaders: SERVER_PROOF.requestHeaders,
    responses: {
      200: { ...ok(SyncHealth, "The service is up"), headers: SERVER_PROOF.responseHeaders },
      ...failures("storage_unavailable"),
    },
  },
  getCapabilities: {
    method: "GET",
    path: "/v1/capabilities",
    summary: "What this instance can do, and its limits",
    responses: { 200: ok(Capabilities, "The capabilities"), ...failures() },
  },
  getInstanceInfo: {
    method: "GET",
    path: "/v1/instance-info",
    summary: "Name, address and set-up state of this instance",
    responses: { 200: ok(InstanceInfo, "The instance"), ...failures("storage_unavailable") },
  },
  getAuthorizePage: {
    method: "GET",
    path: "/v1/authorize",
    summary: "The sign-in page, for the system browser",
    strictQuery: strictAuthorizeQuery,
    query: {
      response_type: authorizeParameter(Type.Literal("code"), "Always code"),
      redirect_uri: authorizeParameter(
        Type.String({ minLength: 1 }),
        "Exactly one of the configured addresses",
      ),
      code_challenge: authorizeParameter(
        Type.String({ pattern: CODE_CHALLENGE_PATTERN }),
        "PKCE challenge, S256 (RFC 7636 4.2)",
      ),
      state: authorizeParameter(
        Type.String({ pattern: STATE_PATTERN }),
        "Opaque to the service, at least 16 characters; comes back unchanged",
      ),
      attempt_id: authorizeParameter(Type.String({ pattern: ID_PATTERN }), "Names this attempt"),
      device_id: authorizeParameter(Type.String({ pattern: ID_PATTERN }), "Names the device"),
      lang: languageParameter("invalid_authorization_request"),
    },
    responses: {
      200: { description: "An HTML document", schema: Type.String(), mediaType: "text/html" },
      ...failures("invalid_authorization_request"),
    },
  },
  authorize: {
    ...signIn,
    path: "/v1/authorize",
    summary: "Begin or complete a password proof",
    body: body(AuthorizeBody),
    responses: signInResponses(AuthorizeResponse),
  },
  signInWithPasskey: {
    ...signIn,
    path: "/v1/passkey",
    summary: "Begin or complete a sign-in with a passkey",
    body: body(PasskeyBody),
    responses: signInResponses(PasskeyResponse),
  },
  redeemCode: {
    method: "POST",
    path: "/v1/token",
    summary: "Redeem an authorization code",
    body: body(TokenBody),
    responses: {
      200: ok(TokenResponse, "The device's tokens"),
      ...namingRefused(
        failures(...bodyFailures, "invalid_grant", "unsupported_grant_type", "storage_unavailable"),
        REFUSED_DEVICE,
        400,
      ),
    },
  },
  refresh: {
    method: "POST",
    path: "/v1/refresh",
    summary: "Rotate the refresh token and get a new access token",
    body: body(RefreshBody),
    responses: {
      200: ok(TokenResponse, "The device's new tokens"),
      ...failures(
        ...bodyFailures,
        "invalid_refresh_token",
        "unsupported_grant_type",
        "storage_unavailable",
      ),
    },
  },
  revoke: {
    method: "POST",
    path: "/v1/revoke",
    summary: "Revoke this device, or every device",
    auth: "bearer",
    body: body(RevokeBody),
    responses: {
      200: ok(RevokeResponse, "How many devices were revoked"),
      ...failures(...bodyFailures, ...bearerFailures),
    },
  },
  push: {
    method: "POST",
    path: "/v1/push",
    summary: "Store a batch of operations, all or none",
    auth: "bearer",
    requestHeaders: keyHeader("In the profile `sealed` alone"),
    // Only a push, which is authenticated, may be as large as an operator allows.
    body: {
      ...body(PushBody),
      maxBytes: SYNC_LIMIT_RANGES.maxBodyBytes.maximum,
      parsedBy: "handler",
    },
    responses: {
      200: ok(PushResponse, "A receipt for each operation, in order"),
      ...namingRefused(
        failures(
          ...bodyFailures,
          ...bearerFailures,
          "invalid_sync_operation",
          "key_replaced",
          "key_unknown",
          "operation_conflict",
          "quota_exceeded",
        ),
        REFUSED_OPERATIONS,
        400,
        409,
      ),
    },
  },
  pull: {
    method: "GET",
    path: "/v1/pull",
    summary: "Read a page of operations after a cursor",
    auth: "bearer",
    query: {
      cursor: {
        schema: Type.String({ minLength: 1 }),
        description: "From the page before; absent for the first one",
        invalid: "invalid_cursor",
      },
      limit: {
        schema: Type.Integer({
          minimum: 1,
          maximum: SYNC_LIMIT_RANGES.maxPullOperations.maximum,
        }),
        description: `Operations on the page; ${DEFAULT_PULL_LIMIT}, or less where the instance allows less, when it is absent`,
        invalid: "invalid_request",
      },
    },
    responses: {
      200: {
        ...ok(PullResponse, "The page, or the reason why the client must sync from the start"),
        headers: {
          [PAGE_HEADER]: {
            description: `${INSIDE_PUSH} when the page ends inside a push, which has more operations than the limit`,
          },
        },
      },
      ...failures(...bearerFailures, "invalid_cursor"),
    },
  },
  getSnapshot: {
    method: "GET",
    path: "/v1/snapshot",
    summary: "Every entity's state at one moment, streamed",
    auth: "bearer",
    responses: { 200: ok(SnapshotResponse, "The snapshot"), ...failures(...bearerFailures) },
  },
  getKeys: {
    method: "GET",
    path: "/v1/keys",
    summary: "The keys of an account in the profile `sealed`, as its devices sealed them",
    auth: "bearer",
    responses: {
      200: ok(AccountKeyList, "The list, streamed"),
      ...failures(...bearerFailures, "not_found"),
    },
  },
  addKey: {
    method: "POST",
    path: "/v1/keys",
    summary: "Add the record of the account's next key, in the profile `sealed`",
    auth: "bearer",
    requestHeaders: keyHeader("For all records but the first"),
    body: body(AccountKey),
    responses: {
      200: ok(AccountKeyResponse, "The list has this record already"),
      201: ok(AccountKeyResponse, "The key is the account's"),
      ...failures(...bodyFailures, ...bearerFailures, "key_unknown", "not_found", "too_many_keys"),
      409: {
        description: "`key_replaced`: another device has added a key; `too_many_keys`",
        schema: SyncError,
      },
    },
  },
  getChanges: {
    method: "GET",
    path: "/v1/changes",
    summary: "Tells whenever there is something to pull",
    description: `Server-sent events: \`event: head\` with a HeadEvent as data, when the stream opens and whenever the head of the log moves; in the profile \`sealed\` \`event: keys\` with a KeysEvent, when the stream opens and the account has a key, and whenever it has a new one; and a comment every ${CHANGES_COMMENT_SECONDS} seconds. It ends with the session. A device may have ${MAX_STREAMS_PER_DEVICE} of them, an instance ${MAX_STREAMS_PER_INSTANCE}.`,
    auth: "bearer",
    responses: {
      200: {
        description: "Events until one side ends the stream",
        schema: Type.String(),
        mediaType: "text/event-stream",
      },
      ...failures(...bearerFailures, "rate_limited"),
    },
  },
  getDevice: {
    method: "GET",
    path: "/v1/device",
    summary: "The signed-in device",
    auth: "bearer",
    responses: { 200: ok(Device, "The device"), ...failures(...bearerFailures) },
  },
  revokeDevice: {
    method: "DELETE",
    path: "/v1/device",
    summary: "Revoke this device",
    auth: "bearer",
    responses: {
      200: ok(RevokeResponse, "One device was revoked"),
      ...failures(...bearerFailures),
    },
  },
} as const satisfies Record<string, DeclaredRoute>);

export const SYNC_CONTRACT: ServiceContract = {
  title: "Trellis personal sync API",
  version: SYNC_CONTRACT_VERSION,
  description: "Private synchronisation for one account: sign-in with PKCE, push and pull.",
  origins: { sync: { url: "https://sync.example.com", description: "The instance" } },
  routes: Object.values(SYNC_ROUTES),
  schemas: {
    SyncError,
    SyncHealth,
    Capabilities,
    InstanceInfo,
    Attempt,
    PasskeyAttempt,
    TokenBody,
    TokenResponse,
    RefreshBody,
    RevokeBody,
    RevokeResponse,
    PushBody,
    Receipt,
    PushResponse,
    PullResponse,
    SnapshotResponse,
    HeadEvent,
    AccountKey,
    AccountKeyList,
    AccountKeyResponse,
    KeysEvent,
    Device,
  },
};
