import type { SyncErrorCode } from "../../../src/contract/sync/errors.ts";
import { DEFAULT_SYNC_LIMITS } from "../../../src/contract/sync/values.ts";
import { expectEach } from "../../expect.ts";
import { expectSignedIn, JSON_BODY } from "../device.ts";
import { expectError, expectErrors } from "../expectations.ts";
import {
  POST_ROUTES,
  postRoute,
  PROTECTED_PATHS,
  PUBLIC_PATHS,
  type PostRoute,
  type RequestChanges,
} from "../requests.ts";
import { syncCases, type SyncServerUnderTest } from "../server-under-test.ts";
import { createAttempt, postAuthorize } from "../sign-in.ts";

export const REQUEST_BODY_CASES = syncCases({
  "bodies-must-be-json": {
    title: "A body with another content type is 415 on every route that takes one",
    section: "sync contract, General request rules 1",
    run(server) {
      const types = [
        undefined,
        "text/plain",
        "text/json",
        "application/x-www-form-urlencoded",
        "application/json-patch+json",
        "application/jsonp",
        "multipart/form-data; boundary=x",
      ];
      const changes = types.map((type) => ({ headers: { "Content-Type": type } }));
      return expectErrorOfEach(server, "unsupported_media_type", () => changes);
    },
  },
  "json-may-name-its-charset": {
    title: "Letter case and a charset parameter do not change that a body is JSON",
    section: "sync contract, General request rules 1; RFC 9110, 8.3.1",
    run(server) {
      const types = [
        "application/json; charset=utf-8",
        "Application/JSON",
        "application/json;charset=UTF-8",
      ];
      return expectErrors("invalid_refresh_token", types, (type) =>
        server.api.send("POST", "/v1/refresh", { "Content-Type": type }, UNKNOWN_REFRESH),
      );
    },
  },
  "encoded-bodies-are-refused": {
    title: "A body with a Content-Encoding is 415",
    section: "Trellis decision, sync service: Content-Encoding",
    run: (server) =>
      expectErrorOfEach(server, "unsupported_media_type", () =>
        ["gzip", "br", "deflate"].map((encoding) => ({
          headers: { "Content-Encoding": encoding },
        })),
      ),
  },
  "bodies-over-the-limit-are-413": {
    title: "A body of the limit is read, a longer one is 413, whether or not it says its length",
    section: "sync contract, Limits: maximum request body; Errors 4",
    async run(server) {
      const { maxBodyBytes } = await server.limits();
      // A server may take longer pushes than the contract's limit, but no other longer body.
      const maxOtherBytes = Math.min(maxBodyBytes, DEFAULT_SYNC_LIMITS.maxBodyBytes);
      const chunked = { "Transfer-Encoding": "chunked" };
      await expectErrorOfEach(server, "payload_too_large", ({ path, sampleBody }) => {
        const limit = path === "/v1/push" ? maxBodyBytes : maxOtherBytes;
        const body = JSON.stringify(sampleBody).padEnd(limit + 1);
        return [{ body }, { body, headers: chunked }];
      });
      const longest = UNKNOWN_REFRESH.padEnd(maxOtherBytes);
      const lengths = [JSON_BODY, { ...JSON_BODY, ...chunked }];
      await expectErrors("invalid_refresh_token", lengths, (headers) =>
        server.api.send("POST", "/v1/refresh", headers, longest),
      );
    },
  },
  "unparsable-bodies-are-invalid-json": {
    title: "An empty body, or one that is no UTF-8 JSON, is invalid_json",
    section: "Trellis decision, sync service: invalid_json",
    run(server) {
      const bodies = [
        "",
        " ",
        "{",
        "nothing",
        "{'a':1}",
        '{"a":1,}',
        '{"a":1}{"b":2}',
        '{"a":NaN}',
        Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d),
      ];
      const changes = bodies.map((body) => ({ body }));
      return expectErrorOfEach(server, "invalid_json", () => changes);
    },
  },
  "repeated-members-are-invalid-json": {
    title: "A body in which an object has a name twice is invalid_json, in any spelling",
    section: "Trellis decision, sync service: what is refused",
    run: (server) =>
      expectErrorOfEach(server, "invalid_json", ({ sampleBody }) => {
        const [[name, value] = ["", null]] = Object.entries(sampleBody);
        const spelled = `"\\u00${name.charCodeAt(0).toString(16)}${name.slice(1)}"`;
        return [`"${name}"`, spelled].map((twice) => ({
          body: `{${twice}:${JSON.stringify(value)},${JSON.stringify(sampleBody).slice(1)}`,
        }));
      }),
  },
  "byte-order-marks-are-invalid-json": {
    title: "A body that begins with a byte order mark is invalid_json",
    section: "Trellis decision, sync service: what is refused (RFC 8259, 8.1)",
    run: (server) =>
      expectErrorOfEach(server, "invalid_json", ({ sampleBody }) => [
        { body: `\ufeff${JSON.stringify(sampleBody)}` },
      ]),
  },
  "other-charsets-are-refused": {
    title: "A body whose content type names another charset than UTF-8 is 415",
    section: "Trellis decision, sync service: what is refused",
    run: (server) =>
      expectErrorOfEach(server, "unsupported_media_type", () =>
        ["latin1", '"utf-16"', "us-ascii"].map((charset) => ({
          headers: { "Content-Type": `application/json; charset=${charset}` },
        })),
      ),
  },
  "unexpected-bodies-are-refused": {
    title: "A body where the route takes none is 400, over the limit 413, and does nothing",
    section: "Trellis decision, sync service: what is refused",
    async run(server) {
      const { api } = server;
      const { bearer } = await server.device();
      const { maxBodyBytes } = await server.limits();
      const chunked = { ...bearer, "Transfer-Encoding": "chunked" };
      const requests = [
        ...[...PUBLIC_PATHS, ...PROTECTED_PATHS].map((path) => ["GET", path] as const),
        ["DELETE", "/v1/device"] as const,
      ];
      await expectEach(requests, async ([method, path]) => {
        for (const headers of [bearer, chunked]) {
          expectError(await api.send(method, path, headers, "{}"), "invalid_request");
          const large = " ".repeat(maxBodyBytes + 1);
          expectError(await api.send(method, path, headers, large), "payload_too_large");
        }
      });
      await expectSignedIn(await server.device());
    },
  },
  "bodies-must-be-objects": {
    title: "A body that is JSON but no object is invalid_request",
    section: "Trellis decision, sync service: invalid_request",
    run: (server) =>
      expectErrorOfEach(server, "invalid_request", () =>
        ["null", "[]", "1", '"text"', "true"].map((body) => ({ body })),
      ),
  },
  "unknown-members-are-refused": {
    title: "A member that a body does not have is invalid_request on every route",
    section: "sync contract, General request rules 2: unknown fields",
    async run(server) {
      const { attempt } = await createAttempt(server);
      const beginning = { action: "begin", csrf: attempt.state, attempt, extra: 1 };
      expectError(await postAuthorize(server, beginning, attempt.state), "invalid_request");
      await expectErrorOfEach(server, "invalid_request", ({ sampleBody }) => [
        { body: JSON.stringify({ ...sampleBody, extra: 1 }) },
      ]);
      await expectSignedIn(await server.device());
    },
  },
  "members-are-checked": {
    title: "A missing member, or one of another type, is invalid_request on every route",
    section: "Trellis decision, sync service: invalid_request",
    async run(server) {
      await expectErrorOfEach(server, "invalid_request", ({ sampleBody }) =>
        Object.keys(sampleBody)
          // POST /v1/revoke works without its only member.
          .flatMap((name) =>
            [...(name === "scope" ? [] : [undefined]), 7, null, {}].map((value) => {
              const { [name]: _member, ...rest } = sampleBody;
              return { ...rest, [name]: value };
            }),
          )
          .map((body) => ({ body: JSON.stringify(body) })),
      );
      await expectSignedIn(await server.device());
    },
  },
});

const UNKNOWN_REFRESH = JSON.stringify({ grantType: "refresh_token", refreshToken: "none" });

/** Sends the requests to every POST route. */
function expectErrorOfEach(
  server: SyncServerUnderTest,
  code: SyncErrorCode,
  requestsOf: (route: PostRoute) => readonly RequestChanges[],
): Promise<void> {
  return expectEach(POST_ROUTES, (route) =>
    expectErrors(code, requestsOf(route), (changes) => postRoute(server, route, changes)),
  );
}
