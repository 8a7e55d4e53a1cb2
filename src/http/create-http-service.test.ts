import assert from "node:assert/strict";
import { test } from "node:test";
import { toPlainResponse } from "../../test/fixtures/plain-response.ts";
import Type from "typebox";
import { MAX_TARGET_BYTES, type Route } from "../contract/route.ts";
import { jsonResponse, type HttpResponse } from "./response.ts";
import { createHttpService } from "./create-http-service.ts";
import type { HttpError } from "./http-error.ts";
import { createMemoryRateLimiter } from "./rate-limit.ts";
import { createRequestId, type RawRequest } from "./request.ts";
import type { RequestLogEntry } from "./request-log.ts";
import type { ServiceHooks } from "./service-hooks.ts";

const ROUTES = {
  read: {
    operationId: "read",
    method: "GET",
    origin: "api",
    path: "/things/{id}",
    summary: "x",
    params: {
      id: { schema: Type.String(), description: "x", required: true, invalid: "bad_id" },
    },
    query: {
      page: { schema: Type.Integer(), description: "x", default: 1, invalid: "bad_page" },
    },
    responses: {},
  },
  remove: {
    operationId: "remove",
    method: "DELETE",
    origin: "api",
    path: "/things/{id}",
    summary: "x",
    responses: {},
  },
  add: {
    operationId: "add",
    method: "POST",
    origin: "api",
    path: "/things",
    summary: "x",
    responses: {},
  },
} as const satisfies Record<string, Route>;

type ReadHandler = (input: { id: string; page: number }) => HttpResponse | Promise<HttpResponse>;

function createService(handle: ReadHandler, changes: Partial<ServiceHooks> = {}) {
  const errors: HttpError[] = [];
  const entries: RequestLogEntry[] = [];
  let count = 0;
  const service = createHttpService(
    ROUTES,
    {
      read: handle,
      remove: () => jsonResponse(200, "{}"),
      add: () => jsonResponse(200, "{}"),
    },
    {
      headers: { "X-Service": "yes", "X-Both": "hooks" },
      createRequestId: () => `request-${++count}`,
      toErrorResponse: (error) => {
        errors.push(error);
        return jsonResponse(500, JSON.stringify(error));
      },
      readClientAddress: (socket) => socket ?? "",
      log: (entry) => void entries.push(entry),
      ...changes,
    },
  );
  const ask = async (method: string, target: string, remoteAddress?: string) =>
    toPlainResponse(await service.respond(createRequest(method, target, remoteAddress)));
  return { service, ask, errors, entries };
}

function createRequest(
  method: string,
  target: string,
  remoteAddress = "192.0.2.1",
  headers: Readonly<Record<string, string>> = {},
  size = 0,
): RawRequest {
  return {
    method,
    target,
    remoteAddress,
    header: (name) => headers[name] ?? null,
    async *body() {
      for (let count = 0; count < size; count++) yield Uint8Array.of(0x20);
    },
  };
}

const echo: ReadHandler = (input) =>
  jsonResponse(200, JSON.stringify(input), { "X-Both": "handler" });

test("a handler gets its input, and its response the headers of the service", async () => {
  const { ask } = createService(echo);
  assert.deepEqual(await ask("GET", "/things/a%2Fb?page=7"), {
    status: 200,
    headers: {
      "X-Service": "yes",
      "X-Both": "handler",
      "Content-Type": "application/json; charset=utf-8",
      "Content-Length": "21",
      "X-Request-Id": "request-1",
    },
    body: '{"id":"a/b","page":7}',
  });
});

test("a handler that responds at once makes the service respond at once", () => {
  const { service } = createService(echo, { ignoresUnexpectedBodies: true });
  assert.ok(!(service.respond(createRequest("GET", "/things/1")) instanceof Promise));
});

