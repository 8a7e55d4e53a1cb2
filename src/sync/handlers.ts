import { createChecker } from "../contract/check.ts";
import {
  CODE_CHALLENGE_PATTERN,
  ID_PATTERN,
  KNOWN_BROWSER_HEADER,
  STATE_PATTERN,
} from "../contract/identity.ts";
import type { SYNC_ROUTES } from "../contract/sync/routes.ts";
import { Attempt } from "../contract/sync/schemas.ts";
import {
  DEFAULT_PULL_LIMIT,
  MAX_STREAMS_PER_DEVICE,
  MAX_STREAMS_PER_INSTANCE,
  PROTOCOL_VERSION,
  type SyncLimits,
} from "../contract/sync/values.ts";
import type { Handlers } from "../http/create-http-service.ts";
import { EVENT_STREAM_HEADERS } from "../http/event-stream.ts";
import { STORAGE_UNAVAILABLE, type HttpError } from "../http/http-error.ts";
import { isOpenedElsewhere } from "../http/opened-elsewhere.ts";
import type { RequestContext } from "../http/request.ts";
import { jsonResponse, type HttpResponse } from "../http/response.ts";
import type { StoredServiceNotice } from "../http/stored-service.ts";
import type { SecurityLog } from "../identity/security-log.ts";
import { parseUsername } from "../rules/identity/grammar.ts";
import { refreshExpiry, type Authentication } from "./authentication.ts";
import { errorResponse, toErrorResponse } from "./error-response.ts";
import type { LiveChanges } from "./live-changes.ts";
import type { LoginPages } from "./login-pages.ts";
import { noteLostCursor } from "./note-put-back.ts";
import { tooManyDevicesResponse } from "./quota.ts";
import { pullResponse } from "./pull.ts";
import type { PushHandler } from "./push.ts";
import type { RedirectAllowlist } from "./redirect-allowlist.ts";
import { signInOrigin } from "./sign-in-origin.ts";
import { snapshotBody } from "./snapshot.ts";
import type { AccessGrant, SyncRecords, SyncStore } from "./store.ts";
import type { SyncObserver } from "./sync-observer.ts";

export interface SyncHandlerSettings {
  readonly store: SyncStore;
  readonly authentication: Authentication;
  readonly security: SecurityLog<SyncRecords>;
  readonly baseUrl: string;
  readonly displayName: string;
  readonly redirects: RedirectAllowlist;
  /** In lower case. */
  readonly csrfHeader: string;
  readonly limits: SyncLimits;
  readonly pages: LoginPages;
  readonly push: PushHandler;
  readonly changes: LiveChanges;
  readonly observer?: SyncObserver | undefined;
  onNotice(notice: StoredServiceNotice): void;
}

