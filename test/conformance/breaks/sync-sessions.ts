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
} from "./break.ts";
import {
  changeBody,
  changeRecords,
  errorLike,
  handlePost,
  okLike,
  type SyncBreak,
} from "./sync-break.ts";

export const SYNC_BREAKS_OF_SESSIONS: readonly SyncBreak[] = [
  {
    name: "names another device with its tokens",
    caughtBy: ["code-redeems-for-tokens"],
    respond: changeOk<Body>("/v1/token", (tokens) => ({ ...tokens, deviceId: "another" })),
  },
  {
    name: "sends tokens in the words of OAuth",
    caughtBy: ["code-redeems-for-tokens", "refresh-rotates"],
    respond: changeResponse(
      ({ status }, request) => status === 200 && /token|refresh/.test(pathOf(request)),
      (response) =>
        editBody<Body>(response, ({ accessToken, ...rest }) => ({
          ...rest,
          access_token: accessToken,
        })),
    ),
  },
  {
    name: "refuses the name of a device that it announces to take",
    caughtBy: ["sign-in-names-the-device"],
    respond: handlePost("/v1/token", (body, ask) =>
      ask("displayName" in body ? { ...body, displayName: "" } : body),
    ),
  },
  {
    name: "has tokens without a prefix",
    caughtBy: ["tokens-have-their-form"],
    respond: changeOk<TokenResponse>("/v1/token", (tokens) => ({
      ...tokens,
      accessToken: tokens.accessToken.replace("trs_at_", ""),
    })),
  },
  {
    name: "has access tokens that live for a day",
    caughtBy: ["tokens-have-their-form"],
    respond: changeOk<TokenResponse>("/v1/token", (tokens) => ({ ...tokens, expiresIn: 86_400 })),
  },
  {
    name: "does not say how to authenticate",
    caughtBy: ["protected-routes-need-a-token"],
    respond: changeResponse(
      ({ status }) => status === 401,
      (response) => withoutHeader(response, "WWW-Authenticate"),
    ),
  },
  {
    name: "takes a token by any scheme",
    caughtBy: ["protected-routes-need-a-token"],
    respond: (request, { real }) => {
      const given = request.header("authorization");
      const token = given?.replace(/^.* /, "") ?? "";
      return real(
        given === null ? request : withRequestHeader(request, "authorization", `Bearer ${token}`),
      );
    },
  },
  {
    name: "takes a token from a cookie",
    caughtBy: ["protected-routes-need-a-token"],
    respond: (request, { real }) => {
      const token = /access_token=(\S+)/.exec(request.header("cookie") ?? "")?.[1];
      return real(
        token === undefined
          ? request
          : withRequestHeader(request, "authorization", `Bearer ${token}`),
      );
    },
  },
  {
    name: "sends the refresh token that it was given",
    caughtBy: ["refresh-rotates"],
    respond: handlePost("/v1/refresh", async (body, ask) => {
      const response = await ask(body);
      return response.status === 200
        ? editBody<Body>(response, (tokens) => ({ ...tokens, refreshToken: body["refreshToken"] }))
        : response;
    }),
  },
  {
    name: "signs out a device whose response was lost",
    caughtBy: ["refresh-retry-gets-the-same-successor"],
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
  {
    name: "shrugs at a refresh token that is used again",
    caughtBy: ["refresh-replay-revokes-the-device"],
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
  {
    name: "does not revoke",
    caughtBy: [
      "refresh-replay-revokes-the-device",
      "later-use-of-a-code-revokes-its-session",
      "revoke-ends-this-device",
      "delete-device-revokes-it",
      "revocation-ends-every-access-token",
    ],
    store: (real) =>
      changeRecords(real, (records) => ({
        ...records,
        sessions: { ...records.sessions, revokeFamily: async () => true },
      })),
  },
  {
    name: "takes an access token after its device was revoked",
    caughtBy: [
      "revoke-ends-this-device",
      "delete-device-revokes-it",
      "revocation-ends-every-access-token",
      "one-session-per-device-id",
      "revoke-all-ends-every-device",
    ],
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
  {
    name: "signs a device out after a guessed refresh token",
    caughtBy: ["wrong-refresh-tokens-revoke-nothing"],
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
          await real(withRequestHeader(withText(request, ""), "authorization", `Bearer ${access}`));
          return response;
        })(request, context);
      };
    },
  },
  {
    name: "tells why a refresh token is wrong",
    caughtBy: ["wrong-refresh-tokens-revoke-nothing"],
    respond: handlePost("/v1/refresh", async (body, ask) => {
      const response = await ask(body);
      return response.status === 401 && body["refreshToken"] === ""
        ? errorLike(response, "invalid_refresh_token", { message: "It is empty" })
        : response;
    }),
  },
  {
    name: "counts the expiry in milliseconds",
    caughtBy: ["device-describes-itself"],
    respond: changeOk<Body>("/v1/device", (body) => ({
      ...body,
      accessExpiresAt: Number(body["accessExpiresAt"]) * 1000,
    })),
  },
  {
    name: "tells a device its address",
    caughtBy: ["device-describes-itself"],
    respond: changeOk<Body>("/v1/device", (body) => ({ ...body, address: "127.0.0.1" })),
  },
  {
    name: "revokes every device when asked for one",
    caughtBy: ["revoke-ends-this-device"],
    respond: changeBody("/v1/revoke", () => ({ scope: "all" })),
  },
  {
    name: "revokes one device when asked for all",
    caughtBy: ["revoke-all-ends-every-device"],
    respond: changeBody("/v1/revoke", (body) =>
      body["scope"] === "all" ? { scope: "device" } : body,
    ),
  },
  {
    name: "takes any scope for the device",
    caughtBy: ["revoke-takes-device-or-all"],
    respond: changeBody("/v1/revoke", ({ scope }) => (scope === "all" ? { scope } : {})),
  },
  {
    name: "responds to DELETE without doing it",
    caughtBy: ["delete-device-revokes-it"],
    respond: async (request, { real }) =>
      request.method === "DELETE"
        ? okLike(await real({ ...request, method: "GET" }), { revoked: 1 })
        : real(request),
  },
  {
    name: "keeps the old session of a device that signs in again",
    caughtBy: ["one-session-per-device-id"],
    store: (real) =>
      changeRecords(real, (records) => ({
        ...records,
        sessions: {
          ...records.sessions,
          open: (session) => {
            const deviceId = `${session.deviceId}.${session.family}`;
            return records.sessions.open({ ...session, deviceId });
          },
        },
      })),
  },
];
