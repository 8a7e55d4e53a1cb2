/** What strangers and loud neighbours can take from the devices of a host: nothing that must not be theirs. */
import assert from "node:assert/strict";
import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { toFetchResponse } from "../../../src/http/fetch.ts";
import { rotateKeyRing } from "../../../src/identity/key-ring.ts";
import { readKeyRing, replaceKeyRing } from "../../../src/identity/instance-key.ts";
import type { SyncHost } from "../../../src/hosting/index.ts";
import { loadUsage } from "../../../src/hosting/instance-usage.ts";
import { STORE_KINDS } from "../../database/on-both-stores.ts";
import { postJson } from "../sync-client.ts";
import { startObservedHost } from "./observed-host.ts";
import {
  addAccount,
  askOf,
  bearer,
  createHostPlace,
  originOf,
  readError,
  REDIRECT_URI,
  signInTo,
  startHost,
  type HostPlace,
} from "./serve-host.ts";

const SIGN_IN_PAGE = `/v1/authorize?${new URLSearchParams({
  response_type: "code",
  redirect_uri: REDIRECT_URI,
  code_challenge: "a".repeat(43),
  state: "state-of-the-test-device",
  attempt_id: "attempt-1",
  device_id: "phone",
})}`;
const MADE_UP = `trs_at_${"A".repeat(54)}`;
const MADE_UP_REFRESH = { grantType: "refresh_token", refreshToken: `trs_rt_${"A".repeat(91)}` };

/** Requests that need nothing of a store. */
const STORELESS: readonly (readonly [path: string, init?: RequestInit])[] = [
  ["/v1/health"],
  ["/v1/health", { method: "HEAD" }],
  ["/v1/health?x=1"],
  ["/v1/capabilities"],
  ["/v1/capabilities", { headers: { Origin: "https://app.example.com" } }],
  ["/v1/capabilities", { headers: { Origin: "https://elsewhere.example" } }],
  ["/v1/instance-info"],
  [SIGN_IN_PAGE, { headers: { Accept: "text/html", "Accept-Language": "de" } }],
  [`${SIGN_IN_PAGE}&lang=en`],
  [SIGN_IN_PAGE.replace("localhost", "elsewhere"), { headers: { Accept: "text/html" } }],
  ["/v1/authorize?state=x"],
  ["/v1/no-such-route"],
  ["/v1/push"],
  ["/v1/push", { method: "OPTIONS" }],
  ["/v1/%zz"],
  ["/v1/pull"],
  ["/v1/pull?limit=0", { headers: bearer(MADE_UP) }],
  ["/v1/pull", { headers: bearer(MADE_UP) }],
  ["/v1/push", { method: "POST", headers: bearer(MADE_UP), body: "{" }],
  ["/v1/changes", { headers: bearer(MADE_UP) }],
  ["/v1/refresh", json({ refreshToken: 1 })],
  ["/v1/refresh", { method: "POST", body: "{}" }],
  ["/v1/refresh", json("x".repeat(300_000))],
];

function json(value: unknown): RequestInit {
  const headers = { "Content-Type": "application/json" };
  return { method: "POST", headers, body: JSON.stringify(value) };
}

/** A response as it is sent, without the nonce of a page, which is another one each time. */
async function readAll(response: Response): Promise<unknown> {
  const [, nonce = "none"] =
    /'nonce-([^']+)'/.exec(response.headers.get("content-security-policy") ?? "") ?? [];
  const text = await response.text();
  return JSON.parse(
    JSON.stringify([response.status, [...response.headers], text]).replaceAll(nonce, "NONCE"),
  );
}

/** An instance with an account that was open and is closed now, as most are. */
async function leaveClosed(place: HostPlace, names: readonly string[]): Promise<void> {
  const host = startHost({ after() {} } as unknown as TestContext, place, names);
  for (const name of names) {
    await addAccount(place, name);
    await host.administer(name, ({ findAccount }) => findAccount());
  }
  await host.close();
}

