import { expectEach, expectSame, expectStatus } from "../../expect.ts";
import { expectOtherMethodsRefused, httpCase, sharedCase } from "../../http-cases.ts";
import {
  expectAnyError,
  expectError,
  expectErrorAt,
  expectErrorsAt,
  expectList,
  expectRelease,
} from "../expectations.ts";
import { UNKNOWN_VERSION, updatePath } from "../requests.ts";
import { releaseCases } from "../server-under-test.ts";

/** Paths that the service has, whatever its releases. */
const PATHS = [
  "/health",
  "/download",
  "/api/v1/manifest",
  "/api/v1/releases",
  "/api/v1/releases/latest",
  "/api/v1/update/linux",
  "/api/v1/download/linux",
  "/api/v1/download/linux/x64",
];

export const ADDRESS_CASES = releaseCases({
  "other-methods-are-not-found": {
    title: "A known path asked with another method than GET or HEAD is 404 not_found",
    section: "release contract, Endpoints: all routes are GET; Trellis decision: other methods",
    run: expectOtherMethodsRefused,
  },
  "unknown-routes-are-not-found": {
    title: "A route that does not exist is 404 not_found",
    section: "release contract, What the service does: convention 8; Errors: not_found",
    run: ({ api }) =>
      expectErrorAt(api, "not_found", [
        "/",
        "/api",
        "/api/v1",
        "/api/v1/update",
        "/api/v1/download",
        "/api/v1/drafts",
        "/api/v2/releases",
        "/api/releases",
        "/v1/health",
        "/manifest",
        "/favicon.ico",
      ]),
  },
  "extra-path-segments-are-not-found": {
    title: "A path with segments beyond a route is 404 not_found, never a private subresource",
    section:
      "release contract, What the service does: convention 8; GET /api/v1/releases/{version}",
    async run(server) {
      const [newest] = await server.published();
      const versions = [
        newest?.version ?? UNKNOWN_VERSION,
        UNKNOWN_VERSION,
        ...(server.input.fixtures?.drafts ?? []),
      ];
      const paths = [
        "/health/live",
        "/download/linux",
        "/api/v1/manifest/payload",
        "/api/v1/releases/latest/notes",
        "/api/v1/update/linux/x64",
        "/api/v1/download/linux/x64/extra",
        ...versions.flatMap((version) => [
          `/api/v1/releases/${version}/notes`,
          `/api/v1/releases/${version}/artifacts`,
          `/api/v1/releases/${version}/downloads/linux`,
        ]),
      ];
      await expectErrorAt(server.api, "not_found", paths);
    },
  },
  "paths-are-case-sensitive": {
    title: "Paths and the values in them are read in the case they are written in",
    section: "Trellis decision, shared by all services: paths are exact",
    run: ({ api }) =>
      expectErrorsAt(api, {
        "/Health": "not_found",
        "/DOWNLOAD": "not_found",
        "/API/v1/manifest": "not_found",
        "/api/V1/manifest": "not_found",
        "/api/v1/Releases": "not_found",
        "/api/v1/releases/Latest": "release_not_found",
        "/api/v1/download/Linux": "platform_not_supported",
        "/api/v1/update/Linux?version=1.0.0&build=1": "invalid_update_request",
      }),
  },
  "trailing-slashes-are-not-found": {
    title: "A path with a slash at its end is another path, and 404 not_found",
    section: "Trellis decision, shared by all services: paths are exact",
    async run(server) {
      const [newest] = await server.published();
      const version = newest?.version ?? UNKNOWN_VERSION;
      const concrete = [`/api/v1/releases/${version}`, `/api/v1/releases/${version}/downloads`];
      const paths = [...PATHS, ...concrete].map((path) => `${path}/`);
      await expectErrorAt(server.api, "not_found", paths);
    },
  },
  "empty-segments-are-not-found": {
    title: "Two slashes in a row are not read as one",
    section: "Trellis decision, shared by all services: paths are exact",
    run: ({ api }) =>
      expectErrorAt(
        api,
        "not_found",
        PATHS.flatMap((path) =>
          [...path.matchAll(/\//g)].map(
            ({ index }) => `${path.slice(0, index)}/${path.slice(index)}`,
          ),
        ),
      ),
  },
  "dot-segments-are-not-resolved": {
    title: "Dot segments of a raw path lead nowhere",
    section: "Trellis decision, release service: dot segments in a raw path",
    async run({ api }) {
      const paths = [
        "/./health",
        "/api/../health",
        "/api/v1/../v1/manifest",
        "/api/v1/./releases",
        "/api/v1/releases/../releases/latest",
        "/api/v1/releases/..",
        "/%2e%2e/health",
        "/api/v1/releases/%2e%2e/manifest",
      ];
      await expectEach(paths, async (path) => {
        const response = await api.get(path);
        expectAnyError(response);
        expectStatus(response, 404);
      });
    },
  },
  "encoded-slashes-stay-in-their-segment": {
    title: "An encoded slash is a character of its segment and separates nothing",
    section: "Trellis decision, shared by all services: paths are exact, decoded once",
    async run(server) {
      const [newest] = await server.latestOfEach();
      const version = newest?.version;
      await expectErrorsAt(server.api, {
        [`/api/v1/releases/${version}%2Fdownloads`]: "release_not_found",
        [`/api/v1/releases%2F${version}`]: "not_found",
        "/api/v1/download/linux%2Fx64": "platform_not_supported",
        "/api%2Fv1/manifest": "not_found",
      });
    },
  },
  "malformed-percent-encoding-in-a-path-is-not-found": {
    title: "A path that cannot be decoded is 404 not_found",
    section: "Trellis decision, release service: malformed percent-encoding in a path",
    run: ({ api }) =>
      expectErrorAt(api, "not_found", [
        "/%",
        "/health%",
        "/api/v1/releases/%zz",
        "/api/v1/releases/1.0.0%2",
        "/api/v1/releases/%E0%A4%A",
        "/api/v1/update/%?version=1.0.0&build=1",
        "/api/v1/download/linux/%g0",
      ]),
  },
  "path-values-are-decoded-once": {
    title: "A value in a path is percent-decoded once, and only once",
    section: "Trellis decision, shared by all services: percent-decoding once",
    async run(server) {
      const [newest] = await server.latestOfEach();
      const version = newest?.version ?? "";
      const once = await server.api.get(`/api/v1/releases/${version.replaceAll(".", "%2E")}`);
      expectSame(once, "the release", expectRelease(once).version, version);
      const twice = await server.api.get(`/api/v1/releases/${version.replaceAll(".", "%252E")}`);
      expectError(twice, "release_not_found");
    },
  },
  "over-long-targets-are-not-found": sharedCase(
    "over-long-targets-are-414",
    "release contract, Errors: not_found; Trellis decision, shared by all services: request target",
    "A request target of 8 KiB is served, a longer one is 404 not_found",
  ),
  "repeated-query-parameters-are-invalid": {
    title: "A query parameter that comes twice is an invalid value of it, never the first one",
    section: "Trellis decision, shared by all services: repeated query parameters",
    run: ({ api }) =>
      expectErrorsAt(api, {
        "/api/v1/releases?page=1&page=1": "invalid_pagination",
        "/api/v1/releases?limit=10&limit=20": "invalid_pagination",
        "/api/v1/releases?channel=stable&channel=stable": "invalid_channel",
        "/api/v1/releases/latest?channel=stable&channel=beta": "invalid_channel",
        "/api/v1/update/linux?version=1.0.0&version=1.0.0&build=1": "invalid_update_request",
        "/api/v1/update/linux?version=1.0.0&build=1&build=2": "invalid_update_request",
        "/api/v1/update/linux?version=1.0.0&build=1&channel=stable&channel=stable":
          "invalid_channel",
        "/api/v1/download/linux?channel=stable&channel=stable": "invalid_channel",
        "/api/v1/download/linux/x64?channel=beta&channel=stable": "invalid_channel",
      }),
  },
  "malformed-percent-encoding-in-a-query-is-invalid": {
    title: "A query value that cannot be decoded is invalid, and only the parameter it belongs to",
    section: "Trellis decision, release service: malformed percent-encoding in a query",
    async run({ api }) {
      await expectErrorsAt(api, {
        "/api/v1/releases?page=%": "invalid_pagination",
        "/api/v1/releases?limit=1%0": "invalid_pagination",
        "/api/v1/releases?channel=stable%zz": "invalid_channel",
        "/api/v1/releases/latest?channel=%": "invalid_channel",
        "/api/v1/update/linux?version=1.0.0%2&build=1": "invalid_update_request",
        "/api/v1/download/linux?channel=beta%g0": "invalid_channel",
      });
      expectList(await api.get("/api/v1/releases?campaign=%zz"));
    },
  },
  "unknown-query-parameters-are-ignored": {
    title: "Parameters that a route does not know change nothing",
    section: "Trellis decision, release service: unknown query parameters",
    async run(server) {
      const [newest] = await server.latestOfEach();
      const paths = [
        "/api/v1/releases",
        "/api/v1/manifest",
        // The concrete release takes no channel, so even a wrong one is unknown to it.
        `/api/v1/releases/${newest?.version}`,
      ];
      await expectEach(paths, async (path) => {
        const plain = await server.api.get(path);
        const extended = await server.api.get(`${path}?utm_source=mail&utm_source=web&v&=&Page=0`);
        expectSame(extended, "status", extended.status, plain.status);
        expectSame(extended, "ETag", extended.header("ETag"), plain.header("ETag"));
      });
      const concrete = await server.api.get(`/api/v1/releases/${newest?.version}?channel=nightly`);
      expectSame(concrete, "status", concrete.status, 200);
    },
  },
  "channel-is-stable-or-beta": {
    title:
      "Any other channel than stable or beta is 400 invalid_channel on every route that takes one",
    section: "release contract, Errors: invalid_channel; ReleaseChannel",
    async run({ api }) {
      const paths = [
        "/api/v1/releases?",
        "/api/v1/releases/latest?",
        `${updatePath({ version: "1.0.0", build: 1 })}&`,
        "/api/v1/download/linux?",
        "/api/v1/download/linux/x64?",
      ];
      const requests = paths.flatMap((path) =>
        ["", "nightly", "Stable", "BETA", "stable%20", "stable,beta", "draft"].map(
          (text) => `${path}channel=${text}`,
        ),
      );
      await expectErrorAt(api, "invalid_channel", requests);
    },
  },
  "bodies-are-ignored": {
    title: "A body changes nothing, because no route reads one",
    section: "Trellis decision, release service: what is refused",
    run: ({ api }) =>
      expectEach(PATHS.slice(0, 5), async (path) => {
        const { status } = await api.get(path);
        expectStatus(await api.send("GET", path, {}, "{}"), status);
        const chunked = { "Transfer-Encoding": "chunked", "Content-Type": "text/plain" };
        expectStatus(await api.send("GET", path, chunked, "x".repeat(300_000)), status);
      }),
  },
  ...httpCase("malformed-http-gets-a-declared-error", "release contract, Errors"),
  ...httpCase("what-no-route-can-mean-is-refused", "release contract, Errors"),
  ...httpCase(
    "malformed-http-does-not-stop-the-server",
    "release contract, GET /health; Errors: any undeclared failure is one answer",
  ),
});
