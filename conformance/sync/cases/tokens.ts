import { DAY_MS } from "../../../src/contract/durations.ts";
import {
  ACCESS_LIFETIME_SECONDS,
  REFRESH_ABSOLUTE_SECONDS,
} from "../../../src/contract/sync/values.ts";
import { skipUnless } from "../../case.ts";
import { expectEach, expectHeaderMatch, expectSame, fail, withEachWrong } from "../../expect.ts";
import { createTestDevice, expectSignedIn, expectSignedOut } from "../device.ts";
import { expectCapabilities, expectError, expectErrors, expectTokens } from "../expectations.ts";
import { POST_ROUTES, PROTECTED_PATHS } from "../requests.ts";
import { syncCases } from "../server-under-test.ts";
import { obtainCode } from "../sign-in.ts";

/** Within two seconds a second use counts as a retry of the same client, and revokes nothing. */
const AFTER_RETRIES_MS = 2_500;

export const TOKEN_CASES = syncCases({
  "code-redeems-for-tokens": {
    title: "A code answers exactly the tokens of its device",
    section: "sync contract, POST /v1/token; Trellis decision, sync service: its body",
    async run(server) {
      const deviceId = server.newId("device");
      const tokenRequest = await obtainCode(server, { deviceId });
      const response = await server.post("/v1/token", tokenRequest);
      const tokens = expectTokens(response);
      expectSame(response, "deviceId", tokens.deviceId, deviceId);
      await expectSignedIn(createTestDevice(server.api, tokens));
    },
  },
  "tokens-have-their-form": {
    title:
      "Tokens are opaque with their prefixes, 32 random bytes and a check, and say when they end",
    section: "Trellis decision, sync service: access tokens, refresh tokens",
    async run(server) {
      const tokenRequest = await obtainCode(server);
      const before = Date.now();
      const response = await server.post("/v1/token", tokenRequest);
      const { accessToken, refreshToken, expiresIn, refreshExpiresAt } = expectTokens(response);
      if (!/^trs_at_[A-Za-z0-9_-]{54}$/.test(accessToken)) {
        const expected = "an access token trs_at_, 32 random bytes and 8 of a check in Base64URL";
        fail(response, expected, "another one");
      }
      if (!/^trs_rt_[A-Za-z0-9_-]{43,}$/.test(refreshToken)) {
        const expected = "a refresh token trs_rt_ and at least 32 bytes in Base64URL";
        fail(response, expected, "another one");
      }
      if (expiresIn < 1 || expiresIn > ACCESS_LIFETIME_SECONDS) {
        fail(response, `expiresIn from 1 to ${ACCESS_LIFETIME_SECONDS}`, String(expiresIn));
      }
      const days = (Date.parse(refreshExpiresAt) - before) / DAY_MS;
      if (days > 1 && days <= REFRESH_ABSOLUTE_SECONDS / 86_400 + 1) return;
      const expected = "a refresh token that lives for weeks, at most a year";
      fail(response, expected, refreshExpiresAt);
    },
  },
  "sign-in-names-the-device": {
    title:
      "A token request may name the device; an empty name is invalid_request and leaves the code",
    section: "Trellis decision, sync service: displayName",
    async run(server) {
      const { authentication } = expectCapabilities(await server.api.get("/v1/capabilities"));
      skipUnless(
        authentication.displayName === true,
        "The capabilities do not announce names of devices (displayName): the owner sees ids",
      );
      const tokenRequest = await obtainCode(server);
      for (const displayName of ["", "x".repeat(61), 9]) {
        const response = await server.post("/v1/token", { ...tokenRequest, displayName });
        expectError(response, "invalid_request");
      }
      const named = { ...tokenRequest, displayName: "Ada's phone 📱" };
      expectTokens(await server.post("/v1/token", named));
    },
  },
  "code-works-once": {
    title: "A code that was redeemed is invalid_grant from then on",
    section: "sync contract, States and transitions 1",
    async run(server) {
      const tokenRequest = await obtainCode(server);
      expectTokens(await server.post("/v1/token", tokenRequest));
      expectError(await server.post("/v1/token", tokenRequest), "invalid_grant");
    },
  },
  "wrong-redemptions-burn-the-code": {
    title: "A wrong verifier, redirect URI or attempt burns the code before it is noticed",
    section: "sync contract, POST /v1/token: burns the code first",
    async run(server) {
      const changes = [
        { codeVerifier: "another-verifier-of-at-least-forty-three-characters" },
        { codeVerifier: "short" },
        { redirectUri: "https://elsewhere.example/callback" },
        { attemptId: "another-attempt" },
      ];
      await expectEach(changes, async (change) => {
        const tokenRequest = await obtainCode(server);
        const wrong = await server.post("/v1/token", { ...tokenRequest, ...change });
        expectError(wrong, "invalid_grant");
        expectError(await server.post("/v1/token", tokenRequest), "invalid_grant");
      });
    },
  },
  "later-use-of-a-code-revokes-its-session": {
    title: "A code that is used again later ends the session that it opened",
    section: "Trellis decision, sync service: codes, a second use",
    async run(server) {
      const tokenRequest = await obtainCode(server);
      const tokens = expectTokens(await server.post("/v1/token", tokenRequest));
      const device = createTestDevice(server.api, tokens);
      await expectSignedIn(device);
      await new Promise((resolve) => setTimeout(resolve, AFTER_RETRIES_MS));
      expectError(await server.post("/v1/token", tokenRequest), "invalid_grant");
      await expectSignedOut(device, server.api);
    },
  },
  "parallel-redemption-has-one-winner": {
    title: "Of parallel redemptions exactly one gets tokens, and the others do not end its session",
    section:
      "sync contract, States and transitions 1: atomically; Trellis decision, sync service: parallel redemption",
    async run(server) {
      const tokenRequest = await obtainCode(server);
      const responses = await Promise.all(
        Array.from({ length: 8 }, () => server.post("/v1/token", tokenRequest)),
      );
      const winners = responses.filter(({ status }) => status === 200);
      const [winner] = winners;
      if (winner === undefined || winners.length > 1) {
        fail("POST /v1/token, eight at once", "one winner", `${winners.length}`);
      }
      await expectEach(responses, (response) => {
        if (response !== winner) expectError(response, "invalid_grant");
      });
      await expectSignedIn(createTestDevice(server.api, expectTokens(winner)));
    },
  },
  "mistyped-redemptions-burn-nothing": {
    title:
      "A token request with wrong types, missing or unknown members is invalid_request and leaves the code",
    section: "Trellis decision, sync service: a token request burns nothing",
    async run(server) {
      const tokenRequest = await obtainCode(server);
      const wrong = withEachWrong(
        { ...tokenRequest },
        {
          attemptId: [undefined],
          grantType: [undefined],
          codeVerifier: [1],
          code: [[tokenRequest.code]],
          redirectUri: [null],
          extra: [1],
        },
      );
      await expectErrors("invalid_request", wrong, (body) => server.post("/v1/token", body));
      expectTokens(await server.post("/v1/token", tokenRequest));
    },
  },
  "unknown-codes-are-invalid-grant": {
    title: "A code that never was is invalid_grant",
    section: "Trellis decision, sync service: invalid_grant",
    async run(server) {
      const tokenRequest = await obtainCode(server);
      const codes = ["", "none", "A".repeat(54), `${tokenRequest.code}A`, "\u0000"];
      await expectErrors("invalid_grant", codes, (code) =>
        server.post("/v1/token", { ...tokenRequest, code }),
      );
    },
  },
  "grant-types-are-checked": {
    title:
      "Another grant type is unsupported_grant_type at both token routes, a missing one invalid_request",
    section: "Trellis decision, sync service: grantType",
    async run(server) {
      const code = "none";
      const token = { code, codeVerifier: "none", redirectUri: "none", attemptId: "none" };
      const refresh = { refreshToken: "none" };
      const tokenTypes = ["password", "refresh_token", "", "AUTHORIZATION_CODE"];
      await expectErrors("unsupported_grant_type", tokenTypes, (grantType) =>
        server.post("/v1/token", { ...token, grantType }),
      );
      const refreshTypes = ["authorization_code", "", "refresh-token"];
      await expectErrors("unsupported_grant_type", refreshTypes, (grantType) =>
        server.post("/v1/refresh", { ...refresh, grantType }),
      );
      expectError(await server.post("/v1/token", token), "invalid_request");
      expectError(await server.post("/v1/refresh", refresh), "invalid_request");
    },
  },
  "protected-routes-need-a-token": {
    title: "Without a live access token a protected route is 401 with WWW-Authenticate: Bearer",
    section:
      "sync contract, Authentication 5; Trellis decision, sync service: invalid_access_token",
    async run(server) {
      const { api } = server;
      const device = await server.device();
      const { accessToken, refreshToken } = device.tokens;
      const headers = [
        {},
        { Authorization: "" },
        { Authorization: "Bearer" },
        { Authorization: accessToken },
        { Authorization: `Basic ${accessToken}` },
        { Authorization: `Bearer ${refreshToken}` },
        { Authorization: `Bearer ${accessToken}x` },
        { Authorization: `Bearer ${accessToken.slice(0, -1)}` },
        { Authorization: `Bearer trs_at_${"A".repeat(54)}` },
        { Cookie: `access_token=${accessToken}` },
      ];
      const requests = [
        ...headers.map((header) => () => api.get("/v1/device", header)),
        ...PROTECTED_PATHS.map((path) => () => api.get(path)),
        ...POST_ROUTES.filter(({ isProtected }) => isProtected).map(
          (route) => () => server.post(route.path, route.sampleBody),
        ),
        () => api.send("DELETE", "/v1/device"),
      ];
      await expectEach(requests, async (send) => {
        const response = await send();
        expectError(response, "invalid_access_token");
        expectHeaderMatch(response, "WWW-Authenticate", /^Bearer\b/, "Bearer");
      });
    },
  },
  "tokens-are-not-taken-from-the-query": {
    title: "A token in the query is a parameter that no route takes",
    section: "sync contract, Authentication 5: bearer; General request rules 2",
    async run(server) {
      const { accessToken } = (await server.device()).tokens;
      const path = `/v1/device?access_token=${accessToken}`;
      expectError(await server.api.get(path), "invalid_request");
    },
  },
});