for (const kind of STORE_KINDS) {
  test(`a closed instance responds like an open one to what needs no store (${kind})`, async (t) => {
    const place = await createHostPlace(t, kind);
    await leaveClosed(place, ["ada"]);
    const host = startHost(t, place, ["ada"], { corsOrigins: ["https://app.example.com"] });
    const askAll = async () => {
      const all: unknown[] = [];
      for (const [path, init] of STORELESS) {
        const headers = { ...init?.headers, "X-Request-Id": "request-of-the-test" };
        all.push([path, await readAll(await askOf(host, "ada")(path, { ...init, headers }))]);
      }
      return all;
    };
    const closed = await askAll();
    assert.equal(host.counts().open, 0, "a request has opened the store");
    await host.administer("ada", async () => {});
    assert.equal(host.counts().open, 1);
    assert.deepEqual(await askAll(), closed);
  });
}

test("an instance without an account says so while it is closed, and as soon as it has one", async (t) => {
  const place = await createHostPlace(t, "SQLite");
  const host = startHost(t, place, ["ada"]);
  const isInitialized = async () => {
    const response = await askOf(host, "ada")("/v1/instance-info");
    return ((await response.json()) as { initialized: boolean }).initialized;
  };
  assert.equal(await isInitialized(), false);
  assert.equal(host.counts().open, 0);
  await addAccount(place, "ada");
  // No server has written down that there is an account: only the store knows.
  assert.equal(await isInitialized(), true);
  assert.equal(host.counts().open, 1);
});

test("a wrong key file signs no device out: it is the store that says whose key it has", async (t) => {
  const place = await createHostPlace(t, "SQLite");
  await leaveClosed(place, ["ada"]);
  const first = startHost(t, place, ["ada"]);
  const { accessToken, refreshToken } = await signInTo(first, "ada");
  await first.close();
  const folder = join(place.dataDir, "instances", "ada");
  assert.notEqual((await loadUsage(folder))?.keyCheck, null);
  const key = join(folder, "instance.key");
  await writeFile(key, Buffer.alloc(32, 7));
  await chmod(key, 0o600);
  const host = startHost(t, place, ["ada"]);
  const ask = askOf(host, "ada");
  assert.equal((await ask("/v1/pull", { headers: bearer(accessToken) })).status, 503);
  const refresh = { grantType: "refresh_token", refreshToken };
  assert.equal((await postJson(ask, "/v1/refresh", refresh)).status, 503);
});

test("tokens of a closed instance stay good when its key was rotated meanwhile", async (t) => {
  const place = await createHostPlace(t, "SQLite");
  await leaveClosed(place, ["ada"]);
  const host = startHost(t, place, ["ada"]);
  const ask = askOf(host, "ada");
  const { accessToken } = await signInTo(host, "ada");
  assert.equal((await ask("/v1/pull", { headers: bearer(MADE_UP) })).status, 401);
  await host.setInstance("ada", { baseUrl: originOf("ada"), displayName: "Ada" });
  const path = join(place.dataDir, "instances", "ada", "instance.key");
  const ring = readKeyRing(path) ?? assert.fail("There is no key");
  replaceKeyRing(path, rotateKeyRing(ring, Date.now(), Date.now()));
  assert.equal(host.counts().open, 0);
  assert.equal((await ask("/v1/pull", { headers: bearer(MADE_UP) })).status, 401);
  assert.equal(host.counts().open, 0, "a made-up token has opened the store");
  assert.equal((await ask("/v1/pull", { headers: bearer(accessToken) })).status, 200);
});

