/** Sign-ins that fail because of the configuration: told apart, to the person and to the operator. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { createSyncService } from "../../../src/sync/service.ts";
import type { SyncNotice } from "../../../src/sync/setup/options.ts";
import { openSyncStore } from "../../../src/sync/sql/open-store.ts";
import { postJson } from "../sync-client.ts";
import { REDIRECT_URI } from "./sync-instance.ts";

const BASE_URL = "http://localhost:4811";
const UNLISTED = "https://evil.example/private";

async function startService(t: TestContext, onNotice: (notice: SyncNotice) => void) {
  const folder = await mkdtemp(join(tmpdir(), "trellis-notices-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const service = createSyncService({
    store: await openSyncStore(`sqlite:${join(folder, "sync.db")}`, folder),
    instanceKey: randomBytes(32),
    baseUrl: BASE_URL,
    displayName: "Notices",
    redirectUris: [REDIRECT_URI],
    onNotice,
  });
  t.after(() => service.close());
  return (path: string, init?: RequestInit) => service.fetch(new Request(BASE_URL + path, init));
}

const CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const STATE = "state-of-the-test-device";

const pagePath = (changes: Readonly<Record<string, string>> = {}) =>
  `/v1/authorize?${new URLSearchParams({
    response_type: "code",
    redirect_uri: REDIRECT_URI,
    code_challenge: CHALLENGE,
    state: STATE,
    attempt_id: "attempt",
    device_id: "phone",
    ...changes,
  }).toString()}`;

test("HEAD of the sign-in page has the headers of GET, also for an error and an encoded path", async (t) => {
  const ask = await startService(t, () => {});
  const headers = { Accept: "text/html" };
  for (const path of [pagePath({ redirect_uri: UNLISTED }), "/v1/%61uthorize?state=x"]) {
    for (const method of ["GET", "HEAD"]) {
      const response = await ask(path, { method, headers });
      assert.equal(response.status, 400);
      assert.match(response.headers.get("content-type") ?? "", /^text\/html/, `${method} ${path}`);
    }
  }
});

test("a redirect URI that is not on the list has its own words, and the operator learns of it", async (t) => {
  const notices: SyncNotice[] = [];
  const ask = await startService(t, (notice) => notices.push(notice));
  for (const [lang, title] of [
    ["en", "This app is not allowed on this server"],
    ["de", "Diese App ist auf diesem Server nicht zugelassen"],
  ] as const) {
    const response = await ask(pagePath({ redirect_uri: UNLISTED, lang }), {
      headers: { Accept: "text/html" },
    });
    assert.equal(response.status, 400);
    const requestId = response.headers.get("x-request-id");
    assert.deepEqual(notices.splice(0), [
      { kind: "redirect-not-listed", requestId, clientId: null },
    ]);
    const page = await response.text();
    assert.ok(page.includes(title));
    assert.ok(page.includes("400 invalid_authorization_request"));
    assert.ok(!page.includes(`href="${UNLISTED}`));
  }
  const attempt = { codeChallenge: CHALLENGE, state: STATE, attemptId: "attempt", deviceId: "a" };
  const begin = (redirectUri: string) =>
    postJson(
      ask,
      "/v1/authorize",
      { action: "begin", csrf: STATE, attempt: { username: "ada", ...attempt, redirectUri } },
      { "X-Service-CSRF": STATE },
    );
  const open = () => ask(pagePath({ redirect_uri: UNLISTED }));
  for (const send of [open, () => begin(UNLISTED)]) {
    const response = await send();
    const { error, message } = (await response.json()) as { error: string; message: string };
    assert.deepEqual([response.status, error], [400, "invalid_authorization_request"]);
    assert.match(message, /redirect URI is not on the list/);
    assert.equal(notices.splice(0).length, 1);
  }
  // Other failures keep the general words.
  const other = await ask(pagePath({ state: "short" }));
  assert.match(((await other.json()) as { message: string }).message, /incomplete or wrong/);
  assert.equal((await begin(REDIRECT_URI)).status, 200);
  assert.deepEqual(notices, []);
});

test("a page of an origin that is not listed is refused, and the operator learns the origin alone", async (t) => {
  const notices: SyncNotice[] = [];
  const ask = await startService(t, (notice) => notices.push(notice));
  for (const [origin, logged] of [
    ["https://app.example", "https://app.example"],
    ["capacitor://localhost", "capacitor://localhost"],
    ["https://app.example/ hunter2", "null"],
    ["null", "null"],
  ] as const) {
    for (const method of ["GET", "OPTIONS"]) {
      const headers = { Origin: origin, "Access-Control-Request-Method": "GET" };
      const response = await ask("/v1/capabilities", { method, headers });
      assert.equal(response.status, 403, `${method} ${origin}`);
      const requestId = response.headers.get("x-request-id");
      assert.deepEqual(notices.splice(0), [{ kind: "origin-refused", requestId, origin: logged }]);
    }
  }
  assert.equal((await ask("/v1/capabilities", { headers: { Origin: BASE_URL } })).status, 200);
  assert.deepEqual(notices, []);
});

test("a page that is opened at another host is served, and the operator learns of it", async (t) => {
  const notices: SyncNotice[] = [];
  const ask = await startService(t, (notice) => {
    notices.push(notice);
    throw new Error("The listener is broken");
  });
  const response = await ask(pagePath(), { headers: { Host: "192.168.1.5:4811" } });
  assert.equal(response.status, 200);
  const requestId = response.headers.get("x-request-id");
  assert.deepEqual(notices.splice(0), [{ kind: "opened-elsewhere", requestId }]);
  const own = `${BASE_URL}/v1/authorize?response_type=code&amp;redirect_uri=`;
  assert.ok((await response.text()).includes(`&quot;ownAddress&quot;:&quot;${own}`));
  assert.equal((await ask(pagePath(), { headers: { Host: "localhost:4811" } })).status, 200);
  assert.deepEqual(notices, []);
});
