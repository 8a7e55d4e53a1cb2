import { decodeComponent } from "../../../../src/contract/parse-query.ts";
import {
  describeResponse,
  expectEach,
  expectHeader,
  expectHeaderMatch,
  expectSame,
  expectStatus,
  fail,
} from "../../../expect.ts";
import { checkEveryResponse, httpCase, isPage, misspell } from "../../../http-cases.ts";
import { expectPreflightAllows, sendPreflight } from "../../../preflight.ts";
import { AUTHORIZE } from "../../authorize.ts";
import { expectAnyError, expectErrorAt, expectMetadata } from "../../expectations.ts";
import { createTokenRequest, EVENTS, HEALTH, METADATA, REVOKE, TOKEN } from "../../requests.ts";
import { eventsCases } from "../../server-under-test.ts";

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
  ...httpCase("health-says-ok", "Trellis decision, events service: health"),
  ...httpCase(
    "every-answer-carries-a-request-id",
    "Trellis decision, shared by all services: X-Request-Id",
  ),
  ...httpCase(
    "request-ids-are-new-for-every-request",
    "Trellis decision, shared by all services: X-Request-Id",
  ),
  "every-answer-is-never-stored": {
    title: "No answer may be stored",
    section: "Trellis decision, events service: rules for every route",
    run: (server) =>
      checkEveryResponse(server, (response) =>
        expectHeaderMatch(response, "Cache-Control", /(?:^|,\s*)no-store(?:,|$)/, "no-store"),
      ),
  },
  ...httpCase(
    "every-answer-forbids-sniffing",
    "Trellis decision, events service: rules for every route",
    "Every answer forbids sniffing",
  ),
  ...httpCase(
    "every-answer-denies-framing",
    "Trellis decision, events service: rules for every route",
  ),
  ...httpCase(
    "https-answers-carry-hsts",
    "Trellis decision, events service: rules for every route",
    "A service whose base URL is https tells browsers never to use plain http",
  ),
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
      checkEveryResponse(server, (response) => {
        if (response.status < 400 || isPage(response) || response.body.length === 0) return;
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
  ...httpCase("other-methods-are-405", "Trellis decision, shared by all services: other methods"),
  ...httpCase("head-answers-like-get", "Trellis decision, shared by all services: HEAD"),
  ...httpCase("head-has-no-body", "Trellis decision, shared by all services: HEAD"),
  "paths-are-exact": {
    title: "Paths are case-sensitive, without trailing slashes, empty segments or dot segments",
    section: "Trellis decision, shared by all services: paths are exact",
    run: ({ api }) => expectErrorAt(api, "not_found", misspell(EVENTS)),
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
  ...httpCase(
    "over-long-targets-are-414",
    "Trellis decision, shared by all services: request target",
  ),
  ...httpCase("malformed-http-gets-a-declared-error", "Trellis decision, events service: errors"),
  ...httpCase("what-no-route-can-mean-is-refused", "Trellis decision, events service: errors"),
  ...httpCase(
    "malformed-http-does-not-stop-the-server",
    "Trellis decision, events service: health",
    "Bytes that are no HTTP do not keep the service from answering the next request",
  ),
});
