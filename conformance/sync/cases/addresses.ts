import { MAX_TARGET_BYTES } from "../../../src/contract/route.ts";
import type { SyncErrorCode } from "../../../src/contract/sync/errors.ts";
import { expectEach } from "../../expect.ts";
import { httpCase, misspell, NOT_A_BOUNDED_INTEGER } from "../../http-cases.ts";
import type { Origin } from "../../http.ts";
import { JSON_BODY } from "../device.ts";
import { expectError, expectErrorAt, expectErrors, expectHealth } from "../expectations.ts";
import {
  FOREIGN_ORIGIN,
  pagePath,
  pageQuery,
  POST_ROUTES,
  postRoute,
  PROTECTED_PATHS,
  PUBLIC_PATHS,
} from "../requests.ts";
import { syncCases } from "../server-under-test.ts";
import { AUTHORIZE } from "../sign-in.ts";

export const ADDRESS_CASES = syncCases({
  "unknown-routes-are-not-found": {
    title: "A route that does not exist is 404, whatever its query and its method",
    section: "Trellis decision, sync service: not_found",
    async run({ api }) {
      const paths = [
        "/",
        "/v1",
        "/v1/register",
        "/v1/account",
        "/v1/devices",
        "/v1/healthz",
        "/v1/health/x",
        "/v2/health",
        "/health",
        "/favicon.ico",
        "/v1/nothing?x=1&x=2",
        "/v1/nothing?%zz",
      ];
      await expectErrorAt(api, "not_found", paths);
      expectError(await api.send("POST", "/v1/register", JSON_BODY, "{}"), "not_found");
      expectError(await api.send("DELETE", "/v1/nothing"), "not_found");
    },
  },
  "paths-are-exact": {
    title: "Paths are case-sensitive, without trailing slashes, empty segments or dot segments",
    section: "Trellis decision, shared by all services: paths are exact",
    run: ({ api }) => expectErrorAt(api, "not_found", misspell("/v1/health")),
  },
  "paths-are-decoded-once": {
    title: "An escaped letter of a path is that letter",
    section: "Trellis decision, shared by all services: percent-decoding once",
    async run({ api }) {
      expectHealth(await api.get("/v1/he%61lth"));
    },
  },
  "malformed-percent-encoding-is-invalid": {
    title: "A broken escape in a path or a query is 400",
    section:
      "Trellis decision, shared by all services and sync service: malformed percent-encoding",
    async run({ api }) {
      const paths = [
        "/v1/%zz",
        "/%",
        "/v1/health?%zz",
        "/v1/pull?cursor=%E0%A4%A",
        "/v1/pull?limit=%",
      ];
      await expectErrorAt(api, "invalid_request", paths);
      expectError(await api.get(`${AUTHORIZE}?state=%zz`), "invalid_authorization_request");
    },
  },
  ...httpCase("other-methods-are-405", "Trellis decision, shared by all services: other methods"),
  ...httpCase(
    "head-answers-like-get",
    "Trellis decision, shared by all services: HEAD",
    "HEAD answers with the status and headers of GET and changes nothing",
  ),
  ...httpCase("head-has-no-body", "Trellis decision, shared by all services: HEAD"),
  ...httpCase(
    "over-long-targets-are-414",
    "Trellis decision, shared by all services: request target",
  ),
  ...httpCase("malformed-http-gets-a-declared-error", "sync contract, Errors"),
  ...httpCase("what-no-route-can-mean-is-refused", "sync contract, Errors"),
  ...httpCase(
    "malformed-http-does-not-stop-the-server",
    "sync contract, Endpoints: GET /v1/health; Errors 1",
  ),
  "checks-run-in-order": {
    title:
      "Target length, method and path, origin, query, authentication, content type, size, body: the first fault decides",
    section: "Trellis decision, sync service: order of checks",
    async run(server) {
      const { api } = server;
      const device = await server.device();
      const { maxBodyBytes } = await server.limits();
      const foreign = { Origin: FOREIGN_ORIGIN };
      const text = { "Content-Type": "text/plain" };
      const large = " ".repeat(maxBodyBytes + 1);
      const authorized = device.bearer;
      const requests: [SyncErrorCode, ...Parameters<Origin["send"]>][] = [
        ["request_target_too_large", "PUT", `/${"y".repeat(MAX_TARGET_BYTES)}`, foreign],
        ["not_found", "PUT", "/no/such/route?x=1", foreign],
        ["method_not_allowed", "PUT", "/v1/push?x=1", foreign],
        ["cors_denied", "GET", "/v1/pull?limit=0", foreign],
        ["cors_denied", "POST", "/v1/push", { ...foreign, ...text }, "{"],
        ["invalid_request", "GET", "/v1/pull?limit=0", {}],
        ["invalid_cursor", "GET", "/v1/pull?cursor=", {}],
        ["invalid_request", "POST", "/v1/push?x=1", text, "{"],
        ["invalid_access_token", "POST", "/v1/push", text, "{"],
        ["invalid_access_token", "POST", "/v1/push", JSON_BODY, large],
        ["unsupported_media_type", "POST", "/v1/push", { ...authorized, ...text }, large],
        ["payload_too_large", "POST", "/v1/push", { ...authorized, ...JSON_BODY }, large],
        ["unsupported_media_type", "POST", "/v1/token", text, "{"],
        ["invalid_json", "POST", "/v1/authorize", JSON_BODY, "{"],
        ["invalid_request", "POST", "/v1/authorize", JSON_BODY, "{}"],
      ];
      await expectEach(requests, async ([code, ...request]) =>
        expectError(await api.send(...request), code),
      );
    },
  },
  "unknown-query-parameters-are-refused": {
    title: "A query parameter that a route does not take is 400",
    section:
      "sync contract, General request rules 2; Trellis decision, sync service: query parameters",
    async run(server) {
      const { api } = server;
      const paths = [...PUBLIC_PATHS, ...PROTECTED_PATHS].map((path) => `${path}?cache=1`);
      paths.push("/v1/pull?limit=1&Cursor=x", "/v1/health?=x");
      await expectErrorAt(await server.device(), "invalid_request", paths);
      await expectErrors("invalid_request", POST_ROUTES, (route) =>
        postRoute(server, route, { query: "?x=1" }),
      );
      expectError(await api.send("DELETE", "/v1/device?x=1"), "invalid_request");
    },
  },
  "repeated-query-parameters-are-invalid": {
    title: "A query parameter that comes twice is an invalid value of it, never the first one",
    section: "Trellis decision, shared by all services: repeated query parameters",
    async run(server) {
      const device = await server.device();
      const { cursor } = await device.pull({ limit: 1 });
      expectError(await device.get(`/v1/pull?cursor=${cursor}&cursor=${cursor}`), "invalid_cursor");
      expectError(await device.get("/v1/pull?limit=1&limit=1"), "invalid_request");
      const paths = Object.entries(pageQuery(server)).map(
        ([name, value]) => `${pagePath(server)}&${name}=${encodeURIComponent(value)}`,
      );
      await expectErrorAt(server.api, "invalid_authorization_request", paths);
    },
  },
  "numbers-in-queries-are-canonical": {
    title:
      "limit is a plain decimal from 1 to what the server names; anything else is invalid_request",
    section: "Trellis decision, shared by all services: integers in queries; sync contract, Limits",
    async run(server) {
      const device = await server.device();
      const { maxPullOperations } = await server.limits();
      const tooMany = [String(maxPullOperations + 1), "99999", "12345678901234567"];
      const paths = [...NOT_A_BOUNDED_INTEGER, ...tooMany].map(
        (limit) => `/v1/pull?limit=${limit}`,
      );
      await expectErrorAt(device, "invalid_request", paths);
      await expectEach([1, maxPullOperations], (limit) => device.pull({ limit }));
    },
  },
});