const BODIES: readonly {
  readonly headers: Readonly<Record<string, string>>;
  readonly size: number;
  readonly kind: HttpError["kind"] | null;
}[] = [
  { headers: {}, size: 0, kind: null },
  { headers: { "content-length": "0" }, size: 0, kind: null },
  { headers: { "transfer-encoding": "chunked" }, size: 0, kind: null },
  { headers: { "content-length": "1" }, size: 1, kind: "unexpected-body" },
  { headers: { "content-length": "10" }, size: 10, kind: "unexpected-body" },
  { headers: { "content-length": "11" }, size: 11, kind: "too-large" },
  { headers: { "transfer-encoding": "chunked" }, size: 1, kind: "unexpected-body" },
  { headers: { "transfer-encoding": "chunked" }, size: 10, kind: "unexpected-body" },
  { headers: { "transfer-encoding": "chunked" }, size: 11, kind: "too-large" },
];

test("a body where the route takes none is refused before the handler runs", async () => {
  for (const method of ["GET", "HEAD", "DELETE"]) {
    for (const { headers, size, kind } of BODIES) {
      const { service, errors } = createService(echo, { maxBodyBytes: 10 });
      const request = createRequest(method, "/things/1", undefined, headers, size);
      await service.respond(request);
      assert.deepEqual(errors, kind === null ? [] : [{ kind }], `${method} ${kind} ${size}`);
    }
  }
});

test("a body that its head says too much of is refused without reading it", async () => {
  const { service, errors } = createService(echo, { maxBodyBytes: 10 });
  const request = createRequest("GET", "/things/1", undefined, { "content-length": "1" });
  const body = () => assert.fail("the body was read");
  await service.respond({ ...request, body });
  assert.deepEqual(errors, [{ kind: "unexpected-body" }]);
});

test("a service that ignores bodies where a route takes none does not read them", async () => {
  for (const { headers, size } of BODIES) {
    const hooks = { maxBodyBytes: 10, ignoresUnexpectedBodies: true };
    const { service, errors } = createService(echo, hooks);
    await service.respond(createRequest("GET", "/things/1", undefined, headers, size));
    assert.deepEqual(errors, []);
  }
});

test("a response that a handler returns again and again is never changed", async () => {
  const shared = Object.freeze({ status: 200, headers: Object.freeze({}), body: "x" });
  const { ask } = createService(() => shared);
  const first = await ask("GET", "/things/1");
  const second = await ask("GET", "/things/1");
  assert.deepEqual(shared, { status: 200, headers: {}, body: "x" });
  assert.notEqual(first.headers["X-Request-Id"], second.headers["X-Request-Id"]);
});

test("HEAD has the response of GET without the body", async () => {
  const { ask } = createService(echo);
  const get = await ask("GET", "/things/1");
  const head = await ask("HEAD", "/things/1");
  assert.equal(head.body, null);
  assert.equal(head.status, get.status);
  assert.equal(head.headers["Content-Length"], get.headers["Content-Length"]);
});

test("HEAD cancels a stream that will not be read", async () => {
  const state = { isCancelled: false };
  const { ask } = createService(() => ({
    status: 200,
    headers: {},
    body: new ReadableStream<Uint8Array>({ cancel: () => void (state.isCancelled = true) }),
  }));
  assert.equal((await ask("HEAD", "/things/1")).body, null);
  assert.equal(state.isCancelled, true);
});

test("HEAD on a path without GET is a method like any other", async () => {
  const { ask, errors } = createService(echo);
  await ask("HEAD", "/things");
  assert.deepEqual(errors, [{ kind: "method-not-allowed", allow: ["POST"] }]);
});

for (const [method, target, error] of [
  ["GET", "/nothing", { kind: "unknown-path" }],
  ["BREW", "/nothing", { kind: "unknown-path" }],
  ["GET", "/things/", { kind: "unknown-path" }],
  ["GET", "/things/%zz", { kind: "malformed-target" }],
  ["PUT", "/things/1", { kind: "method-not-allowed", allow: ["GET", "HEAD", "DELETE"] }],
  ["get", "/things/1", { kind: "method-not-allowed", allow: ["GET", "HEAD", "DELETE"] }],
  ["OPTIONS", "/things/1", { kind: "method-not-allowed", allow: ["GET", "HEAD", "DELETE"] }],
  ["GET", "/things/1?page=x", { kind: "invalid-parameter", name: "page", code: "bad_page" }],
  ["GET", `/${"x".repeat(MAX_TARGET_BYTES)}`, { kind: "target-too-long" }],
  ["GET", `/things/1?${"%".repeat(MAX_TARGET_BYTES)}`, { kind: "target-too-long" }],
] as const) {
  test(`${method} ${target.slice(0, 30)} is ${error.kind}`, async () => {
    const { ask, errors } = createService(echo);
    const response = await ask(method, target);
    assert.deepEqual(errors, [error]);
    assert.equal(response.headers["X-Request-Id"], "request-1");
    assert.equal(response.headers["X-Service"], "yes");
  });
}

