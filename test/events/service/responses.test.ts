import assert from "node:assert/strict";
import { connect as openSocket } from "node:net";
import { test } from "node:test";
import { EVENTS_PAGE_ROUTES } from "../../../src/contract/events/page-routes.ts";
import { EVENTS_ROUTES } from "../../../src/contract/events/routes.ts";
import { StorageUnavailableError } from "../../../src/database/database.ts";
import type { EventsStore } from "../../../src/events/store.ts";
import { BASE_URL, startInstance } from "./events-instance.ts";
import { authorizePath, connect, readEvents, signIn, tokenForm } from "./journey.ts";
import { readPage } from "./test-browser.ts";

const ROUTES = [...Object.values(EVENTS_ROUTES), ...Object.values(EVENTS_PAGE_ROUTES)];

test("the metadata describes the service", async (t) => {
  const { ask } = await startInstance(t);
  const response = await ask("/.well-known/oauth-authorization-server");
  assert.equal(response.status, 200);
  assert.deepEqual(await response.json(), {
    issuer: BASE_URL,
    authorization_endpoint: `${BASE_URL}/api/oauth/authorize`,
    token_endpoint: `${BASE_URL}/api/oauth/token`,
    revocation_endpoint: `${BASE_URL}/api/oauth/revoke`,
    scopes_supported: ["read:events"],
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code"],
    token_endpoint_auth_methods_supported: ["none"],
    revocation_endpoint_auth_methods_supported: ["none"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    trellis_passkeys_supported: true,
  });
});

test("every response has its own request id and the security headers", async (t) => {
  const plain = await startInstance(t);
  const secure = await startInstance(t, { baseUrl: "https://events.example.com" });
  const ids = new Set<string>();
  for (const { ask } of [plain, secure]) {
    for (const path of [
      "/health",
      "/sign-in",
      "/nowhere",
      "/%zz",
      "/api/events",
      "/api/oauth/token",
      authorizePath(),
      "/.well-known/oauth-authorization-server",
    ]) {
      const { headers } = await ask(path, { headers: { "X-Request-Id": "mine" } });
      const id = headers.get("x-request-id") ?? "";
      assert.match(id, /^[A-Za-z0-9_-]{22}$/, path);
      ids.add(id);
      assert.equal(headers.get("x-content-type-options"), "nosniff");
      assert.equal(headers.get("x-frame-options"), "DENY");
      assert.match(headers.get("content-security-policy") ?? "", /frame-ancestors 'none'/);
      assert.equal(headers.get("cross-origin-resource-policy"), "same-origin");
      assert.match(headers.get("cache-control") ?? "", /no-store/);
      assert.ok(headers.get("permissions-policy"));
      assert.equal(
        headers.get("strict-transport-security"),
        secure.ask === ask ? "max-age=31536000" : null,
      );
    }
  }
  assert.equal(ids.size, 16);
});

test("another method is 405 and names those there are", async (t) => {
  const { ask } = await startInstance(t);
  const byPath = Map.groupBy(ROUTES, ({ path }) => path);
  for (const [path, routes] of byPath) {
    const allow = routes.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : ["POST"]));
    for (const method of ["DELETE", "PUT", "PATCH", ...(allow.includes("POST") ? [] : ["POST"])]) {
      const response = await ask(path, { method });
      assert.equal(response.status, 405, `${method} ${path}`);
      assert.equal(response.headers.get("allow"), allow.join(", "));
    }
    const options = await ask(path, { method: "OPTIONS" });
    assert.equal(options.status, 405, path);
    assert.equal(options.headers.get("allow"), allow.join(", "));
  }
});