export function createSyncHandlers(
  settings: SyncHandlerSettings,
): Handlers<typeof SYNC_ROUTES, AccessGrant> {
  const { store, authentication, limits, onNotice } = settings;
  const { origin } = new URL(settings.baseUrl);
  const { maxPullOperations: maxPull } = limits;
  const isAttempt = createChecker(Attempt).is;
  const capabilities = describeCapabilities(limits);

  return {
    async getHealth() {
      await store.ping();
      return json({ status: "ok", version: PROTOCOL_VERSION });
    },
    getCapabilities: () => capabilities,
    getInstanceInfo: async () =>
      json({
        protocolVersion: PROTOCOL_VERSION,
        name: settings.displayName,
        baseUrl: settings.baseUrl,
        initialized: await authentication.isInitialized(),
      }),

    getAuthorizePage(query, context) {
      const { requestId } = context;
      const redirect = settings.redirects.find(query.redirect_uri);
      if (redirect === undefined) {
        onNotice({ kind: "redirect-not-listed", requestId, clientId: null });
        return UNLISTED_REDIRECT;
      }
      if (isOpenedElsewhere(context, origin)) onNotice({ kind: "opened-elsewhere", requestId });
      return settings.pages.login(query, redirect, context);
    },

    async authorize(_input, context) {
      const { requestId, content } = context;
      const body = content.value;
      if (!isSameSite(context) || context.header(settings.csrfHeader) !== body.csrf) {
        return errorResponse("csrf_failed", requestId);
      }
      if (body.action === "begin") {
        const { attempt } = body;
        if (!isAttempt(attempt)) return errorResponse("invalid_authorization_request", requestId);
        if (attempt.state !== body.csrf) return errorResponse("csrf_failed", requestId);
        const checked = checkAttempt(attempt);
        if (checked === null) return errorResponse("invalid_authorization_request", requestId);
        if (settings.redirects.find(checked.redirectUri) === undefined) {
          onNotice({ kind: "redirect-not-listed", requestId, clientId: null });
          return toErrorResponse(UNLISTED_REDIRECT, requestId);
        }
        const begun = await authentication.begin(checked, signInOrigin(context));
        if (begun.kind === "throttled") return throttled(begun.retryAfterSeconds, requestId);
        const { expiresAt, ...challenge } = begun.challenge;
        return json({ ...challenge, expiresAt: new Date(expiresAt).toISOString() });
      }
      const result = await authentication.complete(body, signInOrigin(context));
      switch (result.kind) {
        case "proved": {
          const { code, redirectUri, serverSignature, knownBrowser } = result;
          const completed = { code, state: body.csrf, redirectUri, serverSignature };
          return jsonResponse(200, JSON.stringify(completed), {
            [KNOWN_BROWSER_HEADER]: knownBrowser,
          });
        }
        case "failed":
          return errorResponse("authentication_failed", requestId);
        case "throttled":
          return throttled(result.retryAfterSeconds, requestId);
      }
    },

    async redeemCode(_input, context) {
      const { content, requestId } = context;
      if (content.value.grantType !== "authorization_code") {
        return errorResponse("unsupported_grant_type", requestId);
      }
      const result = await authentication.redeem(content.value, context.clientAddress());
      switch (result.kind) {
        case "redeemed":
          return json(result.tokens);
        case "refused":
          return errorResponse("invalid_grant", requestId);
        case "too-many-devices":
          return tooManyDevicesResponse(result.maxDevices, requestId);
      }
    },

    async refresh(_input, context) {
      const { content, requestId } = context;
      const { grantType, refreshToken } = content.value;
      if (grantType !== "refresh_token") return errorResponse("unsupported_grant_type", requestId);
      const tokens = await authentication.refresh(refreshToken, context.clientAddress());
      return tokens === null ? errorResponse("invalid_refresh_token", requestId) : json(tokens);
    },

    async revoke(_input, context) {
      const address = context.clientAddress();
      return json({
        revoked:
          context.content.value.scope === "all"
            ? await authentication.revokeAll(address)
            : await authentication.revokeDevice(context.principal.session, address),
      });
    },

    push: (_input, { content, requestId }) => settings.push.handle(content.bytes, requestId),

    pull({ cursor, limit = Math.min(DEFAULT_PULL_LIMIT, maxPull) }, context) {
      const { requestId } = context;
      return limit > maxPull
        ? errorResponse("invalid_request", requestId)
        : pullResponse(store.operations, cursor, limit, requestId, {
            onLostHistory: ({ mark }) =>
              settings.security
                .transaction((records, note) =>
                  noteLostCursor(records, mark, context.clientAddress(), note),
                )
                // The response to the device does not depend on it, and its next pull notes it.
                .catch(() => {}),
            onPage: ({ texts, lastOffset }, recoveryReason) =>
              settings.observer?.pulled({
                family: context.principal.session.family,
                operations: texts.length,
                offset: lastOffset,
                recoveryReason,
              }),
          });
    },

    getSnapshot: async () => ({
      status: 200,
      headers: { "Content-Type": "application/json; charset=utf-8" },
      body: await snapshotBody(store.operations),
    }),

    async getChanges(_input, { method, principal, requestId }) {
      // The response to HEAD has the headers alone: it opens no stream.
      if (method === "HEAD") return { status: 200, headers: EVENT_STREAM_HEADERS, body: null };
      const result = await settings.changes.open(principal.session);
      switch (result.kind) {
        case "opened":
          return { status: 200, headers: EVENT_STREAM_HEADERS, body: result.body, isLive: true };
        case "limited":
          return tooManyStreams(result.retryAfterSeconds, requestId);
        case "signed-out":
          return { kind: "unauthenticated" };
        case "closed":
          return STORAGE_UNAVAILABLE;
      }
    },

    getDevice: (_input, { principal: { session, accessExpiresAt } }) =>
      json({
        deviceId: session.deviceId,
        accessExpiresAt: Math.floor(accessExpiresAt / 1000),
        createdAt: new Date(session.createdAt).toISOString(),
        lastUsedAt: new Date(session.lastUsedAt).toISOString(),
        refreshExpiresAt: new Date(refreshExpiry(session)).toISOString(),
      }),

    revokeDevice: async (_input, context) => {
      await authentication.revokeDevice(context.principal.session, context.clientAddress());
      return json({ revoked: 1 });
    },
  };
}

const UNLISTED_REDIRECT: HttpError = {
  kind: "invalid-parameter",
  name: "redirect_uri",
  code: "invalid_authorization_request",
  reason: "not-listed",
};

function json(value: unknown): HttpResponse {
  return jsonResponse(200, JSON.stringify(value));
}

function describeCapabilities(limits: SyncLimits): HttpResponse {
  return json({
    protocolVersion: PROTOCOL_VERSION,
    authentication: { authorizationCode: true, pkceMethods: ["S256"], refreshRotation: true },
    sync: {
      push: true,
      pull: true,
      snapshotRecovery: true,
      maximumPushOperations: limits.maxPushOperations,
      maximumPullOperations: limits.maxPullOperations,
      maximumBodyBytes: limits.maxBodyBytes,
      changes: true,
    },
  });
}

/** Sync contract, Authentication 4. For browsers without Fetch Metadata there is the CSRF header. */
function isSameSite(context: Pick<RequestContext, "header">): boolean {
  return context.header("sec-fetch-site") !== "cross-site";
}

function throttled(retryAfterSeconds: number, requestId: string): HttpResponse {
  return toErrorResponse({ kind: "rate-limited", retryAfterSeconds }, requestId);
}

function tooManyStreams(retryAfterSeconds: number, requestId: string): HttpResponse {
  return errorResponse("rate_limited", requestId, {
    message: `There are too many open streams: a device may have ${MAX_STREAMS_PER_DEVICE}, all devices ${MAX_STREAMS_PER_INSTANCE}; close one, or pull now and then`,
    headers: { "Retry-After": String(retryAfterSeconds) },
  });
}

const STATE = new RegExp(STATE_PATTERN);
const ID = new RegExp(ID_PATTERN);
const CODE_CHALLENGE = new RegExp(CODE_CHALLENGE_PATTERN);

/** The attempt with its user name in canonical form, or null when a member is invalid. */
function checkAttempt(attempt: Attempt): Attempt | null {
  const username = parseUsername(attempt.username);
  const isValid =
    STATE.test(attempt.state) &&
    CODE_CHALLENGE.test(attempt.codeChallenge) &&
    ID.test(attempt.attemptId) &&
    ID.test(attempt.deviceId);
  return isValid && username !== null ? { ...attempt, username } : null;
}