test("strangers have few openings, in all and for each network; devices are not affected", async (t) => {
  const place = await createHostPlace(t, "SQLite");
  const names = ["ada", "bob", "cleo", "dora", "eve"];
  await leaveClosed(place, names);
  const notices: string[] = [];
  const { host, scrape } = startObservedHost(t, place, names, {
    trustedProxies: ["127.0.0.1"],
    openingLimits: {
      process: { requests: 4, windowSeconds: 10 ** 9 },
      network: { requests: 2, windowSeconds: 10 ** 9 },
    },
    onNotice: (notice, instance) =>
      void (notice.kind === "request-refused" && notices.push(`${instance} ${notice.reason}`)),
  });
  const visit = async (name: string, address: string) => {
    const response = await host.http.respond({
      method: "GET",
      target: "/owner/export.json",
      remoteAddress: "127.0.0.1",
      header: (header) =>
        ({ host: `${name}.example.com`, "x-forwarded-for": address })[header] ?? null,
      async *body() {},
    });
    const { status, headers } = toFetchResponse(response);
    return [status, headers.get("retry-after")];
  };
  assert.deepEqual(await visit("ada", "192.0.2.1"), [303, null]);
  assert.deepEqual(await visit("bob", "192.0.2.1"), [303, null]);
  assert.deepEqual(await visit("cleo", "192.0.2.1"), [429, "10"]);
  // An instance that is open costs no opening.
  assert.deepEqual(await visit("ada", "192.0.2.1"), [303, null]);
  assert.deepEqual(await visit("cleo", "198.51.100.1"), [303, null]);
  // The last one is for a network that has had none.
  assert.deepEqual(await visit("dora", "198.51.100.1"), [429, "5"]);
  assert.deepEqual(await visit("dora", "203.0.113.1"), [303, null]);
  assert.deepEqual(await visit("eve", "100.64.0.1"), [429, "5"]);
  assert.equal(host.counts().open, 4);
  assert.deepEqual(notices, ["cleo network", "dora process"]);
  const metrics = await scrape();
  const refused = (reason: string) =>
    metrics.value("trellis_sync_refused_requests_total", { reason });
  assert.deepEqual([refused("network"), refused("process"), refused("turns")], [1, 2, 0]);
  const error = await readError(await askOf(host, "eve")("/owner/export.json"));
  assert.deepEqual([error.status, error.error], [429, "rate_limited"]);
  // The owner of an instance that a stranger cannot have opened is signed in already.
  const { accessToken } = await signInTo(host, "ada");
  await host.replaceInstances({
    ada: { baseUrl: originOf("ada"), displayName: "Ada" },
    eve: { baseUrl: originOf("eve") },
  });
  assert.equal(host.counts().open, 0);
  const pulled = await askOf(host, "ada")("/v1/pull", { headers: bearer(accessToken) });
  assert.equal(pulled.status, 200);
});

test("a stranger finds no place while devices use all instances that may be open", async (t) => {
  const place = await createHostPlace(t, "SQLite");
  const names = ["ada", "bob"];
  await leaveClosed(place, names);
  const host = startHost(t, place, names, { maxOpen: 1 });
  const visit = () => askOf(host, "bob")("/owner/export.json");
  assert.equal((await visit()).status, 303);
  const { accessToken } = await signInTo(host, "ada");
  const pulled = await askOf(host, "ada")("/v1/pull", { headers: bearer(accessToken) });
  assert.equal(pulled.status, 200);
  const refused = await visit();
  assert.deepEqual([refused.status, refused.headers.get("retry-after")], [429, "5"]);
});

/** A push whose body does not come before the test lets it. */
function createSlowPushes(host: Pick<SyncHost, "http">, name: string) {
  const arrived = Promise.withResolvers<void>();
  let reading = 0;
  const counts = { begun: 0, most: 0 };
  const push = async (accessToken: string) => {
    const { status } = await host.http.respond({
      method: "POST",
      target: "/v1/push",
      remoteAddress: "192.0.2.1",
      header: (header) =>
        ({
          host: `${name}.example.com`,
          authorization: `Bearer ${accessToken}`,
          "content-type": "application/json",
        })[header] ?? null,
      async *body() {
        counts.begun++;
        counts.most = Math.max(counts.most, ++reading);
        await arrived.promise;
        reading--;
        yield Buffer.from(JSON.stringify({ operations: [] }));
      },
    });
    return status;
  };
  return { push, counts, arrive: arrived.resolve };
}

const pushNothing = async (host: Pick<SyncHost, "fetch">, name: string, accessToken: string) =>
  (await postJson(askOf(host, name), "/v1/push", { operations: [] }, bearer(accessToken))).status;

