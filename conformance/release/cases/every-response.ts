import { CACHE } from "../../../src/contract/release/routes.ts";
import {
  expectEach,
  expectHeader,
  expectJson,
  expectNoBody,
  expectSame,
  expectStatus,
  JSON_CONTENT_TYPE,
} from "../../expect.ts";
import { checkEveryResponse, httpCase } from "../../http-cases.ts";
import { sendPreflight } from "../../preflight.ts";
import { releaseCases } from "../server-under-test.ts";

export const EVERY_RESPONSE_CASES = releaseCases({
  ...httpCase(
    "health-says-ok",
    "release contract, GET /health; Health; Trellis decision: Cache-Control of health",
    "Health is 200 with status, environment and the request's id, and is never stored",
  ),
  "json-answers-name-their-content-type": {
    title: "Every body is UTF-8 JSON and says so in exactly one way, errors included",
    section: "release contract, What the service does: convention 1",
    run: (server) =>
      checkEveryResponse(server, (response) => {
        if (response.status === 204 || (response.status >= 300 && response.status < 400)) return;
        expectHeader(response, "Content-Type", JSON_CONTENT_TYPE);
        expectJson(response);
      }),
  },
  ...httpCase(
    "every-answer-carries-a-request-id",
    "Trellis decision, shared by all services: X-Request-Id on every response",
    "Every answer has an X-Request-Id, a random UUID (version 4)",
  ),
  ...httpCase(
    "request-ids-are-new-for-every-request",
    "release contract, ErrorResponse: requestId; Trellis decision: random per request",
  ),
  ...httpCase(
    "error-bodies-repeat-the-request-id",
    "release contract, ErrorResponse: error.requestId; Trellis decision: requestId",
    "The requestId of an error body is the answer's X-Request-Id",
  ),
  "errors-are-never-stored": {
    title: "No cache may keep an error answer",
    section: "Trellis decision, release service: Cache-Control of errors",
    run: (server) =>
      checkEveryResponse(server, (response) => {
        if (response.status >= 400) expectHeader(response, "Cache-Control", CACHE.never);
      }),
  },
  "every-answer-allows-any-origin": {
    title: "Any website may read every answer, whether or not the request names an origin",
    section: "Trellis decision, release service: CORS",
    async run(server) {
      await checkEveryResponse(server, (response) =>
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
  ...httpCase(
    "every-answer-forbids-sniffing",
    "Trellis decision, release service: X-Content-Type-Options",
  ),
  ...httpCase(
    "https-answers-carry-hsts",
    "Trellis decision, release service: HSTS when the base URL is https",
  ),
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
  ...httpCase("head-answers-like-get", "Trellis decision, shared by all services: HEAD"),
  ...httpCase("head-has-no-body", "Trellis decision, shared by all services: HEAD"),
});
