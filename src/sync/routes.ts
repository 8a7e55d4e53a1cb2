import type { SYNC_ROUTES } from "../contract/sync/routes.ts";
import {
  DEFAULT_PULL_LIMIT,
  MAX_STREAMS_PER_DEVICE,
  MAX_STREAMS_PER_INSTANCE,
  type SyncLimits,
} from "../contract/sync/values.ts";
import type { Handlers } from "../http/create-http-service.ts";
import { EVENT_STREAM_HEADERS } from "../http/event-stream.ts";
import { STORAGE_UNAVAILABLE } from "../http/http-error.ts";
import type { HttpResponse } from "../http/response.ts";
import type { StoredServiceNotice } from "../http/stored-service.ts";
import type { SecurityLog } from "../identity/security-log.ts";
import type { CreateServerProof } from "../identity/server-proof.ts";
import { createAuthorizeHandlers, type AuthorizeSettings } from "./sign-in/authorize.ts";
import { type DeviceTokens, refreshExpiry } from "./devices/device-tokens.ts";
import { errorResponse } from "./responses/error-response.ts";
import type { LiveChanges } from "./changes/live-changes.ts";
import { noteLostCursor } from "./devices/note-rollback.ts";
import { createPublicHandlers, json } from "./responses/public-handlers.ts";
import { tooManyDevicesResponse, type TooManyDevicesNotice } from "./log/quota.ts";
import { pullResponse } from "./log/pull.ts";
import type { PushHandler } from "./log/push.ts";
import { snapshotBody } from "./log/snapshot.ts";
import type { AccessGrant, SyncRecords, SyncStore } from "./store.ts";
import type { SyncObserver } from "./log/sync-observer.ts";

export interface SyncHandlerSettings extends AuthorizeSettings {
  readonly store: SyncStore;
  readonly tokens: DeviceTokens;
  readonly security: SecurityLog<SyncRecords>;
  readonly prove: CreateServerProof;
  readonly displayName: string;
  readonly limits: SyncLimits;
  readonly push: PushHandler;
  readonly changes: LiveChanges;
  readonly observer?: SyncObserver | undefined;
  onNotice(notice: StoredServiceNotice | TooManyDevicesNotice): void;
}

export function createSyncHandlers(
  settings: SyncHandlerSettings,
): Handlers<typeof SYNC_ROUTES, AccessGrant> {
  const { store, tokens, limits } = settings;
  const { maxPullOperations: maxPull } = limits;

  return {
    ...createPublicHandlers({
      ...settings,
      ping: () => store.ping(),
      isInitialized: () => settings.signIn.isInitialized(),
    }),

    ...createAuthorizeHandlers(settings),

    async redeemCode(_input, context) {
      const { content, requestId } = context;
      if (content.value.grantType !== "authorization_code") {
        return errorResponse("unsupported_grant_type", requestId);
      }
      const result = await tokens.redeem(content.value, context.clientAddress());
      switch (result.kind) {
        case "redeemed":
          return json(result.tokens);
        case "refused":
          return errorResponse("invalid_grant", requestId);
        case "too-many-devices":
          settings.onNotice({ ...result, requestId });
          return tooManyDevicesResponse(result.maxDevices, requestId);
      }
    },

    async refresh(_input, context) {
      const { content, requestId } = context;
      const { grantType, refreshToken } = content.value;
      if (grantType !== "refresh_token") return errorResponse("unsupported_grant_type", requestId);
      const renewed = await tokens.refresh(refreshToken, context.clientAddress());
      return renewed === null ? errorResponse("invalid_refresh_token", requestId) : json(renewed);
    },

    async revoke(_input, context) {
      const address = context.clientAddress();
      return json({
        revoked:
          context.content.value.scope === "all"
            ? await tokens.revokeAll(address)
            : await tokens.revokeDevice(context.principal.session, address),
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
                // The response does not depend on the note, which the next pull of the device makes again.
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
      await tokens.revokeDevice(context.principal.session, context.clientAddress());
      return json({ revoked: 1 });
    },
  };
}

function tooManyStreams(retryAfterSeconds: number, requestId: string): HttpResponse {
  return errorResponse("rate_limited", requestId, {
    message: `There are too many open streams: a device may have ${MAX_STREAMS_PER_DEVICE}, all devices ${MAX_STREAMS_PER_INSTANCE}; close one, or pull now and then`,
    headers: { "Retry-After": String(retryAfterSeconds) },
  });
}