test("a target of exactly the limit is accepted", async () => {
  const { ask, errors } = createService(echo);
  const target = "/things/".padEnd(MAX_TARGET_BYTES, "x");
  assert.equal((await ask("GET", target)).status, 200);
  assert.deepEqual(errors, []);
});

test("the service handles OPTIONS on a known path, but not on an unknown one", async () => {
  const { ask, errors } = createService(echo, {
    handlePreflight: (_request, methods) => ({
      status: 204,
      headers: { Allow: methods.join() },
      body: null,
    }),
  });
  const response = await ask("OPTIONS", "/things/1");
  assert.equal(response.status, 204);
  assert.equal(response.headers["Allow"], "GET,HEAD,DELETE");
  await ask("OPTIONS", "/nothing");
  await ask("OPTIONS", "*");
  assert.deepEqual(errors, [{ kind: "unknown-path" }, { kind: "unknown-path" }]);
});

const failures: Record<string, ReadHandler> = {
  throws: () => {
    throw new Error("broken");
  },
  rejects: () => Promise.reject(new Error("broken")),
  "throws a value that is no Error": () => {
    // oxlint-disable-next-line typescript/only-throw-error -- a dependency may do so
    throw undefined;
  },
};
for (const [how, handle] of Object.entries(failures)) {
  test(`a handler that ${how} is an unexpected error, and the next request succeeds`, async () => {
    const seen: [unknown, string][] = [];
    const { ask, errors, entries } = createService(handle, {
      onUnexpected: (error, requestId) => void seen.push([error, requestId]),
    });
    const response = await ask("GET", "/things/1");
    assert.equal(response.status, 500);
    assert.deepEqual(errors, [{ kind: "unexpected" }]);
    assert.equal(seen[0]?.[1], "request-1");
    assert.equal(entries[0]?.status, 500);
    assert.equal((await ask("DELETE", "/things/1")).status, 200);
  });
}

test("a listener for unexpected errors that throws does not change the response", async () => {
  const { ask } = createService(failures["rejects"] as ReadHandler, {
    onUnexpected: () => {
      throw new Error("listener");
    },
  });
  assert.equal((await ask("GET", "/things/1")).status, 500);
});

test("a log that throws does not change the response", async () => {
  const { ask } = createService(echo, {
    log: () => {
      throw new Error("disk full");
    },
  });
  assert.equal((await ask("GET", "/things/1")).status, 200);
  assert.equal((await ask("GET", "/nothing")).status, 500);
});

test("every request id is new and of the same form", () => {
  const ids = Array.from({ length: 2000 }, createRequestId);
  assert.equal(new Set(ids).size, ids.length);
  for (const id of ids) assert.match(id, /^[A-Za-z0-9_-]{22}$/);
});

test("the log has five bounded fields and never the query", async () => {
  const { ask, entries } = createService(async (input) => echo(input));
  await ask("GET", "/things/1?page=1&code=secret");
  await ask("BREW", `/${"a".repeat(9000)}?code=secret`);
  for (const entry of entries) {
    assert.deepEqual(Object.keys(entry), ["requestId", "method", "path", "status", "durationMs"]);
    assert.ok(entry.durationMs >= 0);
    assert.doesNotMatch(JSON.stringify(entry), /secret|page/);
  }
  assert.deepEqual(
    entries.map(({ requestId, method, status }) => [requestId, method, status]),
    [
      ["request-1", "GET", 200],
      ["request-2", "OTHER", 500],
    ],
  );
  assert.equal(entries[1]?.path.length, 513);
});

