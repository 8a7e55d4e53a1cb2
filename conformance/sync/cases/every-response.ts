import { SYNC_LIMIT_RANGES } from "../../../src/contract/sync/values.ts";
import { skipUnless } from "../../case.ts";
import {
  describeResponse,
  expectEach,
  expectHeader,
  expectHeaderMatch,
  expectSame,
  expectStatus,
  fail,
} from "../../expect.ts";
import {
  checkEveryResponse,
  everyResponseHas,
  expectRequestId,
  httpCase,
} from "../../http-cases.ts";
import type { ReceivedResponse } from "../../http.ts";
import { encodeText } from "../cursor.ts";
import { JSON_BODY } from "../device.ts";
import {
  expectAnyError,
  expectCapabilities,
  expectError,
  expectErrorAt,
  expectInstanceInfo,
} from "../expectations.ts";
import { createOperation, newEntity } from "../operations.ts";
import { pagePath, POST_ROUTES, PUBLIC_PATHS } from "../requests.ts";
import { syncCases } from "../server-under-test.ts";
import { postRefresh } from "../sign-in.ts";

const MARK = "Zebra-Marzipan-4711";
/** Traces of a stack, a module path or a database. */
const INTERNALS =
  /\bat [\w.<>]+ \(|node:|node_modules|\.[cm]?[jt]s\b|SQLITE|SELECT |INSERT |postgres/;

export const EVERY_RESPONSE_CASES = syncCases({
  ...httpCase(
    "health-says-ok",
    "sync contract, Endpoints: GET /v1/health; Trellis decision, sync service: its body",
    "GET /v1/health answers exactly its status and version",
  ),
  "capabilities-name-what-the-instance-can-do": {
    title:
      "GET /v1/capabilities names S256, rotation and the limits, which are within their ranges",
    section: "sync contract, Endpoints: GET /v1/capabilities; Limits",
    async run({ api }) {
      const response = await api.get("/v1/capabilities");
      const { authentication, sync } = expectCapabilities(response);
      expectSame(response, "authentication.pkceMethods", authentication.pkceMethods, ["S256"]);
      const ranges = [
        ["maximumBodyBytes", SYNC_LIMIT_RANGES.maxBodyBytes],
        ["maximumPushOperations", SYNC_LIMIT_RANGES.maxPushOperations],
        ["maximumPullOperations", SYNC_LIMIT_RANGES.maxPullOperations],
      ] as const;
      await expectEach(ranges, ([name, { minimum, maximum }]) => {
        const value = sync[name];
        if (value >= minimum && value <= maximum) return;
        fail(response, `sync.${name} from ${minimum} to ${maximum}`, String(value));
      });
    },
  },
  "capabilities-name-the-profile-that-holds": {
    title: "The profile that GET /v1/capabilities names is the one whose rules hold",
    section: "Trellis decision, sync service: capabilities.sync.profile",
    async run(server) {
      const response = await server.api.get("/v1/capabilities");
      const { profile } = expectCapabilities(response).sync;
      skipUnless(profile !== undefined, "The capabilities name no profile");
      const { input } = server;
      if (input.profile !== undefined) expectSame(response, "sync.profile", profile, input.profile);
      // A setting has one field in the profile habits, any in open, and sealed has none.
      const entityId = profile === "sealed" ? "setting/theme" : server.newSetting();
      const operation = newEntity(server, entityId).operation(1, {
        payload: { value: 1, more: 1 },
      });
      const pushed = await (await server.device()).push([operation]);
      if (profile === "open") expectStatus(pushed, 200);
      else expectError(pushed, "invalid_sync_operation");
    },
  },
  "instance-info-names-the-instance": {
    title: "GET /v1/instance-info answers name, public base URL and that an account exists",
    section: "sync contract, Instance info; Trellis decision, sync service: its members",
    async run(server) {
      const response = await server.api.get("/v1/instance-info");
      const { name, baseUrl, initialized } = expectInstanceInfo(response);
      expectSame(response, "initialized", initialized, true);
      expectSame(response, "baseUrl", baseUrl.replace(/\/$/, ""), server.publicUrl);
      const { displayName } = server.input;
      if (displayName !== undefined) expectSame(response, "name", name, displayName);
      if (name.trim() === "") fail(response, "a display name", "an empty one");
    },
  },
  "public-routes-need-no-token": {
    title:
      "Public routes answer alike with no token and with a wrong one, and the sign-in page too",
    section: "sync contract, Endpoints: public",
    async run(server) {
      const headers = { Authorization: "Bearer trs_at_wrong" };
      await expectEach([...PUBLIC_PATHS, pagePath(server)], async (path) => {
        expectStatus(await server.api.get(path), 200);
        expectStatus(await server.api.get(path, headers), 200);
      });
    },
  },
  "every-answer-is-never-stored": {
    title: "Every answer tells caches to keep nothing",
    section: "sync contract, Authentication 8: no-store",
    run: everyResponseHas("Cache-Control", "no-store"),
  },
  ...httpCase("every-answer-denies-framing", "sync contract, Authentication 8: denies framing"),
  ...httpCase(
    "every-answer-forbids-sniffing",
    "sync contract, Authentication 8: denies MIME sniffing",
  ),
  "every-answer-sends-no-referrer": {
    title: "Every answer keeps its address out of the Referer of what follows",
    section: "sync contract, Authentication 8: no-referrer",
    run: everyResponseHas("Referrer-Policy", "no-referrer"),
  },
  "every-answer-isolates-its-resources": {
    title: "No other origin can embed an answer",
    section: "sync contract, Authentication 8: isolates cross-origin resources",
    run: everyResponseHas("Cross-Origin-Resource-Policy", "same-origin"),
  },
  "every-answer-disables-browser-capabilities": {
    title: "Every answer switches off what the service does not use: camera, microphone, location",
    section: "sync contract, Authentication 8: disables unrelated browser capabilities",
    run: (server) =>
      checkEveryResponse(server, (response) => {
        for (const name of ["camera", "microphone", "geolocation"]) {
          expectHeaderMatch(
            response,
            "Permissions-Policy",
            new RegExp(`(?:^|,)\\s*${name}=\\(\\)\\s*(?:,|$)`),
            `${name}=()`,
          );
        }
      }),
  },
  "every-answer-sets-no-cookie": {
    title: "No answer sets a cookie",
    section: "sync contract, Authentication 7: cookies are not supported",
    run: everyResponseHas("Set-Cookie", undefined),
  },
  ...httpCase("https-answers-carry-hsts", "sync contract, Authentication 8: HSTS"),
  ...httpCase(
    "every-answer-carries-a-request-id",
    "Trellis decision, shared by all services: X-Request-Id; sync service: request ids",
    "Every answer has an X-Request-Id of 22 Base64URL characters when the caller gives none",
  ),
  ...httpCase(
    "request-ids-are-new-for-every-request",
    "sync contract, Errors 2; Trellis decision, sync service: random request ids",
    "A generated request id never repeats",
  ),
  "safe-request-ids-are-kept": {
    title: "A caller's request id of the safe grammar is the request's, in header and body",
    section: "sync contract, Errors 2; Trellis decision, sync service: request ids",
    async run({ api }) {
      const ids = ["eight-ch", "A.b_c~d-9", "r".repeat(128)];
      await expectEach(ids, async (id) => {
        const headers = { "X-Request-Id": id };
        expectHeader(await api.get("/v1/health", headers), "X-Request-Id", id);
        const missing = await api.get("/no/such/route", headers);
        expectHeader(missing, "X-Request-Id", id);
        expectSame(missing, "requestId", expectError(missing, "not_found").requestId, id);
      });
    },
  },
  "unsafe-request-ids-are-replaced": {
    title: "A caller's request id outside the safe grammar is replaced by a generated one",
    section: "sync contract, Errors 2; Trellis decision, sync service: request ids",
    async run({ api, http }) {
      const unsafe = [
        "seven-7",
        "r".repeat(129),
        "with a space",
        "<script>alert(1)</script>",
        "semi;colon",
        "slash/slash",
        'quote"quote',
        "caf\u00e9-caf\u00e9",
        "one-id-1, two-id-2",
      ];
      await expectEach(unsafe, async (id) => {
        const response = await api.get("/no/such/route", { "X-Request-Id": id });
        const requestId = expectRequestId(response, http.requestId);
        expectSame(response, "requestId", expectError(response, "not_found").requestId, requestId);
      });
    },
  },
  ...httpCase("error-bodies-repeat-the-request-id", "sync contract, Errors: the envelope"),
  "errors-never-repeat-the-content": {
    title: "No error tells what was sent, nor anything of the server's inside",
    section:
      "sync contract, Errors 1; Trellis decision, sync service: messages never repeat the content",
    async run(server) {
      const device = await server.device();
      const { api } = server;
      const operation = createOperation({ deviceId: MARK, entityId: server.newSetting() });
      const requests: (() => Promise<ReceivedResponse>)[] = [
        () => device.push([{ ...operation, kind: MARK }]),
        () => device.push([{ ...operation, [MARK]: 1 }]),
        () => device.push([{ ...operation, operationId: `operation/${MARK}/2` }]),
        () => device.push([MARK]),
        () => device.get(`/v1/pull?cursor=${MARK}`),
        () => device.get(`/v1/pull?${MARK}=1`),
        () => api.get(pagePath(server, { redirect_uri: `https://${MARK}.example` })),
        () => api.get(`/${MARK}`),
        () => api.send("POST", "/v1/token", JSON_BODY, `{"${MARK}`),
        () => server.post("/v1/token", { grantType: MARK }),
        () => postRefresh(server, MARK),
        () => api.get("/v1/device", { Authorization: `Bearer ${MARK}` }),
      ];
      await expectEach(requests, async (send) => {
        const response = await send();
        const { message } = expectAnyError(response);
        if (message.includes(MARK)) fail(response, "a text without what was sent", message);
        if (INTERNALS.test(message)) fail(response, "a text for the public", message);
      });
    },
  },
  "bad-input-is-never-a-server-error": {
    title: "Whatever is wrong with a request, the answer is no 5xx",
    section: "sync contract, Errors; What the service does: general request rules",
    async run(server) {
      const bodies = [
        '{"grantType":"authorization_code","code":"\\u0000","codeVerifier":"\\u0000","redirectUri":"\\ud800","attemptId":"\\u0000"}',
        '{"grantType":"refresh_token","refreshToken":"trs_rt_\\u0000"}',
        '{"__proto__":{"x":1}}',
        '{"constructor":1}',
        "[".repeat(20_000),
        `{"operations":${"[".repeat(5_000)}${"]".repeat(5_000)}}`,
        '{"operations":[{"__proto__":null}]}',
        '{"operations":[1e999,-0,"\\ud800",null,true,[],{}]}',
      ];
      const device = await server.device();
      const headers = { ...JSON_BODY, ...device.bearer, [server.csrfHeader]: "0123456789abcdef" };
      const routes = POST_ROUTES.filter(({ path }) => path !== "/v1/revoke");
      await expectEach(routes, ({ path }) =>
        expectEach(bodies, async (body) => {
          const response = await server.api.send("POST", path, headers, body);
          if (response.status >= 500)
            fail(response, "an answer below 500", describeResponse(response));
          expectAnyError(response);
        }),
      );
      const cursors = ["%00", encodeText('{"version":1,"generation":"\\u0000","offset":1}')];
      const paths = cursors.map((cursor) => `/v1/pull?cursor=${cursor}`);
      await expectErrorAt(device, "invalid_cursor", paths);
    },
  },
});
