import { decodeComponent } from "../../../../src/contract/parse-query.ts";
import {
  everyResponseHas,
  expectHeadHasNoBody,
  expectHeadLikeGet,
  expectHsts,
  expectNewRequestIds,
  expectNoFraming,
  expectOtherMethodsRefused,
  expectPreflightAllows,
  expectRequestId,
  expectTargetLimit,
  sendMalformedHttp,
  sendPreflight,
} from "../../../every-service.ts";
import {
  describeResponse,
  expectEach,
  expectHeader,
  expectHeaderMatch,
  expectSame,
  expectStatus,
  fail,
} from "../../../expect.ts";
import type { SentHeaders } from "../../../http.ts";
import { AUTHORIZE } from "../../authorize.ts";
import {
  expectAnyError,
  expectError,
  expectErrorAt,
  expectHealth,
  expectMetadata,
} from "../../expectations.ts";
import {
  EVENTS,
  HEALTH,
  METADATA,
  METHODS_BY_PATH,
  REVOKE,
  TOKEN,
  createTokenRequest,
} from "../../requests.ts";
import { eventsCases } from "../../server-under-test.ts";

const CALLER_ID = "0b8f6a52-54c4-4e0e-9d3c-0f6f2f2f7a11";
const ORIGIN = "https://app.example.org";

