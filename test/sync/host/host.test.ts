/** How a server with many instances chooses, opens, limits and closes them. */
import assert from "node:assert/strict";
import { chmod, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { toFetchResponse } from "../../../src/http/fetch.ts";
import type { HostNotice } from "../../../src/hosting/index.ts";
import { STORE_KINDS } from "../../database/on-both-stores.ts";
import { createOperation } from "../../fixtures/sync-operation.ts";
import { openChanges } from "../read-changes.ts";
import { authorize, postJson, VERIFIER } from "../sync-client.ts";
import {
  addAccount,
  askOf,
  bearer,
  createHostPlace,
  originOf,
  readError,
  REDIRECT_URI,
  signInOptions,
  signInTo,
  startHost,
} from "./serve-host.ts";

const push = (accessToken: string, sequence: number) =>
  ["/v1/push", { operations: [createOperation({ sequence })] }, bearer(accessToken)] as const;

async function nameAt(respond: (host: string | null) => Promise<Response>, host: string | null) {
  const response = await respond(host);
  const body = (await response.json()) as { baseUrl?: string; error?: string };
  return body.baseUrl ?? `${response.status} ${body.error}`;
}

test("the host of a request chooses the instance, and an unknown one reaches none", async (t) => {
  const place = await createHostPlace(t, "SQLite");
  const { http, counts } = startHost(t, place, [], {
    instances: {
      ada: { baseUrl: "https://ada.example.com" },
      port: { baseUrl: "https://ada.example.com:8443" },
      local: { baseUrl: "http://127.0.0.1:4811" },
    },
  });
  const respond = async (host: string | null, headers: Record<string, string> = {}) => {
    const response = await http.respond({
      method: "GET",
      target: "/v1/instance-info",
      header: (name) => (name === "host" ? host : (headers[name] ?? null)),
      remoteAddress: "192.0.2.1",
      async *body() {},
    });
    return toFetchResponse(response);
  };
  const cases = {
    "ada.example.com": "https://ada.example.com",
    "ADA.Example.COM": "https://ada.example.com",
    "ada.example.com:443": "https://ada.example.com",
    "ada.example.com:8443": "https://ada.example.com:8443",
    "127.0.0.1:4811": "http://127.0.0.1:4811",
    "ada.example.com:80": "404 not_found",
    "bob.example.com": "404 not_found",
    "ada.example.com, bob.example.com": "404 not_found",
    "127.0.0.1": "404 not_found",
    "ada.example.com.": "404 not_found",
    "": "404 not_found",
  };
  for (const [host, expected] of Object.entries(cases)) {
    assert.equal(await nameAt(respond, host), expected, host);
  }
  assert.equal(await nameAt(respond, null), "404 not_found");
  assert.equal(counts().open, 0, "a public route opens no store");
  // A header that any client may send does not choose.
  const forwarded = await respond("bob.example.com", { "x-forwarded-host": "ada.example.com" });
  assert.match((await readError(forwarded)).message, /This server has no instance at this host/);
  assert.equal(forwarded.headers.get("cache-control"), "no-store");
  assert.match(forwarded.headers.get("strict-transport-security") ?? "", /max-age/);
  assert.match(forwarded.headers.get("x-request-id") ?? "", /./);
});

test("a browser at an unknown host gets a page, and no instance is opened", async (t) => {
  const host = startHost(t, await createHostPlace(t, "SQLite"), ["ada"]);
  const response = await askOf(host, "bob")("/v1/authorize?state=x", {
    headers: { Accept: "text/html" },
  });
  assert.equal(response.status, 404);
  assert.match(response.headers.get("content-type") ?? "", /text\/html/);
  assert.equal(host.counts().open, 0);
});

for (const kind of STORE_KINDS) {
  test(`instances are closed for others, and devices notice nothing (${kind})`, async (t) => {
    const place = await createHostPlace(t, kind);
    const names = ["ada", "bob", "cleo"];
    for (const name of names) await addAccount(place, name);
    const host = startHost(t, place, names, { maxOpen: 1 });
    const tokens = new Map<string, string>();
    for (const name of names) tokens.set(name, (await signInTo(host, name)).accessToken);
    for (const sequence of [1, 2]) {
      for (const name of names) {
        const response = await postJson(
          askOf(host, name),
          ...push(tokens.get(name) ?? "", sequence),
        );
        assert.equal(response.status, 200, await response.text());
        assert.equal(host.counts().open, 1);
      }
    }
    for (const name of names) {
      const page = await askOf(host, name)("/v1/pull", { headers: bearer(tokens.get(name) ?? "") });
      assert.equal(((await page.json()) as { headOffset: number }).headOffset, 2);
    }
  });
}

test("an open stream keeps its instance open, and the place is free when it ends", async (t) => {
  const place = await createHostPlace(t, "SQLite");
  for (const name of ["ada", "bob"]) await addAccount(place, name);
  const notices: string[] = [];
  const host = startHost(t, place, ["ada", "bob"], {
    maxOpen: 1,
    onNotice: ({ kind }, instance) => notices.push(`${instance} ${kind}`),
  });
  const bobs = await signInTo(host, "bob");
  const pullOfBob = () => askOf(host, "bob")("/v1/pull", { headers: bearer(bobs.accessToken) });
  const { accessToken } = await signInTo(host, "ada");
  const stream = await openChanges(askOf(host, "ada"), accessToken);
  const refused = await pullOfBob();
  assert.deepEqual([refused.status, refused.headers.get("retry-after")], [503, "5"]);
  assert.equal((await readError(refused)).error, "storage_unavailable");
  await pullOfBob();
  assert.deepEqual(
    notices.filter((notice) => notice.endsWith("refused")),
    ["bob request-refused"],
  );
  const pushed = await postJson(askOf(host, "ada"), ...push(accessToken, 1));
  assert.equal(pushed.status, 200);
  await stream.head();
  await stream.close();
  assert.equal((await pullOfBob()).status, 200);
});

test("an instance that cannot be opened does not affect the others", async (t) => {
  const place = await createHostPlace(t, "SQLite");
  for (const name of ["ada", "bob"]) await addAccount(place, name);
  const key = join(place.dataDir, "instances", "ada", "instance.key");
  await rm(key);
  await writeFile(key, Buffer.alloc(32, 7));
  await chmod(key, 0o600);
  const failed: HostNotice[] = [];
  const host = startHost(t, place, ["ada", "bob"], {
    onNotice: (notice) => failed.push(notice),
  });
  const responses = await Promise.all(
    ["ada", "bob", "ada", "bob"].map((name) => askOf(host, name)("/owner/export.json")),
  );
  assert.deepEqual(
    responses.map(({ status }) => status),
    [503, 303, 503, 303],
  );
  const [notice, ...rest] = failed;
  assert.deepEqual([notice?.kind, rest.length], ["instance-failed", 0]);
  assert.match(String(notice?.kind === "instance-failed" && notice.error), /is not the one/);
});

test("a suspended instance asks devices to come back later, and keeps them signed in", async (t) => {
  const place = await createHostPlace(t, "SQLite");
  await addAccount(place, "ada");
  const host = startHost(t, place, ["ada"], { corsOrigins: ["https://app.example.com"] });
  const ask = askOf(host, "ada");
  const { accessToken } = await signInTo(host, "ada");
  const stream = await openChanges(ask, accessToken);
  const settings = { baseUrl: originOf("ada") };
  await Promise.all([host.setInstance("ada", { ...settings, suspended: true }), stream.ended()]);
  assert.deepEqual(host.counts(), { instances: 1, open: 0, inUse: 0 });
  const refused = await ask("/v1/pull", {
    headers: { ...bearer(accessToken), Origin: "https://app.example.com" },
  });
  assert.deepEqual([refused.status, refused.headers.get("retry-after")], [503, "3600"]);
  assert.equal(refused.headers.get("access-control-allow-origin"), "https://app.example.com");
  assert.match((await readError(refused)).message, /suspended/);
  assert.equal(host.counts().open, 0);
  // Its owner, who opens the page in a browser, reads a page.
  const page = await ask("/", { headers: { Accept: "text/html" } });
  assert.deepEqual([page.status, page.headers.get("retry-after")], [503, "3600"]);
  assert.match(await page.text(), /The operator has paused this address/);
  await host.setInstance("ada", settings);
  assert.equal((await ask("/v1/pull", { headers: bearer(accessToken) })).status, 200);
});

test("a request that waits for an instance does not open it when it was suspended meanwhile", async (t) => {
  const place = await createHostPlace(t, "SQLite");
  await addAccount(place, "ada");
  const host = startHost(t, place, ["ada"]);
  const { accessToken } = await signInTo(host, "ada");
  const using = Promise.withResolvers<void>();
  const used = host.administer("ada", () => using.promise);
  while (host.counts().open === 0) await new Promise(setImmediate);
  // Closed because it was changed, and then suspended before it is closed.
  const changed = host.setInstance("ada", { baseUrl: originOf("ada"), displayName: "Ada" });
  const waiting = askOf(host, "ada")("/v1/pull", { headers: bearer(accessToken) });
  await new Promise(setImmediate);
  const suspended = host.setInstance("ada", { baseUrl: originOf("ada"), suspended: true });
  using.resolve();
  await Promise.all([used, changed, suspended]);
  const refused = await waiting;
  assert.deepEqual([refused.status, refused.headers.get("retry-after")], [503, "3600"]);
  for (let turn = 0; host.counts().open > 0 && turn < 100; turn++) await wait(10);
  assert.equal(host.counts().open, 0);
});

test("instances are added, changed and removed while the host runs", async (t) => {
  const place = await createHostPlace(t, "SQLite");
  const host = startHost(t, place, []);
  const info = async (name: string) => {
    const response = await askOf(host, name)("/v1/instance-info");
    return response.status === 200
      ? ((await response.json()) as { name: string; initialized: boolean })
      : response.status;
  };
  assert.equal(await info("ada"), 404);
  await host.setInstance("ada", { baseUrl: originOf("ada"), displayName: "Ada" });
  const created = await host.administer("ada", (administration) =>
    administration.createAccount("ada", "correct horse battery staple"),
  );
  assert.equal(created.kind, "done");
  const expected = { protocolVersion: 1, name: "Ada", baseUrl: originOf("ada"), initialized: true };
  assert.deepEqual(await info("ada"), expected);
  await host.setInstance("ada", { baseUrl: originOf("ada"), displayName: "Countess" });
  assert.deepEqual(await info("ada"), { ...expected, name: "Countess" });
  await assert.rejects(
    host.setInstance("bob", { baseUrl: originOf("ada") }),
    /bob\.baseUrl has the host of the instance "ada"/,
  );
  await assert.rejects(host.setInstance("B_B", { baseUrl: originOf("bob") }), /B_B/);
  await assert.rejects(host.setInstance("bob", { baseUrl: "https://x.example/y" }), /no path/);
  assert.deepEqual(
    host.listInstances().map(({ name }) => name),
    ["ada"],
  );
  await host.removeInstance("ada");
  assert.equal(await info("ada"), 404);
  await assert.rejects(
    host.administer("ada", async () => {}),
    /There is no instance "ada"/,
  );
});

for (const kind of STORE_KINDS) {
  test(`a push beyond the quota is refused, and pulls go on (${kind})`, async (t) => {
    const place = await createHostPlace(t, kind);
    for (const name of ["ada", "bob"]) await addAccount(place, name);
    const host = startHost(t, place, [], {
      instances: {
        ada: { baseUrl: originOf("ada"), quota: { bytes: 1000 } },
        bob: { baseUrl: originOf("bob"), quota: { bytes: 100_000_000 } },
      },
    });
    const ada = await signInTo(host, "ada");
    const refused = await postJson(askOf(host, "ada"), ...push(ada.accessToken, 1));
    assert.deepEqual([refused.status, refused.headers.get("retry-after")], [507, "60"]);
    const { error, message } = await readError(refused);
    assert.equal(error, "quota_exceeded");
    assert.match(message, /Your storage on this server is used up, so nothing was stored/);
    const page = await askOf(host, "ada")("/v1/pull", { headers: bearer(ada.accessToken) });
    assert.equal(((await page.json()) as { headOffset: number }).headOffset, 0);
    const bob = await signInTo(host, "bob");
    assert.equal((await postJson(askOf(host, "bob"), ...push(bob.accessToken, 1))).status, 200);
  });
}

test("a device beyond the quota is not signed in, and a signed-in one may sign in again", async (t) => {
  const place = await createHostPlace(t, "SQLite");
  await addAccount(place, "ada");
  const host = startHost(t, place, ["ada"], { quota: { devices: 2 } });
  const ask = askOf(host, "ada");
  for (const deviceId of ["phone", "tablet", "phone"]) await signInTo(host, "ada", deviceId);
  const redeem = async (attemptId: string) => {
    const { code } = await authorize(ask, signInOptions({ deviceId: "laptop" }), attemptId);
    return postJson(ask, "/v1/token", {
      grantType: "authorization_code",
      code,
      codeVerifier: VERIFIER,
      redirectUri: REDIRECT_URI,
      attemptId,
    });
  };
  const response = await redeem("attempt-1");
  assert.equal(response.headers.get("trellis-refused"), "too_many_devices");
  const refused = await readError(response);
  assert.deepEqual([refused.status, refused.error], [400, "invalid_grant"]);
  assert.match(refused.message, /allows 2 signed-in devices: sign one out/);
  await host.administer("ada", ({ revokeDevice }) => revokeDevice("tablet"));
  assert.equal((await redeem("attempt-2")).status, 200);
});

test("an instance has an owner page unless it, or the host, has none", async (t) => {
  const place = await createHostPlace(t, "SQLite");
  const host = startHost(t, place, [], {
    ownerPage: false,
    instances: {
      ada: { baseUrl: originOf("ada") },
      bob: { baseUrl: originOf("bob"), ownerPage: true },
    },
  });
  const read = async (name: string) =>
    (await askOf(host, name)("/", { headers: { Accept: "text/html" } })).status === 404;
  assert.deepEqual([await read("ada"), await read("bob")], [true, false]);
});