test("a device receives so many bodies at once, what is too much is refused, and no other device waits", async (t) => {
  const place = await createHostPlace(t, "SQLite");
  await leaveClosed(place, ["ada", "bob"]);
  const host = startHost(t, place, ["ada", "bob"]);
  const [ada, bob] = [await signInTo(host, "ada"), await signInTo(host, "bob")];
  const tablet = await signInTo(host, "ada", "tablet");
  const { push, counts, arrive } = createSlowPushes(host, "ada");
  const pushes = Array.from({ length: 40 }, () => push(ada.accessToken));
  // The last eight are refused at once; none of the others has a response yet.
  assert.deepEqual(await Promise.all(pushes.slice(32)), new Array(8).fill(429));
  assert.equal(await pushNothing(host, "ada", tablet.accessToken), 400);
  const pulled = await askOf(host, "bob")("/v1/pull", { headers: bearer(bob.accessToken) });
  assert.equal(pulled.status, 200);
  arrive();
  assert.deepEqual(await Promise.all(pushes.slice(0, 32)), new Array(32).fill(400));
  assert.equal(counts.most, 8);
});

test("a revoked device is refused before its bodies are read, and has what strangers have", async (t) => {
  const place = await createHostPlace(t, "SQLite");
  await leaveClosed(place, ["ada"]);
  const host = startHost(t, place, ["ada"]);
  const { accessToken } = await signInTo(host, "ada");
  const revoked = await signInTo(host, "ada", "tablet");
  await host.administer("ada", ({ revokeDevice }) => revokeDevice("tablet"));
  const { push, counts, arrive } = createSlowPushes(host, "ada");
  const pushes = Array.from({ length: 80 }, () => push(revoked.accessToken));
  const honest = await pushNothing(host, "ada", accessToken);
  arrive();
  assert.equal(honest, 400);
  assert.deepEqual(new Set(await Promise.all(pushes)), new Set([401, 429]));
  assert.equal(counts.begun, 0);
  // The token opens nothing any more.
  await host.setInstance("ada", { baseUrl: originOf("ada"), displayName: "Ada" });
  const pull = (token: string) => askOf(host, "ada")("/v1/pull", { headers: bearer(token) });
  assert.equal((await pull(revoked.accessToken)).status, 401);
  assert.equal(host.counts().open, 0);
  assert.equal((await pull(accessToken)).status, 200);
});

/** A body that begins and does not end before the test lets it. */
function createStalled(host: Pick<SyncHost, "http">, t: TestContext) {
  const ended = Promise.withResolvers<void>();
  t.after(() => ended.resolve());
  const counts = { begun: 0 };
  const post = async (name: string, target: string, bytes: number, type = "application/json") => {
    const response = await host.http.respond({
      method: "POST",
      target,
      remoteAddress: "192.0.2.1",
      header: (header) => ({ host: `${name}.example.com`, "content-type": type })[header] ?? null,
      async *body() {
        counts.begun++;
        yield Buffer.alloc(bytes, " ");
        await ended.promise;
      },
    });
    return response.status;
  };
  return { post, counts, end: ended.resolve };
}

test("bodies of strangers that do not end take nothing from a device that refreshes", async (t) => {
  const place = await createHostPlace(t, "SQLite");
  await leaveClosed(place, ["ada", "bob"]);
  const host = startHost(t, place, ["ada", "bob"]);
  const { refreshToken } = await signInTo(host, "bob");
  const { post, end } = createStalled(host, t);
  const stalled = Array.from({ length: 64 }, () => post("ada", "/v1/refresh", 262_143));
  const refresh = { grantType: "refresh_token", refreshToken };
  assert.equal((await postJson(askOf(host, "bob"), "/v1/refresh", refresh)).status, 200);
  assert.equal(await post("ada", "/v1/refresh", 1, "text/plain"), 415);
  // One address has room for one of them; those that came first have made room.
  assert.deepEqual(await Promise.all(stalled.slice(0, 63)), new Array(63).fill(503));
  end();
  await Promise.all(stalled);
});