export const EVERY_RESPONSE_CASES = eventsCases({
  "metadata-describes-the-service": {
    title: "The metadata name the issuer and its routes",
    section: "Trellis decision, events service: RFC 8414 metadata",
    async run({ api, publicUrl }) {
      const response = await api.get(METADATA);
      const metadata = expectMetadata(response);
      expectSame(response, "issuer", metadata.issuer, publicUrl);
      expectSame(
        response,
        "authorization_endpoint",
        metadata.authorization_endpoint,
        publicUrl + AUTHORIZE,
      );
      expectSame(response, "token_endpoint", metadata.token_endpoint, publicUrl + TOKEN);
      expectSame(response, "revocation_endpoint", metadata.revocation_endpoint, publicUrl + REVOKE);
    },
  },
  "host-headers-change-nothing": {
    title: "The public address is the configured one, whatever Host or a forwarding header says",
    section: "Trellis decision, shared by all services: behind a proxy",
    async run({ api }) {
      const usual = expectMetadata(await api.get(METADATA));
      const response = await api.get(METADATA, {
        Host: "elsewhere.example",
        "X-Forwarded-Host": "elsewhere.example",
        "X-Forwarded-Proto": "http",
        Forwarded: "host=elsewhere.example",
      });
      expectSame(response, "metadata", expectMetadata(response), usual);
    },
  },
  "health-says-ok": {
    title: "/health says ok and the version of the contract",
    section: "Trellis decision, events service: health",
    async run({ api }) {
      expectHealth(await api.get(HEALTH));
    },
  },
  "every-answer-carries-a-request-id": {
    title: "Every answer has an X-Request-Id of 22 Base64URL characters",
    section: "Trellis decision, shared by all services: X-Request-Id",
    run: (server) => server.checkEveryResponse(expectRequestId),
  },
  "request-ids-are-new-for-every-request": {
    title: "A request id names one request: it never repeats and is never the caller's",
    section: "Trellis decision, shared by all services: X-Request-Id",
    run: ({ api }) =>
      expectNewRequestIds(api, [HEALTH, HEALTH, "/no/such/route", EVENTS], CALLER_ID),
  },
  "every-answer-is-never-stored": {
    title: "No answer may be stored",
    section: "Trellis decision, events service: rules for every route",
    run: (server) =>
      server.checkEveryResponse((response) =>
        expectHeaderMatch(response, "Cache-Control", /(?:^|,\s*)no-store(?:,|$)/, "no-store"),
      ),
  },
  "every-answer-forbids-sniffing": {
    title: "Every answer forbids sniffing",
    section: "Trellis decision, events service: rules for every route",
    run: everyResponseHas("X-Content-Type-Options", "nosniff"),
  },
  "every-answer-denies-framing": {
    title: "No answer can be shown in a frame",
    section: "Trellis decision, events service: rules for every route",
    run: expectNoFraming,
  },
  "https-answers-carry-hsts": {
    title: "A service whose base URL is https tells browsers never to use plain http",
    section: "Trellis decision, events service: rules for every route",
    run: expectHsts,
  },
  "apps-may-ask-from-any-origin": {
    title: "Any website may read what the routes of apps answer, failures too, without credentials",
    section: "Trellis decision, events service: CORS",
    async run(server) {
      const headers = { Origin: ORIGIN };
      const responses = [
        await server.api.get(METADATA, headers),
        await server.postForm(TOKEN, { grant_type: "password" }, headers),
        await server.postForm(REVOKE, {}, headers),
        await server.api.get(`${EVENTS}?limit=1`, headers),
        await server.api.send("PUT", EVENTS, headers),
      ];
      await expectEach(responses, (response) => {
        expectHeader(response, "Access-Control-Allow-Origin", "*");
        expectHeader(response, "Access-Control-Allow-Credentials", undefined);
        for (const name of ["Link", "Retry-After", "WWW-Authenticate"]) {
          const pattern = new RegExp(`(?:^|[ ,])${name}(?:,|$)`, "i");
          expectHeaderMatch(response, "Access-Control-Expose-Headers", pattern, name);
        }
      });
    },
  },
  "preflights-allow-what-apps-send": {
    title: "A browser's preflight lets apps send a token and a content type from any origin",
    section: "Trellis decision, events service: CORS",
    async run(server) {
      const requests = [
        [TOKEN, "POST", ["content-type"]],
        [REVOKE, "POST", ["content-type"]],
        [EVENTS, "GET", ["authorization"]],
        [METADATA, "GET", []],
      ] as const;
      await expectEach(requests, ([path, method, headers]) =>
        expectPreflightAllows(server.api, ORIGIN, path, method, headers),
      );
    },
  },
  "pages-are-for-their-own-origin": {
    title: "No other website may read a page where cookies count, and preflights there are 405",
    section: "Trellis decision, events service: CORS",
    async run(server) {
      const paths = [AUTHORIZE, "/", "/sign-in", "/consent", "/account/apps", HEALTH];
      await expectEach(paths, async (path) => {
        const page = await server.api.get(path, { Origin: ORIGIN, Accept: "text/html" });
        expectHeader(page, "Access-Control-Allow-Origin", undefined);
        const preflight = await sendPreflight(server.api, ORIGIN, path, "POST", ["content-type"]);
        expectStatus(preflight, 405);
        expectHeader(preflight, "Access-Control-Allow-Origin", undefined);
      });
    },
  },
  "errors-have-their-form": {
    title: "An error that is no page is JSON with error and error_description, in ASCII",
    section: "Trellis decision, events service: errors (RFC 6749 5.2)",
    run: (server) =>
      server.checkEveryResponse((response) => {
        const isPage = response.header("Content-Type")?.startsWith("text/html") === true;
        if (response.status < 400 || isPage || response.body.length === 0) return;
        const { error } = expectAnyError(response);
        if (error !== "server_error") return;
        fail(response, "an error of the request", error);
      }),
  },
  "bad-input-is-never-a-server-error": {
    title: "Nothing that a client sends is answered with 500 or above",
    section: "Trellis decision, events service: errors",
    async run(server) {
      const values = [
        "%00",
        "%F0%9F%A7%AA",
        "\u0022%3E%3Cscript%3E",
        "%ff%fe",
        "x".repeat(4000),
        "__proto__",
        "constructor",
      ];
      await expectEach(values, async (value) => {
        const decoded = decodeComponent(value) ?? value;
        const responses = [
          await server.api.get(`${AUTHORIZE}?client_id=${value}&redirect_uri=${value}`),
          await server.authorize({ state: undefined }, `&state=${value}`),
          await server.authorize({}, `&${value}=${value}`),
          await server.postForm(TOKEN, `grant_type=authorization_code&code=${value}&${value}=1`),
          await server.requestToken(createTokenRequest(server, decoded, decoded)),
          await server.list(`limit=${value}&updated_since=${value}`),
          await server.api.get(`/consent?interaction=${value}`),
        ];
        const failed = responses.find(({ status }) => status >= 500);
        if (failed !== undefined) {
          fail(failed, "a status below 500", describeResponse(failed));
        }
      });
    },
  },
  "other-methods-are-405": {
    title: "Another method on a known path is 405, and Allow names those there are",
    section: "Trellis decision, shared by all services: other methods",
    run: ({ api }) =>
      expectOtherMethodsRefused(api, METHODS_BY_PATH, ({ asked, status }) => {
        if (status !== 405) fail(asked, "status 405", `status ${status}`);
      }),
  },
  "head-answers-like-get": {
    title: "HEAD answers with the status and headers of GET",
    section: "Trellis decision, shared by all services: HEAD",
    async run(server) {
      const Authorization = `Bearer ${await server.token()}`;
      const requests: (readonly [string, SentHeaders])[] = [
        [HEALTH, {}],
        [METADATA, {}],
        [`${EVENTS}?limit=1`, { Authorization }],
        [`${EVENTS}?limit=0`, { Authorization }],
        [EVENTS, {}],
        [AUTHORIZE, {}],
        ["/no/such/route", {}],
      ];
      const names = ["Content-Type", "Cache-Control", "WWW-Authenticate"];
      await expectEach(requests, ([path, headers]) =>
        expectHeadLikeGet(server.api, path, headers, names),
      );
    },
  },
  "head-has-no-body": {
    title: "Nothing follows the headers of an answer to HEAD",
    section: "Trellis decision, shared by all services: HEAD",
    run: ({ api }) => expectHeadHasNoBody(api, [HEALTH, METADATA, AUTHORIZE, "/no/such/route"]),
  },
  "paths-are-exact": {
    title: "Paths are case-sensitive, without trailing slashes, empty segments or dot segments",
    section: "Trellis decision, shared by all services: paths are exact",
    run: ({ api }) =>
      expectErrorAt(api, "not_found", [
        "/API/events",
        "/api/Events",
        "/api/events/",
        "//api/events",
        "/api//events",
        "/api/./events",
        "/api/x/../events",
        "/api%2Fevents",
        "/api/ev%2565nts",
        "/health/",
      ]),
  },
  "unknown-routes-are-not-found": {
    title: "There is nothing at other addresses; a person is told so by a page",
    section: "Trellis decision, events service: errors, not_found",
    async run({ api }) {
      await expectErrorAt(api, "not_found", ["/no/such/route", "/api", "/api/oauth", "/api/users"]);
      const page = await api.get("/no/such/route", { Accept: "text/html" });
      expectStatus(page, 404);
      expectHeaderMatch(page, "Content-Type", /^text\/html/, "a page");
    },
  },
  "malformed-percent-encoding-is-invalid": {
    title: "A broken escape in a path is 400",
    section: "Trellis decision, shared by all services: malformed percent-encoding",
    run: ({ api }) => expectErrorAt(api, "invalid_request", ["/%zz", "/api/%", "/api/%ff"]),
  },
  "over-long-targets-are-414": {
    title: "A request target of 8 KiB is looked at, a longer one is 414",
    section: "Trellis decision, shared by all services: request target",
    run: ({ api }) =>
      expectTargetLimit(
        api,
        (response) => expectError(response, "not_found"),
        (response) => expectError(response, "invalid_request", 414),
      ),
  },
  "malformed-http-does-not-stop-the-server": {
    title: "Bytes that are no HTTP do not keep the service from answering the next request",
    section: "Trellis decision, events service: health",
    async run({ api }) {
      await sendMalformedHttp(api, HEALTH, TOKEN);
      expectHealth(await api.get(HEALTH));
    },
  },
});
