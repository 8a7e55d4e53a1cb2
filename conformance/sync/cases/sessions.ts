import type { TokenResponse } from "../../../src/contract/sync/schemas.ts";
import { ACCESS_LIFETIME_SECONDS } from "../../../src/contract/sync/values.ts";
import { expectEach, expectSame, fail, withEachWrong } from "../../expect.ts";
import { createTestDevice, expectSignedIn, expectSignedOut } from "../device.ts";
import {
  expectDevice,
  expectError,
  expectErrors,
  expectRevoked,
  expectTokens,
} from "../expectations.ts";
import { syncCases, type SyncServerUnderTest } from "../server-under-test.ts";
import { postRefresh } from "../sign-in.ts";

export const SESSION_CASES = syncCases({
  "refresh-rotates": {
    title: "A refresh answers exactly new tokens of the same device, and both work",
    section: "sync contract, POST /v1/refresh; States and transitions 2",
    async run(server) {
      const device = await server.signIn();
      const response = await postRefresh(server, device.tokens.refreshToken);
      const tokens = expectTokens(response);
      expectSame(response, "deviceId", tokens.deviceId, device.deviceId);
      if (tokens.refreshToken === device.tokens.refreshToken) {
        fail(response, "another refresh token", "the same");
      }
      if (tokens.accessToken === device.tokens.accessToken) {
        fail(response, "another access token", "the same");
      }
      await expectSignedIn(createTestDevice(server.api, tokens));
      expectTokens(await postRefresh(server, tokens.refreshToken));
    },
  },
  "refresh-retry-gets-the-same-successor": {
    title:
      "A refresh that is repeated because its answer was lost gets the very same refresh token, and it works",
    section: "Trellis decision, sync service: refresh tokens, a lost response",
    async run(server) {
      const device = await server.signIn();
      const { refreshToken } = device.tokens;
      const first = await refresh(server, refreshToken);
      const response = await postRefresh(server, refreshToken);
      const retried = expectTokens(response);
      const isSame = retried.refreshToken === first.refreshToken;
      expectSame(response, "whether the successor is the same", isSame, true);
      await expectSignedIn(createTestDevice(server.api, retried));
      await expectSignedIn(createTestDevice(server.api, await refresh(server, first.refreshToken)));
    },
  },
  "refresh-replay-revokes-the-device": {
    title: "A refresh token whose successor was used ends the device's session when it comes again",
    section: "Trellis decision, sync service: any other reuse revokes the device",
    async run(server) {
      const device = await server.signIn();
      const other = await server.signIn();
      const second = await refresh(server, device.tokens.refreshToken);
      const third = await refresh(server, second.refreshToken);
      expectError(await postRefresh(server, device.tokens.refreshToken), "invalid_refresh_token");
      await expectSignedOut(createTestDevice(server.api, third), server.api);
      expectError(await device.get("/v1/device"), "invalid_access_token");
      await expectSignedIn(other);
    },
  },
  "wrong-refresh-tokens-revoke-nothing": {
    title: "A refresh token that never was is invalid_refresh_token, and nobody is signed out",
    section: "Trellis decision, sync service: invalid_refresh_token",
    async run(server) {
      const device = await server.signIn();
      const { refreshToken, accessToken } = device.tokens;
      const middle = Math.floor(refreshToken.length / 2);
      const changed = refreshToken[middle] === "A" ? "B" : "A";
      const wrong = [
        "",
        "none",
        accessToken,
        `${refreshToken}A`,
        refreshToken.slice(0, -4),
        refreshToken.slice(0, middle) + changed + refreshToken.slice(middle + 1),
        `trs_rt_${"A".repeat(91)}`,
      ];
      const messages = new Set<string>();
      await expectEach(wrong, async (token) => {
        const error = expectError(await postRefresh(server, token), "invalid_refresh_token");
        messages.add(error.message);
      });
      expectSame("POST /v1/refresh with wrong tokens", "number of messages", messages.size, 1);
      await expectSignedIn(device);
      await refresh(server, refreshToken);
    },
  },
  "device-describes-itself": {
    title: "GET /v1/device answers exactly the device and its times",
    section: "sync contract, GET /v1/device; Trellis decision, sync service: its body",
    async run(server) {
      const device = await server.device();
      const response = await device.get("/v1/device");
      const { deviceId, accessExpiresAt, ...times } = expectDevice(response);
      expectSame(response, "deviceId", deviceId, device.deviceId);
      const refreshExpiresAt = Date.parse(device.tokens.refreshExpiresAt);
      expectSame(
        response,
        "refreshExpiresAt",
        Date.parse(times.refreshExpiresAt),
        refreshExpiresAt,
      );
      const createdAt = Date.parse(times.createdAt);
      if (Date.parse(times.lastUsedAt) < createdAt) {
        fail(response, "a use after the sign-in", times.lastUsedAt);
      }
      // The shared device signed in minutes ago at most, and its token lives for five.
      const lifetime = accessExpiresAt - createdAt / 1000;
      if (lifetime > 0 && lifetime <= 2 * ACCESS_LIFETIME_SECONDS) return;
      const expected = "accessExpiresAt in Unix seconds, minutes away";
      fail(response, expected, String(accessExpiresAt));
    },
  },
  "revoke-ends-this-device": {
    title: "POST /v1/revoke ends the device's session at once, and no other",
    section:
      "sync contract, POST /v1/revoke; Trellis decision, sync service: revocation is immediate",
    async run(server) {
      const other = await server.signIn();
      await expectEach([{ scope: "device" }, {}], async (body) => {
        const device = await server.signIn();
        const response = await device.post("/v1/revoke", body);
        expectSame(response, "revoked", expectRevoked(response).revoked, 1);
        await expectSignedOut(device, server.api);
      });
      await expectSignedIn(other);
    },
  },
  "revoke-takes-device-or-all": {
    title: "Any other scope is invalid_request and ends nothing",
    section: "Trellis decision, sync service: POST /v1/revoke",
    async run(server) {
      const device = await server.signIn();
      const wrong = withEachWrong({}, { scope: ["none", "ALL", ["all"], null, true], all: [true] });
      await expectErrors("invalid_request", wrong, (body) => device.post("/v1/revoke", body));
      await expectSignedIn(device);
    },
  },
  "delete-device-revokes-it": {
    title: "DELETE /v1/device ends the device's session at once, and no other",
    section: "sync contract, DELETE /v1/device",
    async run(server) {
      const [device, other] = [await server.signIn(), await server.signIn()];
      const response = await server.api.send("DELETE", "/v1/device", device.bearer);
      expectSame(response, "revoked", expectRevoked(response).revoked, 1);
      await expectSignedOut(device, server.api);
      await expectSignedIn(other);
    },
  },
  "revocation-ends-every-access-token": {
    title: "Access tokens from before a refresh end with the device too",
    section: "Trellis decision, sync service: revocation is immediate",
    async run(server) {
      const device = await server.signIn();
      const tokens = await refresh(server, device.tokens.refreshToken);
      const renewed = createTestDevice(server.api, tokens);
      expectRevoked(await renewed.post("/v1/revoke", { scope: "device" }));
      expectError(await renewed.get("/v1/device"), "invalid_access_token");
      expectError(await device.get("/v1/device"), "invalid_access_token");
      expectError(await device.get("/v1/pull"), "invalid_access_token");
    },
  },
  "one-session-per-device-id": {
    title: "A new sign-in of a device ends its old session",
    section: "Trellis decision, sync service: one live session per deviceId",
    async run(server) {
      const old = await server.signIn();
      const device = await server.signIn(old.deviceId);
      await expectSignedOut(old, server.api);
      await expectSignedIn(device);
    },
  },
});

async function refresh(server: SyncServerUnderTest, refreshToken: string): Promise<TokenResponse> {
  return expectTokens(await postRefresh(server, refreshToken));
}