test("paths are exact, and broken ones are refused", async (t) => {
  const { ask } = await startInstance(t);
  for (const [path, status, error] of [
    ["/api/events/", 404, "not_found"],
    ["/API/events", 404, "not_found"],
    ["//api/events", 404, "not_found"],
    ["/api//events", 404, "not_found"],
    ["/api/events%2f", 404, "not_found"],
    ["/api/%zz", 400, "invalid_request"],
    [`/api/events?${"x".repeat(8192)}`, 414, "invalid_request"],
  ] as const) {
    const response = await ask(path);
    assert.equal(response.status, status, path.slice(0, 40));
    const body = (await response.json()) as Record<string, string>;
    assert.deepEqual([Object.keys(body), body["error"]], [["error", "error_description"], error]);
  }
  assert.equal((await ask("/api/%65vents")).status, 401);
});

test("people get pages and programs get JSON", async (t) => {
  const { ask } = await startInstance(t);
  const html = { Accept: "text/html,application/xhtml+xml" };
  for (const [path, init, code] of [
    ["/nowhere", { headers: html }, "not-found"],
    ["/api/nowhere", { headers: html }, "not-found"],
    ["/%zz", { headers: html }, "malformed-request"],
    ["/sign-in", { method: "PUT", headers: html }, "method-not-allowed"],
    ["/sign-in", { method: "PUT" }, "method-not-allowed"],
    ["/api/oauth/authorize", { method: "POST" }, "method-not-allowed"],
    [`${authorizePath()}&x=${"x".repeat(14 * 1024)}`, {}, "malformed-request"],
  ] as const) {
    const response = await ask(path, init);
    const { view } = await readPage("error", response);
    assert.deepEqual([view.code, view.status], [code, response.status], path.slice(0, 40));
    assert.equal(response.headers.get("referrer-policy"), "same-origin");
  }
  for (const [path, init] of [
    ["/nowhere", {}],
    ["/api/nowhere", {}],
    ["/api/events", { method: "PUT", headers: html }],
    ["/sign-in", { method: "PUT", headers: { Accept: "application/json" } }],
    ["/sign-in", { method: "POST", headers: { "Content-Type": "application/json" }, body: "{" }],
  ] as const) {
    const response = await ask(path, init);
    assert.equal(response.headers.get("content-type"), "application/json; charset=utf-8", path);
  }
});

test("the language switch of an error page stays at this service", async (t) => {
  const { ask, origin } = await startInstance(t);
  const addressAt = async (path: string) => {
    const response = await ask(path, { headers: { Accept: "text/html" } });
    return (await readPage("error", response)).frame.address;
  };
  for (const path of ["//elsewhere.example/x", "///elsewhere.example", "//elsewhere.example?x=1"]) {
    assert.equal(new URL(await addressAt(path), origin).origin, origin, path);
  }
  assert.equal(await addressAt("/no/where?x=1&lang=de"), "/no/where?x=1");
});

