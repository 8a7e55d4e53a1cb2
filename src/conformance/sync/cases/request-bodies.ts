import { expectEach } from "../../expect.ts";
import { JSON_BODY, expectSignedIn } from "../device.ts";
import { expectError } from "../expectations.ts";
import { POST_ROUTES, createHeaders } from "../requests.ts";
import type { SyncCase } from "../server-under-test.ts";
import { createAttempt, postAuthorize } from "../sign-in.ts";

export const REQUEST_BODY_CASES: readonly SyncCase[] = [
  {
    id: "bodies-must-be-json",
    title: "A body with another content type is 415 on every route that takes one",
    section: "sync contract, General request rules 1",
    async run(server) {
      const types = [
        "",
        "text/plain",
        "text/json",
        "application/x-www-form-urlencoded",
        "application/json-patch+json",
        "application/jsonp",
        "multipart/form-data; boundary=x",
      ];
      await expectEach(POST_ROUTES, async (route) => {
        const { "Content-Type": _type, ...headers } = await createHeaders(server, route);
        const body = JSON.stringify(route.sampleBody);
        await expectEach(types, async (type) => {
          const sent = type === "" ? headers : { ...headers, "Content-Type": type };
          const response = await server.api.send("POST", route.path, sent, body);
          expectError(response, "unsupported_media_type");
        });
      });
    },
  },
  {
    id: "json-may-name-its-charset",
    title: "Letter case and a charset parameter do not change that a body is JSON",
    section: "sync contract, General request rules 1; RFC 9110, 8.3.1",
    async run(server) {
      const types = [
        "application/json; charset=utf-8",
        "Application/JSON",
        "application/json;charset=UTF-8",
      ];
      await expectEach(types, async (type) => {
        const body = JSON.stringify({ grantType: "refresh_token", refreshToken: "none" });
        const response = await server.api.send(
          "POST",
          "/v1/refresh",
          { "Content-Type": type },
          body,
        );
        expectError(response, "invalid_refresh_token");
      });
    },
  },
  {
    id: "encoded-bodies-are-refused",
    title: "A body with a Content-Encoding is 415",
    section: "Trellis decision, sync service: Content-Encoding",
    run: (server) =>
      expectEach(POST_ROUTES, async (route) => {
        const headers = await createHeaders(server, route);
        await expectEach(["gzip", "br", "deflate"], async (encoding) => {
          const sent = { ...headers, "Content-Encoding": encoding };
          const body = JSON.stringify(route.sampleBody);
          const response = await server.api.send("POST", route.path, sent, body);
          expectError(response, "unsupported_media_type");
        });
      }),
  },
  {
    id: "bodies-over-the-limit-are-413",
    title: "A body of the limit is read, a longer one is 413, whether or not it says its length",
    section: "sync contract, Limits: maximum request body; Errors 4",
    async run(server) {
      const { maxBodyBytes } = await server.limits();
      await expectEach(POST_ROUTES, async (route) => {
        const headers = await createHeaders(server, route);
        const tooLong = JSON.stringify(route.sampleBody).padEnd(maxBodyBytes + 1);
        const chunked = { ...headers, "Transfer-Encoding": "chunked" };
        expectError(
          await server.api.send("POST", route.path, headers, tooLong),
          "payload_too_large",
        );
        expectError(
          await server.api.send("POST", route.path, chunked, tooLong),
          "payload_too_large",
        );
      });
      const refresh = JSON.stringify({ grantType: "refresh_token", refreshToken: "none" });
      const longest = refresh.padEnd(maxBodyBytes);
      expectError(
        await server.api.send("POST", "/v1/refresh", JSON_BODY, longest),
        "invalid_refresh_token",
      );
      const chunked = { ...JSON_BODY, "Transfer-Encoding": "chunked" };
      expectError(
        await server.api.send("POST", "/v1/refresh", chunked, longest),
        "invalid_refresh_token",
      );
    },
  },
  {
    id: "unparsable-bodies-are-invalid-json",
    title: "An empty body, or one that is no UTF-8 JSON, is invalid_json",
    section: "Trellis decision, sync service: invalid_json",
    async run(server) {
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
      await expectEach(POST_ROUTES, async (route) => {
        const headers = await createHeaders(server, route);
        await expectEach(bodies, async (body) => {
          const response = await server.api.send("POST", route.path, headers, body);
          expectError(response, "invalid_json");
        });
      });
    },
  },
  {
    id: "bodies-must-be-objects",
    title: "A body that is JSON but no object is invalid_request",
    section: "Trellis decision, sync service: invalid_request",
    run: (server) =>
      expectEach(POST_ROUTES, async (route) => {
        const headers = await createHeaders(server, route);
        await expectEach(["null", "[]", "1", '"text"', "true"], async (body) => {
          const response = await server.api.send("POST", route.path, headers, body);
          expectError(response, "invalid_request");
        });
      }),
  },
  {
    id: "unknown-members-are-refused",
    title: "A member that a body does not have is invalid_request on every route",
    section: "sync contract, General request rules 2: unknown fields",
    async run(server) {
      const { attempt } = await createAttempt(server);
      const beginning = { action: "begin", csrf: attempt.state, attempt, extra: 1 };
      expectError(await postAuthorize(server, beginning, attempt.state), "invalid_request");
      await expectEach(POST_ROUTES, async (route) => {
        const headers = await createHeaders(server, route);
        const body = JSON.stringify({ ...route.sampleBody, extra: 1 });
        expectError(await server.api.send("POST", route.path, headers, body), "invalid_request");
      });
      await expectSignedIn(await server.device());
    },
  },
  {
    id: "members-are-checked",
    title: "A missing member, or one of another type, is invalid_request on every route",
    section: "Trellis decision, sync service: invalid_request",
    async run(server) {
      await expectEach(POST_ROUTES, async (route) => {
        const headers = await createHeaders(server, route);
        const bodies = Object.keys(route.sampleBody).flatMap((name) => {
          const { [name]: _member, ...rest } = route.sampleBody;
          // POST /v1/revoke works without its only member.
          const missing = name === "scope" ? [] : [rest];
          return [
            ...missing,
            { ...rest, [name]: 7 },
            { ...rest, [name]: null },
            { ...rest, [name]: {} },
          ];
        });
        await expectEach(bodies, async (body) => {
          const response = await server.api.send("POST", route.path, headers, JSON.stringify(body));
          expectError(response, "invalid_request");
        });
      });
      await expectSignedIn(await server.device());
    },
  },
];