test("a client over its limit is refused before the handler runs, another client is not", async () => {
  let handled = 0;
  const { ask, errors } = createService(
    (input) => {
      handled++;
      return echo(input);
    },
    { rateLimiter: createMemoryRateLimiter({ requests: 1, windowSeconds: 60 }) },
  );
  await ask("GET", "/things/1", "192.0.2.1");
  await ask("GET", "/things/1", "192.0.2.1");
  await ask("GET", "/things/1", "192.0.2.2");
  assert.equal(handled, 2);
  assert.deepEqual(errors, [{ kind: "rate-limited", retryAfterSeconds: 60 }]);
});

test("a rate limiter that fails is an unexpected error", async () => {
  const { ask, errors } = createService(echo, {
    rateLimiter: { consume: () => Promise.reject(new Error("store gone")) },
  });
  await ask("GET", "/things/1");
  assert.deepEqual(errors, [{ kind: "unexpected" }]);
});

test("a handler that throws behind a rate limiter is an unexpected error", async () => {
  const { ask, errors } = createService(failures["throws"] as ReadHandler, {
    rateLimiter: createMemoryRateLimiter({ requests: 1, windowSeconds: 60 }),
  });
  await ask("GET", "/things/1");
  assert.deepEqual(errors, [{ kind: "unexpected" }]);
});

test("bytes that never became a request get a response of the service too", () => {
  const { service } = createService(echo);
  const error = { kind: "malformed-request" } as const;
  const response = toPlainResponse(service.protocolErrorResponse(error));
  assert.equal(response.headers["X-Request-Id"], "request-1");
  assert.equal(response.headers["X-Service"], "yes");
  assert.match(String(response.body), /malformed-request/);
});

test("the handler of a raw route reads query and body itself", async () => {
  const routes = {
    post: {
      ...ROUTES.add,
      query: ROUTES.read.query,
      body: { schema: Type.Object({}), mediaType: "application/json", invalid: "bad_body" },
      reads: "raw",
    },
  } as const satisfies Record<string, Route>;
  const service = createHttpService(
    routes,
    {
      post: async (input, context) => {
        const { search, content, principal } = context;
        let text = "";
        for await (const chunk of context.body()) text += Buffer.from(chunk).toString();
        return jsonResponse(200, JSON.stringify([input, search, text, content, principal]));
      },
    },
    {
      headers: {},
      createRequestId: () => "request",
      toErrorResponse: (error) => jsonResponse(500, JSON.stringify(error)),
      readClientAddress: () => "",
      maxBodyBytes: 1,
    },
  );
  const response = await service.respond({
    ...createRequest("POST", "/things?page=x&page=%zz"),
    async *body() {
      yield Buffer.from("a=1&");
      yield Buffer.from("b=2");
    },
  });
  assert.equal(response.body, JSON.stringify([{}, "page=x&page=%zz", "a=1&b=2", null, null]));
});

const LIMITED = {
  byClient: { ...ROUTES.add, path: "/client", rateLimit: { name: "few", by: "client" } },
  byPageLoad: {
    ...ROUTES.add,
    path: "/page",
    rateLimit: { name: "few", by: "client", pageLoadsOnly: true },
  },
  byStranger: {
    ...ROUTES.add,
    path: "/stranger",
    body: { schema: Type.Object({}), mediaType: "application/json", invalid: "invalid" },
    rateLimit: { name: "few", by: "stranger" },
  },
  byPrincipal: {
    ...ROUTES.add,
    path: "/principal",
    auth: "bearer",
    reads: "raw",
    rateLimit: { name: "few", by: "principal" },
  },
} as const satisfies Record<string, Route>;

function createLimitedService() {
  const ok = () => jsonResponse(200, "{}");
  const service = createHttpService<typeof LIMITED, string>(
    LIMITED,
    { byClient: ok, byPageLoad: ok, byStranger: ok, byPrincipal: ok },
    {
      headers: {},
      createRequestId: () => "request",
      toErrorResponse: ({ kind }) => jsonResponse(kind === "rate-limited" ? 429 : 500, kind),
      readClientAddress: (socket) => socket ?? "",
      authenticate: async (request) => {
        const principal = request.header("authorization");
        return principal === null ? jsonResponse(401, "{}") : { kind: "authenticated", principal };
      },
      rateLimiters: { few: createMemoryRateLimiter({ requests: 1, windowSeconds: 60 }) },
      rateLimitKey: (principal) => `of ${principal}`,
      isKnownBrowser: async (context) => context.header("browser") === "known",
    },
  );
  return async (path: string, headers: Record<string, string> = {}, address?: string) => {
    const request = createRequest("POST", path, address);
    const response = await service.respond({ ...request, header: (name) => headers[name] ?? null });
    return response.status;
  };
}