test("a malformed request gets a JSON response", async (t) => {
  const { port } = await startInstance(t);
  const response = await new Promise<string>((resolve, reject) => {
    let text = "";
    const socket = openSocket(port, "127.0.0.1", () => socket.write("NONSENSE\r\n\r\n"));
    socket.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    socket.on("error", reject).on("close", () => resolve(text));
  });
  assert.match(response, /^HTTP\/1\.1 400 /);
  assert.match(response, /\{"error":"invalid_request","error_description":"[^"]+"\}$/);
});

test("CORS is open to every origin, only on paths without cookies", async (t) => {
  const { ask, createBrowser } = await startInstance(t);
  const Origin = "https://app.example.com";
  const preflight = (path: string, method: string) =>
    ask(path, {
      method: "OPTIONS",
      headers: {
        Origin,
        "Access-Control-Request-Method": method,
        "Access-Control-Request-Headers": "authorization",
      },
    });
  for (const [path, method, methods] of [
    ["/api/oauth/token", "POST", "POST"],
    ["/api/oauth/revoke", "POST", "POST"],
    ["/api/events", "GET", "GET, HEAD"],
    ["/.well-known/oauth-authorization-server", "GET", "GET, HEAD"],
  ] as const) {
    const allowed = await preflight(path, method);
    assert.equal(allowed.status, 204, path);
    assert.equal(allowed.headers.get("access-control-allow-origin"), "*");
    assert.equal(allowed.headers.get("access-control-allow-credentials"), null);
    assert.equal(allowed.headers.get("access-control-allow-methods"), methods);
    assert.match(allowed.headers.get("access-control-allow-headers") ?? "", /authorization/);
    const asked = await ask(path, { method, headers: { Origin } });
    assert.equal(asked.headers.get("access-control-allow-origin"), "*");
    assert.match(asked.headers.get("access-control-expose-headers") ?? "", /WWW-Authenticate/);
  }
  const browser = createBrowser();
  await signIn(browser);
  for (const path of ["/", "/sign-in", "/consent", "/account/apps", authorizePath()]) {
    assert.equal((await preflight(path, "POST")).status, 405);
    const { headers } = await browser.get(path, { Origin });
    assert.equal(headers.get("access-control-allow-origin"), null, path);
  }
});

test("while the store is unavailable, responses ask to retry", async (t) => {
  const state = { isAway: false };
  const fail = () => Promise.reject(new StorageUnavailableError("a test took it away"));
  const instance = await startInstance(t, {
    isAtOwnAddress: true,
    wrapStore: (store): EventsStore => ({
      ...store,
      transaction: (work) => (state.isAway ? fail() : store.transaction(work)),
      findGrant: (...given) => (state.isAway ? fail() : store.findGrant(...given)),
      findSession: (...given) => (state.isAway ? fail() : store.findSession(...given)),
      ping: () => (state.isAway ? fail() : store.ping()),
      events: {
        ...store.events,
        listAll: (...given) => (state.isAway ? fail() : store.events.listAll(...given)),
        listChanges: (...given) => (state.isAway ? fail() : store.events.listChanges(...given)),
        listManaged: (...given) => (state.isAway ? fail() : store.events.listManaged(...given)),
      },
    }),
  });
  const { ask, notices } = instance;
  const browser = instance.createBrowser();
  await signIn(browser);
  const { access_token: token } = await connect(instance, browser);
  assert.equal((await ask("/health")).status, 200);
  state.isAway = true;
  const post = { method: "POST", body: tokenForm({ code: "x" }) };
  for (const response of [
    await ask("/health"),
    await readEvents(instance, token),
    await ask("/api/oauth/token", post),
  ]) {
    assert.equal(response.status, 503);
    assert.equal(response.headers.get("retry-after"), "5");
    const { error } = (await response.json()) as { error: string };
    assert.equal(error, "temporarily_unavailable");
  }
  for (const path of ["/", "/account/events", "/sign-in", authorizePath()]) {
    const response = await browser.get(path);
    assert.equal(response.status, 503, path);
    const { view } = await readPage("error", response);
    assert.deepEqual([view.code, view.retryAfterSeconds], ["unavailable", 5]);
  }
  state.isAway = false;
  assert.equal((await readEvents(instance, token)).status, 200);
  assert.equal((await browser.get("/")).status, 200);
  // One for the whole outage, and none for a request.
  assert.deepEqual(
    notices.map(({ kind }) => kind),
    ["security-event", "storage-unavailable"],
  );
});

test("an unexpected error is a plain 500, and only the operator sees its cause", async (t) => {
  const instance = await startInstance(t, {
    wrapStore: (store) => ({
      ...store,
      findSession: () => Promise.reject(new Error("the inner cause")),
      findGrant: () => Promise.reject(new Error("the inner cause")),
    }),
  });
  const json = await readEvents(instance, "tre_at_any");
  assert.equal(json.status, 500);
  assert.ok(!(await json.text()).includes("cause"));
  const browser = instance.createBrowser();
  browser.cookies.set("trellis-events-session", "A".repeat(43));
  const page = await browser.get("/");
  assert.equal((await readPage("error", page)).view.code, "unexpected");
  assert.deepEqual(
    instance.notices.map((notice) => notice.kind),
    ["unexpected-error", "unexpected-error"],
  );
});
