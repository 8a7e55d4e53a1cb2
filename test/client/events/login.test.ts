/** The login over real HTTP. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { RequestListener } from "node:http";
import { test, type TestContext } from "node:test";
import {
  createEventsClient,
  type EventsClientOptions,
  type LoginResult,
  type PendingLogin,
} from "../../../src/client/index.ts";
import { serveOnLoopback } from "../../fixtures/loopback-server.ts";
import {
  BODY_MARK,
  connect,
  createClientOf,
  ORIGIN,
  printWhole,
  readBody,
  REDIRECT_URI,
  TOKEN,
} from "./connect.ts";

const CODE = "c0de-of-the-person";

async function begin(changes: Partial<EventsClientOptions> = {}) {
  const begun = await createClientOf("http://unused", changes).beginLogin();
  assert.ok(begun.kind === "begun");
  return begun;
}

test("the authorize address has exactly the parameters of the contract", async () => {
  const { authorizeUrl, pending } = await begin();
  const url = new URL(authorizeUrl);
  assert.equal(url.origin + url.pathname, `${ORIGIN}/api/oauth/authorize`);
  const challenge = createHash("sha256").update(pending.codeVerifier).digest("base64url");
  assert.deepEqual(
    [...url.searchParams],
    [
      ["client_id", "trellis-demo"],
      ["redirect_uri", REDIRECT_URI],
      ["response_type", "code"],
      ["scope", "read:events"],
      ["state", pending.state],
      ["code_challenge", challenge],
      ["code_challenge_method", "S256"],
    ],
  );
  assert.ok(!authorizeUrl.includes(pending.codeVerifier));
});

test("state and verifier are 32 bytes each of the randomness given", async () => {
  let next = 0;
  const randomBytes = (length: number) => new Uint8Array(length).fill(next++);
  const { pending } = await begin({ randomBytes });
  assert.equal(pending.state, Buffer.alloc(32, 0).toString("base64url"));
  assert.equal(pending.codeVerifier, Buffer.alloc(32, 1).toString("base64url"));
  await assert.rejects(begin({ randomBytes: () => new Uint8Array(16) }), /gave 16 bytes, not 32/);
});

test("no two logins are alike", async () => {
  const [a, b] = [await begin(), await begin()];
  assert.notEqual(a.pending.state, b.pending.state);
  assert.notEqual(a.pending.codeVerifier, b.pending.codeVerifier);
  assert.notEqual(a.pending.state, a.pending.codeVerifier);
});

test("without WebCrypto there is no login", async (t) => {
  const crypto = Object.getOwnPropertyDescriptor(globalThis, "crypto")!;
  t.after(() => Object.defineProperty(globalThis, "crypto", crypto));
  const client = createClientOf("http://unused");
  for (const value of [undefined, {}]) {
    Object.defineProperty(globalThis, "crypto", { value, configurable: true });
    assert.deepEqual(await client.beginLogin(), { kind: "unsupported" });
  }
});

const accept: RequestListener = (_, response) =>
  void response.end(JSON.stringify({ access_token: TOKEN, refresh_token: "ignored" }));

/** Completes the login with the callback of a service, or with changed parameters. */
async function complete(
  t: TestContext,
  listener: RequestListener,
  changes: Readonly<Record<string, string | null>> = {},
  options: Partial<EventsClientOptions> = {},
): Promise<LoginResult> {
  const client = await connect(t, listener, options);
  const begun = await client.beginLogin();
  assert.ok(begun.kind === "begun");
  const query = new URLSearchParams();
  const parameters = { code: CODE, state: begun.pending.state, iss: ORIGIN, ...changes };
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== null) query.set(name, value);
  }
  // As storage would give it back.
  const pending = JSON.parse(JSON.stringify(begun.pending)) as PendingLogin;
  return client.completeLogin(`${REDIRECT_URI}?${query}`, pending);
}

