/** Devices: their tokens, and who a request with one comes from. */
import type { SYNC_ROUTES } from "../../contract/sync/routes.ts";
import type { Handlers } from "../../http/create-http-service.ts";
import { errorResponse } from "../responses/error-response.ts";
import { json } from "../responses/public-handlers.ts";
import { tooManyDevicesResponse } from "../log/quota.ts";
import type { SyncDependencies } from "../setup/dependencies.ts";
import type { AccessGrant } from "../store.ts";
import { createAccessTokens, createAuthentication } from "./access-tokens.ts";
import { createDeviceTokens, type DeviceTokens } from "./device-tokens.ts";
import { refreshExpiry } from "./session-tokens.ts";

export function createDevices(dependencies: SyncDependencies) {
  const { store, instanceKey, now } = dependencies;
  const accessTokens = createAccessTokens(instanceKey);
  const tokens = createDeviceTokens(dependencies, accessTokens);
  return {
    tokens,
    authenticate: createAuthentication(store, accessTokens, now),
    handlers: createDeviceHandlers(tokens, dependencies),
  };
}

type DeviceRoute = "redeemCode" | "refresh" | "revoke" | "getDevice" | "revokeDevice";

function createDeviceHandlers(
  tokens: DeviceTokens,
  { onNotice }: SyncDependencies,
): Pick<Handlers<typeof SYNC_ROUTES, AccessGrant>, DeviceRoute> {
  return {
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
          onNotice({ ...result, requestId });
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
