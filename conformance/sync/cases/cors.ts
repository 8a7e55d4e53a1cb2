import { KEY_HEADER } from "../../../src/contract/sync/account-keys.ts";
import {
  describeResponse,
  expectEach,
  expectHeader,
  expectHeaderMatch,
  expectSame,
  expectStatus,
  fail,
} from "../../expect.ts";
import { checkEveryResponse } from "../../http-cases.ts";
import { expectPreflightAllows, isAllowedByPreflight, sendPreflight } from "../../preflight.ts";
import { expectSignedIn } from "../device.ts";
import { expectError, expectErrors } from "../expectations.ts";
import { createOperation } from "../operations.ts";
import {
  FOREIGN_ORIGIN,
  pagePath,
  PROTECTED_PATHS,
  PUBLIC_PATHS,
  requireCorsOrigin,
} from "../requests.ts";
import { syncCases } from "../server-under-test.ts";

/** What an app sends to an account that is encrypted. */
const SEALED_REQUESTS = ["/v1/push", "/v1/keys"].map(
  (path) => [path, "POST", ["authorization", "content-type", KEY_HEADER.toLowerCase()]] as const,
);

export const CORS_CASES = syncCases({
  "foreign-origins-are-denied": {
    title: "A request from any other origin is 403 on every route, and can read nothing",
    section: "sync contract, Authentication 7; Trellis decision, sync service: cors_denied",
    async run(server) {
      const own = new URL(server.publicUrl);
      const origins = [
        FOREIGN_ORIGIN,
        "null",
        `${own.origin}.elsewhere.example`,
        `${own.protocol === "https:" ? "http:" : "https:"}//${own.host}`,
        `${own.protocol}//${own.hostname}:1`,
        `${own.origin}/`,
      ];
      const device = await server.device();
      const requests = [
        ...Object.entries(server.http.methodsByPath).map(
          ([path, [method = "GET"]]) => [method, path, FOREIGN_ORIGIN] as const,
        ),
        ...origins.map((origin) => ["GET", "/v1/health", origin] as const),
      ];
      await expectEach(requests, async ([method, path, Origin]) => {
        const response = await server.api.send(method, path, { ...device.bearer, Origin });
        expectError(response, "cors_denied");
        expectHeader(response, "Access-Control-Allow-Origin", undefined);
      });
    },
  },
  "foreign-origins-change-nothing": {
    title:
      "A push from another origin stores nothing, and a revocation ends nothing, although the token is right",
    section: "Trellis decision, sync service: cors_denied before anything happens",
    async run(server) {
      const device = await server.signIn();
      const entityId = server.newSetting();
      const operation = createOperation({ deviceId: device.deviceId, entityId });
      const foreign = { Origin: FOREIGN_ORIGIN };
      const push = await device.post("/v1/push", { operations: [operation] }, foreign);
      expectError(push, "cors_denied");
      expectError(await device.post("/v1/revoke", {}, foreign), "cors_denied");
      const headers = { ...device.bearer, ...foreign };
      expectError(await server.api.send("DELETE", "/v1/device", headers), "cors_denied");
      await expectSignedIn(device);
      const [receipt] = await device.store(operation);
      expectSame("POST /v1/push", "duplicate", receipt?.duplicate, false);
    },
  },
  "own-origin-passes": {
    title: "A request that names the service's own origin is served",
    section: "Trellis decision, sync service: cors_denied",
    async run(server) {
      const { origin: Origin } = new URL(server.publicUrl);
      const device = await server.device();
      await expectEach([...PUBLIC_PATHS, ...PROTECTED_PATHS, pagePath(server)], async (path) =>
        expectStatus(await device.get(path, { Origin }), 200),
      );
    },
  },
  "cors-is-never-a-wildcard": {
    title: "No answer lets any origin in, nor credentials",
    section: "sync contract, Authentication 7: no wildcard, no credentials",
    async run(server) {
      const names = [
        "Access-Control-Allow-Origin",
        "Access-Control-Allow-Methods",
        "Access-Control-Allow-Headers",
      ];
      await checkEveryResponse(server, (response) => {
        expectHeader(response, "Access-Control-Allow-Origin", undefined);
        expectHeader(response, "Access-Control-Allow-Credentials", undefined);
      });
      const { corsOrigin } = server.input;
      const responses = [await server.api.get("/v1/health", { Origin: "*" })];
      if (corsOrigin !== undefined) {
        responses.push(await sendPreflight(server.api, corsOrigin, "/v1/push", "POST"));
      }
      await expectEach(responses, (response) => {
        const name = names.find((item) => response.header(item)?.includes("*"));
        if (name !== undefined) fail(response, `${name} without *`, "*");
        expectHeader(response, "Access-Control-Allow-Credentials", undefined);
      });
    },
  },
  "configured-origins-are-let-in": {
    title: "A configured origin may read every answer, errors too, and caches keep origins apart",
    section: "sync contract, Authentication 7: exact trusted origins",
    async run(server) {
      const Origin = requireCorsOrigin(server);
      const device = await server.device();
      const paths = [...PUBLIC_PATHS, ...PROTECTED_PATHS, "/v1/pull?limit=0", "/no/such/route"];
      await expectEach(paths, async (path) => {
        const response = await device.get(path, { Origin });
        if (response.status === 403) fail(response, "an answer", describeResponse(response));
        expectHeader(response, "Access-Control-Allow-Origin", Origin);
        expectHeader(response, "Access-Control-Allow-Credentials", undefined);
        expectHeaderMatch(response, "Vary", /(?:^|,)\s*origin\s*(?:,|$)/i, "Origin");
      });
      const others = [`${Origin}.elsewhere.example`, Origin.toUpperCase(), `${Origin}/`];
      await expectErrors("cors_denied", others, (other) =>
        server.api.get("/v1/health", { Origin: other }),
      );
    },
  },
  "preflight-allows-what-is-documented": {
    title:
      "A configured origin's preflight allows the methods of the path and the documented headers",
    section: "sync contract, Authentication 7: preflights",
    async run(server) {
      const corsOrigin = requireCorsOrigin(server);
      const requests = [
        ["/v1/push", "POST", ["authorization", "content-type"]],
        ["/v1/pull", "GET", ["authorization", "x-request-id"]],
        ["/v1/device", "DELETE", ["authorization"]],
        ["/v1/authorize", "POST", ["content-type", server.csrfHeader.toLowerCase()]],
        ...(server.input.profile === "sealed" ? SEALED_REQUESTS : []),
      ] as const;
      await expectEach(requests, ([path, method, headers]) =>
        expectPreflightAllows(server.api, corsOrigin, path, method, headers),
      );
    },
  },
  "preflight-allows-nothing-else": {
    title: "A preflight for another method or another header is no yes",
    section:
      "sync contract, Authentication 7: preflights allow only the documented methods and headers",
    async run(server) {
      const corsOrigin = requireCorsOrigin(server);
      const requests = [
        ["/v1/push", "PUT", []],
        ["/v1/health", "DELETE", []],
        ["/v1/push", "POST", ["authorization", "x-other"]],
        ["/v1/pull", "GET", ["cookie"]],
      ] as const;
      await expectEach(requests, async ([path, method, headers]) => {
        const response = await sendPreflight(server.api, corsOrigin, path, method, headers);
        if (!isAllowedByPreflight(response, corsOrigin, method, headers)) return;
        const received = `status ${response.status}`;
        fail(response, "a preflight that browsers take for a no", received);
      });
    },
  },
  "preflight-of-foreign-origins-is-denied": {
    title: "A preflight from any other origin is 403",
    section:
      "sync contract, Authentication 7: deny by default; Trellis decision, sync service: cors_denied",
    run: (server) =>
      expectEach(Object.entries(server.http.methodsByPath), async ([path, [method = "GET"]]) => {
        const response = await sendPreflight(server.api, FOREIGN_ORIGIN, path, method);
        expectError(response, "cors_denied");
        expectHeader(response, "Access-Control-Allow-Origin", undefined);
        expectHeader(response, "Access-Control-Allow-Methods", undefined);
      }),
  },
});
