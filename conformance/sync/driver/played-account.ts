/** An account on a sync server that a case plays: its routes, its log and its sessions. */
import type { ServerResponse } from "node:http";
import { isObject, type Members } from "../../../src/contract/is-object.ts";
import { SYNC_ERRORS, type SyncErrorCode } from "../../../src/contract/sync/errors.ts";
import type { Operation } from "../../../src/contract/sync/operation.ts";
import { REFUSED_HEADER } from "../../../src/contract/sync/refused-operations.ts";
import { parseJson } from "../../../src/rules/parse-json.ts";
import type { ClientUnderTest } from "../../drivers/client-under-test.ts";
import {
  jsonReply,
  type PlainReply,
  type Reply,
  type SeenRequest,
} from "../../drivers/loopback-service.ts";
import { CHANGES } from "../changes.ts";
import { createPlayedLog, type LogLimits, type LogResult } from "./played-log.ts";
import { createSessions, type Sessions } from "./played-sessions.ts";

export interface PlayedAccount {
  readonly sessions: Sessions;
  /** The operations of the log, in their order. */
  readonly log: readonly Operation[];
  /** Another device pushes these. */
  push(...operations: readonly Operation[]): void;
  /** The store is restored from a backup of its first operations: the log is another one. */
  restore(length: number): void;
  /** The store is set to an earlier state of itself: the log stays the same one. */
  rollBack(length: number): void;
  respond(request: SeenRequest): Reply;
}

export interface AccountOptions extends Partial<LogLimits> {
  /** Members of every successful response that the contract does not have. */
  readonly more?: Members;
  /** Names the refused operations in a header, which a server need not do. */
  readonly namesRefused?: boolean;
  /** Tells of changes, which a server need not do. */
  readonly hasChanges?: boolean;
}

export const BASE_URL = "https://sync.example";
const MAX_BODY_BYTES = 256 * 1024;
const PAGE_PARAMETERS = [
  "response_type",
  "redirect_uri",
  "code_challenge",
  "state",
  "attempt_id",
  "device_id",
  "lang",
];

interface Route {
  /** The parameters of the query; any other is refused. */
  readonly parameters?: readonly string[];
  /** The members of the body; any other is refused. */
  readonly members?: readonly string[];
  readonly isBearer?: boolean;
  respond(request: SeenRequest, body: Members): Reply;
}

type Routes = Readonly<Record<string, Route>>;

export function createAccount(
  client: ClientUnderTest,
  options: AccountOptions = {},
): PlayedAccount {
  const limits: LogLimits = { maximumPushOperations: 100, maximumPullOperations: 500, ...options };
  const log = createPlayedLog(limits);
  const sessions = createSessions(client);
  const changes = createChanges(log.headCursor);
  const toReply = (result: LogResult) => logReply(result, options);
  const end: Route["respond"] = (request) => okReply({ revoked: sessions.end(request) }, options);
  const routes: Routes = {
    ...createPublicRoutes(limits, options),
    "POST /v1/token": {
      members: ["grantType", "code", "codeVerifier", "redirectUri", "attemptId"],
      respond: (_request, body) => sessionReply(sessions.redeem(body), options),
    },
    "POST /v1/refresh": {
      members: ["grantType", "refreshToken"],
      respond: (_request, body) => sessionReply(sessions.refresh(body["refreshToken"]), options),
    },
    "POST /v1/revoke": { isBearer: true, members: ["scope"], respond: end },
    "DELETE /v1/device": { isBearer: true, respond: end },
    "POST /v1/push": {
      isBearer: true,
      members: ["operations"],
      respond: (_request, body) => toReply(log.push(body)),
    },
    "GET /v1/pull": {
      isBearer: true,
      parameters: ["cursor", "limit"],
      respond: (request) => toReply(log.pull(request)),
    },
    ...(options.hasChanges === true && {
      [`GET ${CHANGES}`]: { isBearer: true, respond: () => changes.open },
    }),
  };
  return {
    sessions,
    log: log.operations,
    push(...operations) {
      operations.forEach(log.store);
      changes.tell();
    },
    restore: log.restore,
    rollBack: log.rollBack,
    respond: (request) => respond(routes, sessions, request),
  };
}

