import type { TokenResponse } from "../../../src/contract/sync/schemas.ts";
import type { AccessGrant } from "../../../src/sync/store.ts";
import {
  changeResponse,
  editBody,
  pathOf,
  withoutHeader,
  changeOk,
  readAnswer,
  withRequestHeader,
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
    answer: changeOk<Body>("/v1/token", (tokens) => ({ ...tokens, deviceId: "another" })),
  },
  {
    name: "answers tokens in the words of OAuth",
    caughtBy: ["code-redeems-for-tokens", "refresh-rotates"],
    answer: changeResponse(
      ({ status }, exchange) => status === 200 && /token|refresh/.test(pathOf(exchange)),
      (answer) =>
        editBody<Body>(answer, ({ accessToken, ...rest }) => ({
          ...rest,
          access_token: accessToken,
        })),
    ),
  },
  {
    name: "has tokens without a prefix",
    caughtBy: ["tokens-have-their-form"],
    answer: changeOk<TokenResponse>("/v1/token", (tokens) => ({
      ...tokens,
      accessToken: tokens.accessToken.replace("trs_at_", ""),
    })),
  },
  {
    name: "has access tokens that live for a day",
    caughtBy: ["tokens-have-their-form"],
    answer: changeOk<TokenResponse>("/v1/token", (tokens) => ({ ...tokens, expiresIn: 86_400 })),
  },
  {
    name: "does not say how to authenticate",
    caughtBy: ["protected-routes-need-a-token"],
    answer: changeResponse(
      ({ status }) => status === 401,
      (answer) => withoutHeader(answer, "WWW-Authenticate"),
    ),
  },
  {
    name: "takes a token by any scheme",
    caughtBy: ["protected-routes-need-a-token"],
    answer: (exchange, { honest }) => {
      const given = exchange.header("authorization");
      const token = given?.replace(/^.* /, "") ?? "";
      return honest(
        given === null ? exchange : withRequestHeader(exchange, "authorization", `Bearer ${token}`),
      );
    },
  },
  {
    name: "takes a token from a cookie",
    caughtBy: ["protected-routes-need-a-token"],
    answer: (exchange, { honest }) => {
      const token = /access_token=(\S+)/.exec(exchange.header("cookie") ?? "")?.[1];
      return honest(
        token === undefined
          ? exchange
          : withRequestHeader(exchange, "authorization", `Bearer ${token}`),
      );
    },
  },
  {
    name: "answers the refresh token that it was given",
    caughtBy: ["refresh-rotates"],
    answer: handlePost("/v1/refresh", async (body, ask) => {
      const answer = await ask(body);
      return answer.status === 200
        ? editBody<Body>(answer, (tokens) => ({ ...tokens, refreshToken: body["refreshToken"] }))
        : answer;
    }),
  },
  {
    name: "signs out a device whose answer was lost",
    caughtBy: ["refresh-retry-gets-the-same-successor"],
    createAnswer: () => {
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
    createAnswer: () => {
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
    store: (honest) =>
      changeRecords(honest, (records) => ({
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
    store: (honest) => {
      const grants = new Map<string, AccessGrant>();
      return {
        ...honest,
        async findAccess(hash, now) {
          const found = grants.get(hash) ?? (await honest.findAccess(hash, now));
          if (found !== null) grants.set(hash, found);
          return found;
        },
        // The cache knows a token from the moment that it is made.
        transaction: (work) =>
          honest.transaction((records) =>
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
    name: "signs a device out when somebody guesses at its refresh token",
    caughtBy: ["wrong-refresh-tokens-revoke-nothing"],
    createAnswer: () => {
      const accessByStart = new Map<string, string>();
      const startOf = (token: unknown) => String(token).slice(0, 24);
      return async (exchange, context) => {
        if (pathOf(exchange) === "/v1/token") {
          const answer = await context.honest(exchange);
          if (answer.status !== 200) return answer;
          const tokens = JSON.parse(await readAnswer(answer)) as TokenResponse;
          accessByStart.set(startOf(tokens.refreshToken), tokens.accessToken);
          return answer;
        }
        return handlePost("/v1/refresh", async (body, ask, sent, honest) => {
          const answer = await ask(body);
          const access = accessByStart.get(startOf(body["refreshToken"]));
          if (answer.status !== 401 || access === undefined) return answer;
          const request = { ...sent, method: "DELETE", target: "/v1/device" };
          await honest(withRequestHeader(request, "authorization", `Bearer ${access}`));
          return answer;
        })(exchange, context);
      };
    },
  },
  {
    name: "tells why a refresh token is wrong",
    caughtBy: ["wrong-refresh-tokens-revoke-nothing"],
    answer: handlePost("/v1/refresh", async (body, ask) => {
      const answer = await ask(body);
      return answer.status === 401 && body["refreshToken"] === ""
        ? errorLike(answer, "invalid_refresh_token", { message: "It is empty" })
        : answer;
    }),
  },
  {
    name: "counts the expiry in milliseconds",
    caughtBy: ["device-describes-itself"],
    answer: changeOk<Body>("/v1/device", (body) => ({
      ...body,
      accessExpiresAt: Number(body["accessExpiresAt"]) * 1000,
    })),
  },
  {
    name: "tells a device its address",
    caughtBy: ["device-describes-itself"],
    answer: changeOk<Body>("/v1/device", (body) => ({ ...body, address: "127.0.0.1" })),
  },
  {
    name: "revokes every device when asked for one",
    caughtBy: ["revoke-ends-this-device"],
    answer: changeBody("/v1/revoke", () => ({ scope: "all" })),
  },
  {
    name: "revokes one device when asked for all",
    caughtBy: ["revoke-all-ends-every-device"],
    answer: changeBody("/v1/revoke", (body) =>
      body["scope"] === "all" ? { scope: "device" } : body,
    ),
  },
  {
    name: "takes any scope for the device",
    caughtBy: ["revoke-takes-device-or-all"],
    answer: changeBody("/v1/revoke", ({ scope }) => (scope === "all" ? { scope } : {})),
  },
  {
    name: "answers DELETE without doing it",
    caughtBy: ["delete-device-revokes-it"],
    answer: async (exchange, { honest }) =>
      exchange.method === "DELETE"
        ? okLike(await honest({ ...exchange, method: "GET" }), { revoked: 1 })
        : honest(exchange),
  },
  {
    name: "keeps the old session of a device that signs in again",
    caughtBy: ["one-session-per-device-id"],
    store: (honest) =>
      changeRecords(honest, (records) => ({
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