test("a route counts its requests by the limit that it names, for each client", async () => {
  const ask = createLimitedService();
  assert.equal(await ask("/client"), 200);
  assert.equal(await ask("/client"), 429);
  assert.equal(await ask("/page"), 429);
  assert.equal(await ask("/client", {}, "192.0.2.2"), 200);
});

test("a limit of page loads does not count images and frames", async () => {
  const ask = createLimitedService();
  for (const destination of ["image", "iframe"]) {
    assert.equal(await ask("/page", { "sec-fetch-dest": destination }), 200);
  }
  assert.equal(await ask("/page", { "sec-fetch-dest": "document" }), 200);
  assert.equal(await ask("/page"), 429);
  assert.equal(await ask("/page", { "sec-fetch-dest": "image" }), 200);
});

test("a stranger beyond the limit is refused before its body is read, and a known browser is not", async () => {
  const ask = createLimitedService();
  // The media type is checked with the body.
  assert.equal(await ask("/stranger"), 500);
  assert.equal(await ask("/stranger"), 429);
  assert.equal(await ask("/stranger", { browser: "unknown" }), 429);
  assert.equal(await ask("/stranger", { browser: "known" }), 500);
});

test("a limit by principal counts after the authentication, which may respond itself", async () => {
  const ask = createLimitedService();
  for (let count = 0; count < 3; count++) assert.equal(await ask("/principal"), 401);
  assert.equal(await ask("/principal", { authorization: "a" }), 200);
  assert.equal(await ask("/principal", { authorization: "a" }), 429);
  assert.equal(await ask("/principal", { authorization: "b" }), 200);
});

test("a route whose limit the service does not have is refused at the start", () => {
  const hooks = {
    headers: {},
    createRequestId: () => "request",
    toErrorResponse: () => jsonResponse(500, ""),
    readClientAddress: () => "",
  };
  const { byClient } = LIMITED;
  assert.throws(
    () => createHttpService({ byClient }, { byClient: () => jsonResponse(200, "") }, hooks),
    /no rate limiter "few"/,
  );
});

test("an observer learns the declared route and the status, never what a client typed", async () => {
  const asked: unknown[] = [];
  const ended: string[] = [];
  const { ask } = createService(
    ({ id }) => {
      if (id === "broken") throw new Error("A bug");
      return jsonResponse(id === "new" ? 201 : 200, "{}");
    },
    {
      observer: {
        route(route) {
          asked.push(route);
          const name = route === null ? "none" : `${route.method} ${route.path}`;
          return {
            ended(status, durationMs) {
              assert.ok(durationMs >= 0 && durationMs < 60_000);
              ended.push(`${name} ${status}`);
            },
          };
        },
      },
    },
  );
  assert.deepEqual(asked, [
    { method: "GET", path: "/things/{id}" },
    { method: "DELETE", path: "/things/{id}" },
    { method: "POST", path: "/things" },
    null,
  ]);
  for (const [method, target] of [
    ["GET", "/things/secret"],
    ["HEAD", "/things/new?page=2"],
    ["GET", "/things/broken"],
    ["GET", "/things/1?page=x"],
    ["DELETE", "/things/secret"],
    ["PATCH", "/things/secret"],
    ["GET", "/secret"],
  ] as const) {
    await ask(method, target);
  }
  assert.deepEqual(ended, [
    "GET /things/{id} 200",
    "GET /things/{id} 201",
    "GET /things/{id} 500",
    "GET /things/{id} 500",
    "DELETE /things/{id} 200",
    "none 500",
    "none 500",
  ]);
  assert.equal(asked.length, 4, "routes are resolved once");
});
