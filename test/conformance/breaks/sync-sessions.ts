import type { TokenResponse } from "../../../src/contract/sync/schemas.ts";
import type { AccessGrant } from "../../../src/sync/store.ts";
import {
  changeResponse,
  editBody,
  pathOf,
  withoutHeader,
  changeOk,
  readResponseBody,
  withRequestHeader,
  withText,
  type Body,
  toBreaks,
} from "./break.ts";
import {
  changeBody,
  changeRecords,
  errorLike,
  handlePost,
  okLike,
  type SyncBreak,
} from "./sync-break.ts";

export const SYNC_BREAKS_OF_SESSIONS = toBreaks<SyncBreak>({
  "code-redeems-for-tokens": {
    "names another device with its tokens": changeOk<Body>("/v1/token", (tokens) => ({
      ...tokens,
      deviceId: "another",
    })),
  },
  "code-redeems-for-tokens, refresh-rotates": {
    "sends tokens in the words of OAuth": changeResponse(
      ({ status }, request) => status === 200 && /token|refresh/.test(pathOf(request)),
      (response) =>
        editBody<Body>(response, ({ accessToken, ...rest }) => ({
          ...rest,
          access_token: accessToken,
        })),
    ),
  },
  "sign-in-names-the-device": {
    "refuses the name of a device that it announces to take": handlePost("/v1/token", (body, ask) =>
      ask("displayName" in body ? { ...body, displayName: "" } : body),
    ),
  },
  "tokens-have-their-form": {
    "has tokens without a prefix": changeOk<TokenResponse>("/v1/token", (tokens) => ({
      ...tokens,
      accessToken: tokens.accessToken.replace("trs_at_", ""),
    })),
    "has access tokens that live for a day": changeOk<TokenResponse>("/v1/token", (tokens) => ({
      ...tokens,
      expiresIn: 86_400,
    })),
  },
  "protected-routes-need-a-token": {
    "does not say how to authenticate": changeResponse(
      ({ status }) => status === 401,
      (response) => withoutHeader(response, "WWW-Authenticate"),
    ),
    "takes a token by any scheme": (request, { real }) => {
      const given = request.header("authorization");
      const token = given?.replace(/^.* /, "") ?? "";
      return real(
        given === null ? request : withRequestHeader(request, "authorization", `Bearer ${token}`),
      );
    },
    "takes a token from a cookie": (request, { real }) => {
      const token = /access_token=(\S+)/.exec(request.header("cookie") ?? "")?.[1];
      return real(
        token === undefined
          ? request
          : withRequestHeader(request, "authorization", `Bearer ${token}`),
      );
    },
  },
  "refresh-rotates": {
    "sends the refresh token that it was given": handlePost("/v1/refresh", async (body, ask) => {
      const response = await ask(body);
      return response.status === 200
        ? editBody<Body>(response, (tokens) => ({ ...tokens, refreshToken: body["refreshToken"] }))
        : response;
    }),
  },
  "refresh-retry-gets-the-same-successor": {
    "signs out a device whose response was lost": {
      createResponder: () => {
        const used = new Set<unknown>();
        return handlePost("/v1/refresh", async (body, ask) => {
          const { refreshToken } = body;
          if (used.has(refreshToken)) return ask({ ...body, refreshToken: "none" });
          used.add(refreshToken);
          return ask(body);
        });
      },
    },
  },
  "refresh-replay-revokes-the-device": {
    "shrugs at a refresh token that is used again": {
      createResponder: () => {
        const used = new Map<unknown, number>();
        let count = 0;
        return handlePost("/v1/refresh", async (body, ask) => {
          const at = used.get(body["refreshToken"]);
          // After a later refresh it is no retry any more.
          if (at !== undefined && at < count) return ask({ ...body, refreshToken: "none" });
          used.set(body["refreshToken"], ++count);
          return ask(body);
        });
      },
    },
  },
  "refresh-replay-revokes-the-device, later-use-of-a-code-revokes-its-session, revoke-ends-this-device, delete-device-revokes-it, revocation-ends-every-access-token":
    {
      "does not revoke": changeRecords("sessions", () => ({ revokeFamily: async () => true })),
    },
  "revoke-ends-this-device, delete-device-revokes-it, revocation-ends-every-access-token, one-session-per-device-id, revoke-all-ends-every-device":
    {
      "takes an access token after its device was revoked": {
        store: (real) => {
          const grants = new Map<string, AccessGrant>();
          return {
            ...real,
            async findAccess(hash, now) {
              const found = grants.get(hash) ?? (await real.findAccess(hash, now));
              if (found !== null) grants.set(hash, found);
              return found;
            },
            // The cache knows a token from the moment that it is made.
            transaction: (work) =>
              real.transaction((records) =>
                work({
                  ...records,
                  sessions: {
                    ...records.sessions,
                    async addAccess(family, access) {
                      await records.sessions.addAccess(family, access);
                      const session = await records.sessions.find(family);
                      if (session === null) return;
                      grants.set(access.hash, { session, accessExpiresAt: access.expiresAt });
                    },
                  },
                }),
              ),
          };
        },
      },
    },
  "wrong-refresh-tokens-revoke-nothing": {
    "signs a device out after a guessed refresh token": {
      createResponder: () => {
        const accessByStart = new Map<string, string>();
        const startOf = (token: unknown) => String(token).slice(0, 24);
        return async (request, context) => {
          if (pathOf(request) === "/v1/token") {
            const response = await context.real(request);
            if (response.status !== 200) return response;
            const tokens = JSON.parse(await readResponseBody(response)) as TokenResponse;
            accessByStart.set(startOf(tokens.refreshToken), tokens.accessToken);
            return response;
          }
          return handlePost("/v1/refresh", async (body, ask, sent, real) => {
            const response = await ask(body);
            const access = accessByStart.get(startOf(body["refreshToken"]));
            if (response.status !== 401 || access === undefined) return response;
            const request = { ...sent, method: "DELETE", target: "/v1/device" };
            await real(
              withRequestHeader(withText(request, ""), "authorization", `Bearer ${access}`),
            );
            return response;
          })(request, context);
        };
      },
    },
    "tells why a refresh token is wrong": handlePost("/v1/refresh", async (body, ask) => {
      const response = await ask(body);
      return response.status === 401 && body["refreshToken"] === ""
        ? errorLike(response, "invalid_refresh_token", { message: "It is empty" })
        : response;
    }),
  },
  "device-describes-itself": {
    "counts the expiry in milliseconds": changeOk<Body>("/v1/device", (body) => ({
      ...body,
      accessExpiresAt: Number(body["accessExpiresAt"]) * 1000,
    })),
    "tells a device its address": changeOk<Body>("/v1/device", (body) => ({
      ...body,
      address: "127.0.0.1",
    })),
  },
  "revoke-ends-this-device": {
    "revokes every device when asked for one": changeBody("/v1/revoke", () => ({ scope: "all" })),
  },
  "revoke-all-ends-every-device": {
    "revokes one device when asked for all": changeBody("/v1/revoke", (body) =>
      body["scope"] === "all" ? { scope: "device" } : body,
    ),
  },
  "revoke-takes-device-or-all": {
    "takes any scope for the device": changeBody("/v1/revoke", ({ scope }) =>
      scope === "all" ? { scope } : {},
    ),
  },
  "delete-device-revokes-it": {
    "responds to DELETE without doing it": async (request, { real }) =>
      request.method === "DELETE"
        ? okLike(await real({ ...request, method: "GET" }), { revoked: 1 })
        : real(request),
  },
  "one-session-per-device-id": {
    "keeps the old session of a device that signs in again": changeRecords("sessions", (real) => ({
      open: (session) => {
        const deviceId = `${session.deviceId}.${session.family}`;
        return real.open({ ...session, deviceId });
      },
    })),
  },
});
