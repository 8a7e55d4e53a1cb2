import { CACHE } from "../../../src/contract/release/routes.ts";
import {
  everyResponseHas,
  expectHeadHasNoBody,
  expectHsts,
  expectNewRequestIds,
  sendPreflight,
} from "../../every-service.ts";
import {
  JSON_CONTENT_TYPE,
  expectEach,
  expectHeader,
  expectHeaderMatch,
  expectNoBody,
  expectSame,
  expectStatus,
  expectJson,
} from "../../expect.ts";
import { expectAnyError, expectHealth } from "../expectations.ts";
import { samplePaths } from "../requests.ts";
import { releaseCases } from "../server-under-test.ts";

/** RFC 9562, 5.4: a random UUID. */
const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
const CALLER_ID = "0b8f6a52-54c4-4e0e-9d3c-0f6f2f2f7a11";

export const EVERY_RESPONSE_CASES = releaseCases({
  "health-says-ok": {
    title: "Health is 200 with status, environment and the request's id, and is never stored",
    section: "release contract, GET /health; Health; Trellis decision: Cache-Control of health",
    async run({ api }) {
      const response = await api.get("/health");
      expectHeader(response, "X-Request-Id", expectHealth(response).requestId);
      expectHeader(response, "Cache-Control", CACHE.never);
    },
  },
  "json-answers-name-their-content-type": {
    title: "Every body is UTF-8 JSON and says so in exactly one way, errors included",
    section: "release contract, What the service does: convention 1",
    run: (server) =>
      server.checkEveryResponse((response) => {
        if (response.status === 204 || (response.status >= 300 && response.status < 400)) return;
        expectHeader(response, "Content-Type", JSON_CONTENT_TYPE);
        expectJson(response);
      }),
  },
  "every-answer-carries-a-request-id": {
    title: "Every answer has an X-Request-Id, a random UUID (version 4)",
    section: "Trellis decision, shared by all services: X-Request-Id on every response",
    run: (server) =>
      server.checkEveryResponse((response) =>
        expectHeaderMatch(response, "X-Request-Id", UUID_V4, "a UUID of version 4"),
      ),
  },
  "request-ids-are-new-for-every-request": {
    title: "A request id names one request: it never repeats and is never the caller's",
    section: "release contract, ErrorResponse: requestId; Trellis decision: random per request",
    run: ({ api }) =>
      expectNewRequestIds(
        api,
        ["/health", "/health", "/no/such/route", "/no/such/route"],
        CALLER_ID,
      ),
  },
  "error-bodies-repeat-the-request-id": {
    title: "The requestId of an error body is the answer's X-Request-Id",
    section: "release contract, ErrorResponse: error.requestId; Trellis decision: requestId",
    run: (server) =>
      server.checkEveryResponse((response) => {
        if (response.status < 400) return;
        expectHeader(response, "X-Request-Id", expectAnyError(response).error.requestId);
      }),
  },
  "errors-are-never-stored": {
    title: "No cache may keep an error answer",
    section: "Trellis decision, release service: Cache-Control of errors",
    run: (server) =>
      server.checkEveryResponse((response) => {
        if (response.status >= 400) expectHeader(response, "Cache-Control", CACHE.never);
      }),
  },
  "every-answer-allows-any-origin": {
    title: "Any website may read every answer, whether or not the request names an origin",
    section: "Trellis decision, release service: CORS",
    async run(server) {
      await server.checkEveryResponse((response) =>
        expectHeader(response, "Access-Control-Allow-Origin", "*"),
      );
      const asked = await server.api.get("/health", { Origin: "https://app.example.org" });
      expectHeader(asked, "Access-Control-Allow-Origin", "*");
      expectHeader(asked, "Access-Control-Allow-Credentials", undefined);
    },
  },
  "preflight-is-answered-with-204": {
    title: "A browser's preflight for GET and HEAD is answered 204 for any origin",
    section: "Trellis decision, release service: CORS",
    async run({ api }) {
      const requests = ["/health", "/api/v1/manifest", "/api/v1/releases/latest"].flatMap((path) =>
        ["GET", "HEAD"].map((method) => ({ path, method })),
      );
      await expectEach(requests, async ({ path, method }) => {
        const response = await sendPreflight(api, "https://app.example.org", path, method);
        expectStatus(response, 204);
        expectNoBody(response);
        expectHeader(response, "Access-Control-Allow-Origin", "*");
      });
    },
  },
  "every-answer-forbids-sniffing": {
    title: "Every answer tells browsers to believe its content type",
    section: "Trellis decision, release service: X-Content-Type-Options",
    run: everyResponseHas("X-Content-Type-Options", "nosniff"),
  },
  "https-answers-carry-hsts": {
    title: "A server whose base URL is https tells browsers never to use plain http",
    section: "Trellis decision, release service: HSTS when the base URL is https",
    run: expectHsts,
  },
  "credentials-change-nothing": {
    title: "The API asks for no authentication, and one that is sent changes nothing",
    section: "release contract, Authentication",
    run: ({ api }) =>
      expectEach(["/api/v1/releases", "/api/v1/manifest"], async (path) => {
        const plain = await api.get(path);
        expectStatus(plain, 200, 503);
        expectHeader(plain, "Set-Cookie", undefined);
        const signedIn = await api.get(path, { Authorization: "Bearer x", Cookie: "session=x" });
        expectSame(signedIn, "status", signedIn.status, plain.status);
        expectSame(signedIn, "ETag", signedIn.header("ETag"), plain.header("ETag"));
      }),
  },
  "head-answers-like-get": {
    title: "HEAD answers with the status and headers of GET",
    section: "Trellis decision, shared by all services: HEAD",
    async run(server) {
      await expectEach(await samplePaths(server), async ({ origin, path }) => {
        const get = await origin.get(path);
        const head = await origin.send("HEAD", path);
        expectSame(head, "status", head.status, get.status);
        for (const name of ["Content-Type", "Cache-Control", "ETag", "Location", "Vary"]) {
          expectSame(head, name, head.header(name), get.header(name));
        }
      });
    },
  },
  "head-has-no-body": {
    title: "Nothing follows the headers of an answer to HEAD",
    section: "Trellis decision, shared by all services: HEAD",
    run: ({ api }) => expectHeadHasNoBody(api, ["/health", "/api/v1/releases", "/no/such/route"]),
  },
});
