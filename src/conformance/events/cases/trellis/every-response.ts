import {
  MAX_TARGET_BYTES,
  expectHeadHasNoBody,
  expectHsts,
  expectNewRequestIds,
  expectNoFraming,
  expectOtherMethodsRefused,
  isAllowedByPreflight,
  sendMalformedHttp,
  sendPreflight,
} from "../../../every-service.ts";
import {
  describeResponse,
  expectEach,
  expectHeader,
  expectHeaderMatch,
  expectNoBody,
  expectSame,
  expectStatus,
  fail,
} from "../../../expect.ts";
import type { RequestHeaders } from "../../../http.ts";
import { AUTHORIZE, sendAuthorizationRequest } from "../../authorize.ts";
import { expectAnyError, expectError, expectHealth, expectMetadata } from "../../expectations.ts";
import { EVENTS, HEALTH, METADATA, METHODS_BY_PATH, REVOKE, TOKEN } from "../../requests.ts";
import type { EventsRequirement } from "../../server-under-test.ts";

const SENT = "0b8f6a52-54c4-4e0e-9d3c-0f6f2f2f7a11";
const FROM_AN_APP = { Origin: "https://app.example.org" };
const ORIGIN = "https://app.example.org";

export const EVERY_RESPONSE_CASES: readonly EventsRequirement[] = [
  {
    id: "metadata-describes-the-service",
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
  {
    id: "host-headers-change-nothing",
    title: "The public address is the configured one, whatever Host or a forwarding header says",
    section: "Trellis decision, shared by all services: behind a proxy",
    async run({ api }) {
      const honest = expectMetadata(await api.get(METADATA));
      const response = await api.get(METADATA, {
        Host: "elsewhere.example",
        "X-Forwarded-Host": "elsewhere.example",
        "X-Forwarded-Proto": "http",
        Forwarded: "host=elsewhere.example",
      });
      expectSame(response, "metadata", expectMetadata(response), honest);
    },
  },
  {
    id: "health-says-ok",
    title: "/health says ok and the version of the contract",
    section: "Trellis decision, events service: health",
    async run({ api }) {
      expectHealth(await api.get(HEALTH));
    },
  },
  {
    id: "every-answer-carries-a-request-id",
    title: "Every answer has an X-Request-Id of 22 Base64URL characters",
    section: "Trellis decision, shared by all services: X-Request-Id",
    run: (server) =>
      server.checkEveryResponse((response) =>
        expectHeaderMatch(
          response,
          "X-Request-Id",
          /^[A-Za-z0-9_-]{22}$/,
          "22 Base64URL characters",
        ),
      ),
  },
  {
    id: "request-ids-are-new-for-every-request",
    title: "A request id names one request: it never repeats and is never the caller's",
    section: "Trellis decision, shared by all services: X-Request-Id",
    run: ({ api }) => expectNewRequestIds(api, [HEALTH, HEALTH, "/no/such/route", EVENTS], SENT),
  },
  {
    id: "every-answer-is-never-stored",
    title: "No answer may be stored",
    section: "Trellis decision, events service: rules for every route",
    run: (server) =>
      server.checkEveryResponse((response) =>
        expectHeaderMatch(response, "Cache-Control", /(?:^|,\s*)no-store(?:,|$)/, "no-store"),
      ),
  },
  {
    id: "every-answer-forbids-sniffing",
    title: "Every answer forbids sniffing",
    section: "Trellis decision, events service: rules for every route",
    run: (server) =>
      server.checkEveryResponse((response) =>
        expectHeader(response, "X-Content-Type-Options", "nosniff"),
      ),
  },
  {
    id: "every-answer-denies-framing",
    title: "No answer can be shown in a frame",
    section: "Trellis decision, events service: rules for every route",
    run: expectNoFraming,
  },
  {
    id: "https-answers-carry-hsts",
    title: "A service whose base URL is https tells browsers never to use plain http",
    section: "Trellis decision, events service: rules for every route",
    run: expectHsts,
  },
  {
    id: "apps-may-ask-from-any-origin",
    title: "Any website may read what the routes of apps answer, failures too, without credentials",
    section: "Trellis decision, events service: CORS",
    async run(server) {
      const answers = [
        await server.api.get(METADATA, FROM_AN_APP),
        await server.postForm(TOKEN, { grant_type: "password" }, FROM_AN_APP),
        await server.postForm(REVOKE, {}, FROM_AN_APP),
        await server.api.get(`${EVENTS}?limit=1`, FROM_AN_APP),
        await server.api.send("PUT", EVENTS, FROM_AN_APP),
      ];
      await expectEach(answers, (response) => {
        expectHeader(response, "Access-Control-Allow-Origin", "*");
        expectHeader(response, "Access-Control-Allow-Credentials", undefined);
        for (const name of ["Link", "Retry-After", "WWW-Authenticate"]) {
          const pattern = new RegExp(`(?:^|[ ,])${name}(?:,|$)`, "i");
          expectHeaderMatch(response, "Access-Control-Expose-Headers", pattern, name);
        }
      });
    },
  },
  {
    id: "preflights-allow-what-apps-send",
    title: "A browser's preflight lets apps send a token and a content type from any origin",
    section: "Trellis decision, events service: CORS",
    async run(server) {
      const requests = [
        [TOKEN, "POST", ["content-type"]],
        [REVOKE, "POST", ["content-type"]],
        [EVENTS, "GET", ["authorization"]],
        [METADATA, "GET", []],
      ] as const;
      await expectEach(requests, async ([path, method, headers]) => {
        const response = await sendPreflight(server.api, ORIGIN, path, method, headers);
        expectStatus(response, 204);
        expectNoBody(response);
        if (isAllowedByPreflight(response, ORIGIN, method, headers)) return;
        fail(
          response.asked,
          "a preflight that browsers take for a yes",
          describeResponse(response),
        );
      });
    },
  },
  {
    id: "pages-are-for-their-own-origin",
    title: "No other website may read a page where cookies count, and preflights there are 405",
    section: "Trellis decision, events service: CORS",
    async run(server) {
      const paths = [AUTHORIZE, "/", "/sign-in", "/consent", "/account/apps", HEALTH];
      await expectEach(paths, async (path) => {
        const shown = await server.api.get(path, { Origin: ORIGIN, Accept: "text/html" });
        expectHeader(shown, "Access-Control-Allow-Origin", undefined);
        const asked = await sendPreflight(server.api, ORIGIN, path, "POST", ["content-type"]);
        expectStatus(asked, 405);
        expectHeader(asked, "Access-Control-Allow-Origin", undefined);
      });
    },
  },
  {
    id: "errors-have-their-form",
    title: "An error that is no page is JSON with error and error_description, in ASCII",
    section: "Trellis decision, events service: errors (RFC 6749 5.2)",
    run: (server) =>
      server.checkEveryResponse((response) => {
        const isPage = response.header("Content-Type")?.startsWith("text/html") === true;
        if (response.status < 400 || isPage || response.body.length === 0) return;
        const { error } = expectAnyError(response);
        if (error === "server_error")
          fail(response.asked, "a fault of the request", "server_error");
      }),
  },
  {
    id: "bad-input-is-never-a-server-error",
    title: "Nothing that a client sends is answered with 500 or above",
    section: "Trellis decision, events service: errors",
    async run(server) {
      const odd = [
        "%00",
        "%F0%9F%A7%AA",
        "\u0022%3E%3Cscript%3E",
        "%ff%fe",
        "x".repeat(4000),
        "__proto__",
        "constructor",
      ];
      await expectEach(odd, async (value) => {
        const answers = [
          await server.api.get(`${AUTHORIZE}?client_id=${value}&redirect_uri=${value}`),
          await sendAuthorizationRequest(server, { state: undefined }, `&state=${value}`),
          await sendAuthorizationRequest(server, {}, `&${value}=${value}`),
          await server.postForm(TOKEN, `grant_type=authorization_code&code=${value}&${value}=1`),
          await server.requestToken({
            grant_type: "authorization_code",
            code: decodeLoosely(value),
            client_id: server.clientId(),
            redirect_uri: server.redirectUri,
            code_verifier: decodeLoosely(value),
          }),
          await server.list(`limit=${value}&updated_since=${value}`),
          await server.api.get(`/consent?interaction=${value}`),
        ];
        for (const response of answers) {
          if (response.status >= 500)
            fail(response.asked, "a status below 500", describeResponse(response));
        }
      });
    },
  },
  {
    id: "other-methods-are-405",
    title: "Another method on a known path is 405, and Allow names those there are",
    section: "Trellis decision, shared by all services: other methods",
    run: ({ api }) =>
      expectOtherMethodsRefused(api, METHODS_BY_PATH, ({ asked, status }) => {
        if (status !== 405) fail(asked, "status 405", `status ${status}`);
      }),
  },
  {
    id: "head-answers-like-get",
    title: "HEAD answers with the status and headers of GET",
    section: "Trellis decision, shared by all services: HEAD",
    async run(server) {
      const Authorization = `Bearer ${await server.token()}`;
      const requests: (readonly [string, RequestHeaders])[] = [
        [HEALTH, {}],
        [METADATA, {}],
        [`${EVENTS}?limit=1`, { Authorization }],
        [`${EVENTS}?limit=0`, { Authorization }],
        [EVENTS, {}],
        [AUTHORIZE, {}],
        ["/no/such/route", {}],
      ];
      await expectEach(requests, async ([path, headers]) => {
        const get = await server.api.get(path, headers);
        const head = await server.api.send("HEAD", path, headers);
        expectStatus(head, get.status);
        for (const name of ["Content-Type", "Cache-Control", "WWW-Authenticate"])
          expectHeader(head, name, get.header(name));
      });
    },
  },
  {
    id: "head-has-no-body",
    title: "Nothing follows the headers of an answer to HEAD",
    section: "Trellis decision, shared by all services: HEAD",
    run: ({ api }) => expectHeadHasNoBody(api, [HEALTH, METADATA, AUTHORIZE, "/no/such/route"]),
  },
  {
    id: "paths-are-exact",
    title: "Paths are case-sensitive, without trailing slashes, empty segments or dot segments",
    section: "Trellis decision, shared by all services: paths are exact",
    async run({ api }) {
      const paths = [
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
      ];
      await expectEach(paths, async (path) => expectError(await api.get(path), "not_found"));
    },
  },
  {
    id: "unknown-routes-are-not-found",
    title: "There is nothing at other addresses; a person is told so by a page",
    section: "Trellis decision, events service: errors, not_found",
    async run({ api }) {
      await expectEach(["/no/such/route", "/api", "/api/oauth", "/api/users"], async (path) =>
        expectError(await api.get(path), "not_found"),
      );
      const page = await api.get("/no/such/route", { Accept: "text/html" });
      expectStatus(page, 404);
      expectHeaderMatch(page, "Content-Type", /^text\/html/, "a page");
    },
  },
  {
    id: "malformed-percent-encoding-is-invalid",
    title: "A broken escape in a path is 400",
    section: "Trellis decision, shared by all services: malformed percent-encoding",
    run: ({ api }) =>
      expectEach(["/%zz", "/api/%", "/api/%ff"], async (path) =>
        expectError(await api.get(path), "invalid_request"),
      ),
  },
  {
    id: "over-long-targets-are-414",
    title: "A request target of 8 KiB is looked at, a longer one is 414",
    section: "Trellis decision, shared by all services: request target",
    async run({ api }) {
      const ofLength = (length: number) => `/${"y".repeat(length - api.targetOf("/").length)}`;
      expectError(await api.get(ofLength(MAX_TARGET_BYTES)), "not_found");
      // A proxy may take the path of the base URL off before the server sees the target.
      const tooLong = MAX_TARGET_BYTES + api.targetOf("").length + 1;
      expectError(await api.get(ofLength(tooLong)), "invalid_request", 414);
    },
  },
  {
    id: "malformed-http-does-not-stop-the-server",
    title: "Bytes that are no HTTP do not keep the service from answering the next request",
    section: "Trellis decision, events service: health",
    async run({ api }) {
      await sendMalformedHttp(api, HEALTH, TOKEN);
      expectHealth(await api.get(HEALTH));
    },
  },
];

/** As a client would read it; what it cannot read is sent as it stands. */
function decodeLoosely(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