/** As strict as the contract: what a route does not take is refused. */
function respond(routes: Routes, sessions: Sessions, request: SeenRequest): Reply {
  const route = routes[`${request.method} ${request.path}`];
  if (route === undefined) return errorReply("not_found");
  const { parameters = [], members, isBearer = false } = route;
  const hasOther = [...request.query.keys()].some((name) => !parameters.includes(name));
  if (hasOther) return errorReply("invalid_request");
  if (isBearer && !sessions.isAccess(request)) return errorReply("invalid_access_token");
  if (members === undefined) return route.respond(request, {});
  const type = request.headers.get("Content-Type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") return errorReply("unsupported_media_type");
  if (Buffer.byteLength(request.body) > MAX_BODY_BYTES) return errorReply("payload_too_large");
  const body = parseJson(request.body);
  if (!isObject(body)) return errorReply("invalid_json");
  const isKnown = Object.keys(body).every((name) => members.includes(name));
  return isKnown ? route.respond(request, body) : errorReply("invalid_request");
}

function createPublicRoutes(limits: LogLimits, options: AccountOptions): Routes {
  const { maximumPushOperations, maximumPullOperations } = limits;
  const capabilities = {
    protocolVersion: 1,
    authentication: { authorizationCode: true, pkceMethods: ["S256"], refreshRotation: true },
    sync: {
      push: true,
      pull: true,
      snapshotRecovery: true,
      maximumPushOperations,
      maximumPullOperations,
      maximumBodyBytes: MAX_BODY_BYTES,
      ...(options.hasChanges === true && { changes: true }),
    },
  };
  const info = { protocolVersion: 1, name: "Ada", baseUrl: BASE_URL, initialized: true };
  return {
    "GET /v1/health": { respond: () => okReply({ status: "ok", version: 1 }, options) },
    "GET /v1/capabilities": { respond: () => okReply(capabilities, options) },
    "GET /v1/instance-info": { respond: () => okReply(info, options) },
    "GET /v1/authorize": {
      parameters: PAGE_PARAMETERS,
      respond: () => ({
        status: 200,
        headers: { "Content-Type": "text/html; charset=utf-8" },
        body: "<!doctype html><title>Sign in</title>",
      }),
    },
  };
}

/** The streams of live changes. */
function createChanges(headCursor: () => string) {
  const streams = new Set<ServerResponse>();
  const send = (stream: ServerResponse) =>
    stream.write(`event: head\ndata: ${JSON.stringify({ cursor: headCursor() })}\n\n`);
  return {
    open(stream: ServerResponse): void {
      stream.writeHead(200, { "Content-Type": "text/event-stream" });
      send(stream);
      streams.add(stream);
      stream.on("close", () => streams.delete(stream));
    },
    tell(): void {
      streams.forEach(send);
    },
  };
}

function okReply(body: Members, { more = {} }: AccountOptions): PlainReply {
  return jsonReply({ ...body, ...more });
}

function sessionReply(result: Members | SyncErrorCode, options: AccountOptions): PlainReply {
  return typeof result === "string" ? errorReply(result) : okReply(result, options);
}

function logReply(result: LogResult, options: AccountOptions): PlainReply {
  if (result.kind === "ok") return okReply(result.body, options);
  const reply = errorReply(result.code);
  if (options.namesRefused !== true || result.operations.length === 0) return reply;
  const named = result.operations.map(({ index, code }) => `${index}=${code}`).join(", ");
  return { ...reply, headers: { ...reply.headers, [REFUSED_HEADER]: named } };
}

export function errorReply(code: SyncErrorCode): PlainReply {
  const { status, message } = SYNC_ERRORS[code];
  return jsonReply({ error: code, message, requestId: "conformance" }, status);
}