test("the code is exchanged as a form, and only the token is kept", async (t) => {
  let sent: { url: string; type: string; body: string } | undefined;
  const result = await complete(t, async (request, response) => {
    const { url = "", method, headers } = request;
    sent = {
      url: `${method} ${url}`,
      type: headers["content-type"] ?? "",
      body: await readBody(request),
    };
    for (const name of ["authorization", "cookie", "referer"]) {
      assert.equal(headers[name], undefined);
    }
    accept(request, response);
  });
  assert.deepEqual(result, { kind: "connected", accessToken: TOKEN });
  assert.equal(sent?.url, "POST /api/oauth/token");
  assert.equal(sent.type, "application/x-www-form-urlencoded");
  const { code_verifier: verifier, ...form } = Object.fromEntries(new URLSearchParams(sent.body));
  assert.match(verifier ?? "", /^[A-Za-z0-9_-]{43}$/);
  assert.deepEqual(form, {
    grant_type: "authorization_code",
    code: CODE,
    client_id: "trellis-demo",
    redirect_uri: REDIRECT_URI,
  });
});

test("the verifier that is sent belongs to the challenge", async (t) => {
  let body = "";
  const client = await connect(t, async (request, response) => {
    body = await readBody(request);
    accept(request, response);
  });
  const begun = await client.beginLogin();
  assert.ok(begun.kind === "begun");
  const { state } = begun.pending;
  await client.completeLogin(`${REDIRECT_URI}?code=${CODE}&state=${state}`, begun.pending);
  const verifier = new URLSearchParams(body).get("code_verifier") ?? "";
  assert.equal(
    new URL(begun.authorizeUrl).searchParams.get("code_challenge"),
    createHash("sha256").update(verifier).digest("base64url"),
  );
});

for (const iss of [null, ORIGIN, `${ORIGIN}/`, `${ORIGIN}:443`, `${ORIGIN}/oauth/tenant`]) {
  test(`the issuer ${iss} is this service`, async (t) => {
    assert.equal((await complete(t, accept, { iss })).kind, "connected");
  });
}

for (const [name, changes, error] of [
  ["no code", { code: null }, { kind: "missing-code" }],
  ["no state", { state: null }, { kind: "state-mismatch" }],
  ["another state", { state: "x".repeat(43) }, { kind: "state-mismatch" }],
  ["another issuer", { iss: "https://evil.example" }, { kind: "wrong-service" }],
  ["an issuer with a query", { iss: `${ORIGIN}/a?b` }, { kind: "wrong-service" }],
  ["an issuer with a name", { iss: "https://a@evil.example/b" }, { kind: "wrong-service" }],
  ["a refusal", { error: "access_denied" }, { kind: "login-refused", code: "access_denied" }],
  ["a refusal in own words", { error: BODY_MARK }, { kind: "login-refused", code: "other" }],
] as const) {
  test(`${name} fails the login before the code is sent anywhere`, async (t) => {
    let visits = 0;
    const result = await complete(t, (_, response) => void (visits++, response.end()), changes);
    assert.deepEqual(result, { kind: "not-connected", error });
    assert.equal(visits, 0);
    const printed = printWhole(result);
    assert.ok(!printed.includes(CODE) && !printed.includes(BODY_MARK));
  });
}

test("an issuer can be required", async (t) => {
  const result = await complete(t, accept, { iss: null }, { issuerRequired: true });
  assert.deepEqual(result, { kind: "not-connected", error: { kind: "wrong-service" } });
});

test("a login that began at another service does not end here", async () => {
  const { pending } = await begin({ origin: "https://other.example" });
  const result = await createClientOf("http://unused").completeLogin(
    `${REDIRECT_URI}?code=${CODE}&state=${pending.state}`,
    pending,
  );
  assert.deepEqual(result, { kind: "not-connected", error: { kind: "wrong-service" } });
});

test("an address that is not the redirect URI is no callback", async () => {
  const { pending } = await begin();
  for (const place of [
    "",
    "/callback",
    "https://auth/callback",
    "trellis-demo://auth/other",
    "evil://auth/callback",
  ]) {
    const result = await createClientOf("http://unused").completeLogin(
      `${place}?code=${CODE}&state=${pending.state}`,
      pending,
    );
    assert.deepEqual(result, { kind: "not-connected", error: { kind: "not-the-callback" } });
  }
});

test("a loopback redirect works as well as a private scheme", async (t) => {
  const client = await connect(t, accept, { redirectUri: "http://localhost:43823/callback" });
  const begun = await client.beginLogin();
  assert.ok(begun.kind === "begun");
  const callback = `http://localhost:43823/callback?code=${CODE}&state=${begun.pending.state}`;
  assert.equal((await client.completeLogin(callback, begun.pending)).kind, "connected");
});