test("an open instance refuses a sign-in that is one too many before it receives the body", async (t) => {
  const place = await createHostPlace(t, "SQLite");
  await leaveClosed(place, ["ada"]);
  const host = startHost(t, place, ["ada"], { limits: { authorizePerMinute: 1 } });
  await host.administer("ada", async () => {});
  const { post, counts, end } = createStalled(host, t);
  const begun = Array.from({ length: 10 }, () => post("ada", "/v1/authorize", 10));
  for (let refused = 0; refused < 10; refused++) {
    assert.equal(await post("ada", "/v1/authorize", 10), 429);
  }
  assert.equal(counts.begun, 10);
  end();
  assert.deepEqual(await Promise.all(begun), new Array(10).fill(400));
});

test("requests whose bodies do not come use up no opening, and many requests for one instance use one", async (t) => {
  const place = await createHostPlace(t, "SQLite");
  const names = ["ada", "bob", "cleo"];
  await leaveClosed(place, names);
  const { host } = startObservedHost(t, place, names, {
    openingLimits: {
      process: { requests: 2, windowSeconds: 10 ** 9 },
      network: { requests: 2, windowSeconds: 10 ** 9 },
    },
  });
  const { post, end } = createStalled(host, t);
  const stalled = Array.from({ length: 20 }, () => post("ada", "/v1/authorize", 1));
  const authorize = (name: string) => postJson(askOf(host, name), "/v1/authorize", {});
  const asked = await Promise.all(Array.from({ length: 8 }, () => authorize("bob")));
  assert.deepEqual(new Set(asked.map(({ status }) => status)), new Set([400]));
  assert.equal(host.counts().open, 1);
  end();
  assert.deepEqual(new Set(await Promise.all(stalled)), new Set([400]));
  assert.equal(host.counts().open, 2);
  assert.equal((await authorize("cleo")).status, 429);
});

test("an instance folder of before a key rotation signs no device out", async (t) => {
  const place = await createHostPlace(t, "SQLite");
  await leaveClosed(place, ["ada"]);
  const folder = join(place.dataDir, "instances", "ada");
  const files = ["instance.key", "usage.json"].map((file) => join(folder, file));
  const before = await Promise.all(files.map((file) => readFile(file)));
  const [key = ""] = files;
  const ring = readKeyRing(key) ?? assert.fail("There is no key");
  replaceKeyRing(key, rotateKeyRing(ring, Date.now(), Date.now()));
  const first = startHost(t, place, ["ada"]);
  const { refreshToken } = await signInTo(first, "ada");
  await first.close();
  for (const [index, file] of files.entries()) await writeFile(file, before[index] ?? "");
  const host = startHost(t, place, ["ada"]);
  const refresh = { grantType: "refresh_token", refreshToken };
  assert.equal((await postJson(askOf(host, "ada"), "/v1/refresh", refresh)).status, 503);
});

test("a made-up refresh token has the openings of strangers, and only the store refuses it", async (t) => {
  const place = await createHostPlace(t, "SQLite");
  await leaveClosed(place, ["ada", "bob"]);
  const { host } = startObservedHost(t, place, ["ada", "bob"], {
    openingLimits: {
      process: { requests: 2, windowSeconds: 10 ** 9 },
      network: { requests: 1, windowSeconds: 10 ** 9 },
    },
  });
  const refresh = (name: string) => postJson(askOf(host, name), "/v1/refresh", MADE_UP_REFRESH);
  assert.equal((await refresh("ada")).status, 401);
  assert.equal(host.counts().open, 1);
  assert.equal((await refresh("bob")).status, 429);
});

test("a device is not behind the strangers that came before it, and each of them gets its response", async (t) => {
  const place = await createHostPlace(t, "SQLite");
  await leaveClosed(place, ["ada"]);
  const host = startHost(t, place, ["ada"]);
  const { accessToken } = await signInTo(host, "ada");
  let served = 0;
  const flood = ["ada", "unknown"].flatMap((name) =>
    Array.from({ length: 300 }, async () => {
      const { status } = await askOf(host, name)("/v1/health");
      served++;
      return status;
    }),
  );
  const pulled = await askOf(host, "ada")("/v1/pull", { headers: bearer(accessToken) });
  assert.equal(pulled.status, 200);
  assert.ok(served < flood.length / 2, `${served} strangers were served before the device`);
  assert.deepEqual(new Set(await Promise.all(flood)), new Set([200, 404]));
});