const reply =
  (status: number, body: string, headers: Record<string, string> = {}): RequestListener =>
  (_, response) =>
    void response.writeHead(status, headers).end(body);

test("the type of a bearer token may be in any case, or missing", async (t) => {
  for (const type of ["Bearer", "bearer", "BEARER", undefined]) {
    const body = JSON.stringify({ access_token: TOKEN, token_type: type });
    assert.equal((await complete(t, reply(200, body))).kind, "connected", type ?? "missing");
  }
});

for (const [name, listener, error] of [
  ["a refused code", reply(400, `{"error":"${BODY_MARK}"}`), { kind: "http-status", status: 400 }],
  ["an unknown client", reply(401, BODY_MARK), { kind: "http-status", status: 401 }],
  [
    "a created token",
    reply(201, `{"access_token":"${TOKEN}"}`),
    { kind: "http-status", status: 201 },
  ],
  [
    "too many requests",
    reply(429, BODY_MARK, { "Retry-After": "3" }),
    { kind: "rate-limited", retryAfterSeconds: 3 },
  ],
  ["a page", reply(200, `<html>${BODY_MARK}`), { kind: "malformed-response", detail: "not JSON" }],
  [
    "no token",
    reply(200, `{"token":"${BODY_MARK}"}`),
    { kind: "malformed-response", detail: "no access token" },
  ],
  ["null", reply(200, "null"), { kind: "malformed-response", detail: "no access token" }],
  [
    "a token of another kind",
    reply(200, '{"access_token":7}'),
    { kind: "malformed-response", detail: "no access token" },
  ],
  ...['"DPoP"', '"mac"', '""', "7", "null", '"Bearer "'].map(
    (type): [string, RequestListener, object] => [
      `a token of the type ${type}`,
      reply(200, `{"access_token":"${TOKEN}","token_type":${type}}`),
      { kind: "malformed-response", detail: "the token is not a bearer token" },
    ],
  ),
  [
    "an empty token",
    reply(200, '{"access_token":""}'),
    { kind: "malformed-response", detail: "no access token" },
  ],
  [
    "a token with a line end",
    reply(200, `{"access_token":"${TOKEN}\\r\\nX: 1"}`),
    { kind: "malformed-response", detail: "no access token" },
  ],
  [
    "a huge response",
    reply(200, JSON.stringify({ access_token: TOKEN, x: BODY_MARK.repeat(9000) })),
    { kind: "too-large", maxBytes: 4096 },
  ],
  ["silence", () => {}, { kind: "timeout", timeoutMs: 200 }],
] satisfies [string, RequestListener, object][]) {
  test(`${name} at the token route fails the login and says nothing secret`, async (t) => {
    const limits = { timeoutMs: name === "silence" ? 200 : 10_000, maxResponseBytes: 4096 };
    const result = await complete(t, listener, {}, { limits });
    assert.deepEqual(result, { kind: "not-connected", error });
    const printed = printWhole(result);
    for (const secret of [TOKEN, CODE, BODY_MARK]) assert.ok(!printed.includes(secret), printed);
  });
}

for (const status of [302, 307, 308]) {
  test(`a code is not carried along by a redirect of ${status}`, async (t) => {
    let visits = 0;
    const elsewhere = await serveOnLoopback(t, (request, response) => {
      visits++;
      accept(request, response);
    });
    const result = await complete(
      t,
      reply(status, "", { Location: `${elsewhere}/api/oauth/token` }),
    );
    assert.deepEqual(result, { kind: "not-connected", error: { kind: "redirected" } });
    assert.equal(visits, 0);
  });
}

for (const [changes, message] of [
  [{ origin: "http://planner.example.org" }, /origin is not one that .* accepts \(not-https\)$/],
  [{ origin: "https://localhost" }, /\(local-name\)$/],
  [{ clientId: "" }, /clientId is empty$/],
  [{ redirectUri: "/callback" }, /redirectUri must be a whole address/],
  [{ redirectUri: "app://auth/callback#x" }, /without a fragment$/],
  [{ limits: { timeoutMs: 0 } }, /limits.timeoutMs is not an integer from 1/],
] satisfies [Partial<EventsClientOptions>, RegExp][]) {
  test(`refuses the setting ${JSON.stringify(changes)}`, () => {
    const options = { origin: ORIGIN, clientId: "app", redirectUri: REDIRECT_URI, ...changes };
    assert.throws(() => createEventsClient(options), message);
  });
}
