import assert from "node:assert/strict";
import { test } from "node:test";
import type { RequestLogEntry } from "../../../src/http/request-log.ts";
import type { SecurityEvent } from "../../../src/identity/security-event.ts";
import { createPlace, testOnBothStores } from "../operations/on-both-stores.ts";
import { postJson, type Ask } from "../sync-client.ts";
import { completeRightly, guess, KNOWN_BROWSER } from "./guess.ts";
import { createOwnerBrowser } from "./owner-browser.ts";
import { startSyncService, type SyncTestService } from "./sync-service.ts";

const PATH = "/sign-in-link";
const SAME_ORIGIN = { "Sec-Fetch-Site": "same-origin" };

async function makeLink({ administration }: Pick<SyncTestService, "administration">) {
  const link = await administration.createSignInLink();
  assert.ok(link !== null);
  return link.secret;
}

const use = (ask: Ask, link: string, headers: Record<string, string> = SAME_ORIGIN) =>
  postJson(ask, PATH, { link }, headers);

async function expectRefused(response: Response): Promise<void> {
  assert.equal(response.status, 401);
  const { error, message } = (await response.json()) as Record<string, string>;
  assert.equal(error, "authentication_failed");
  assert.match(message ?? "", /^The link was used before, has expired or is not complete/);
  assert.equal(response.headers.get(KNOWN_BROWSER), null);
}

testOnBothStores(
  "while strangers guess, a new browser signs in with a link and the password",
  async ({ open }) => {
    const events: SecurityEvent[] = [];
    const log: RequestLogEntry[] = [];
    const service = await startSyncService(await open(), {
      onNotice: (notice) => notice.kind === "security-event" && events.push(notice.event),
      log: (entry) => log.push(entry),
    });
    // Another process on the same store, as with several workers.
    const other = await startSyncService(await open());
    const { ask } = service;
    for (let count = 0; count < 5; count++) assert.equal(await guess(ask), 401);
    assert.equal((await completeRightly(ask)).status, 429);
    const link = await makeLink(service);
    const used = await use(ask, link);
    assert.equal(used.status, 200);
    assert.equal(await used.text(), "{}");
    const known = used.headers.get(KNOWN_BROWSER) ?? "";
    const signedIn = await completeRightly(other.ask, known);
    assert.equal(signedIn.status, 200);
    // From now on it is a browser like any other that has signed in.
    const next = signedIn.headers.get(KNOWN_BROWSER) ?? "";
    assert.notEqual(next, known);
    service.clock.now += 2 * 86_400_000;
    for (let count = 0; count < 5; count++) assert.equal(await guess(ask), 401);
    assert.equal((await completeRightly(ask, known)).status, 429);
    assert.equal((await completeRightly(ask, next)).status, 200);
    assert.deepEqual(
      events.filter(({ kind }) => kind === "sign-in-link-used"),
      [{ kind: "sign-in-link-used", network: "192.0.2.0/24" }],
    );
    assert.ok(log.some(({ path }) => path === PATH));
    assert.ok(!JSON.stringify([log, events]).includes(link));
  },
);

testOnBothStores("wrong passwords after a link hold that browser", async ({ open }) => {
  const service = await startSyncService(await open());
  const { ask } = service;
  const known = (await use(ask, await makeLink(service))).headers.get(KNOWN_BROWSER) ?? "";
  const headers = { [KNOWN_BROWSER]: known };
  const statuses = [];
  for (let count = 0; count < 6; count++) statuses.push(await guess(ask, { headers }));
  assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429]);
  assert.equal((await completeRightly(ask, known)).status, 429);
  // The browser counts apart, in both directions, and another link in it does not reset its count.
  assert.equal((await completeRightly(ask)).status, 200);
  const again = await use(ask, await makeLink(service), { ...SAME_ORIGIN, ...headers });
  assert.equal(again.headers.get(KNOWN_BROWSER), known);
  assert.equal((await completeRightly(ask, known)).status, 429);
});

testOnBothStores("a link works once and for ten minutes", async ({ open }) => {
  const service = await startSyncService(await open());
  const { ask, clock } = service;
  const [link, late] = [await makeLink(service), await makeLink(service)];
  clock.now += 600_000 - 1;
  assert.equal((await use(ask, link)).status, 200);
  await expectRefused(await use(ask, link));
  clock.now += 1;
  await expectRefused(await use(ask, late));
  for (const wrong of ["", "\u0000", "A".repeat(43)]) await expectRefused(await use(ask, wrong));
});

testOnBothStores("reading the page, and requests of other sites, use no link up", async (place) => {
  const service = await startSyncService(await place.open(), {
    corsOrigins: ["https://app.example.com"],
  });
  const { ask } = service;
  const link = await makeLink(service);
  const body = JSON.stringify({ link });
  const json = { "Content-Type": "application/json" };
  const statusOf = async (init: RequestInit, path = PATH) => (await ask(path, init)).status;
  for (const path of [PATH, `${PATH}?link=${link}`, `${PATH}?lang=de`]) {
    assert.equal(await statusOf({}, path), 200);
    assert.equal(await statusOf({ method: "HEAD" }, path), 200);
  }
  const post = (headers: Record<string, string>, sent: BodyInit = body) =>
    statusOf({ method: "POST", headers, body: sent });
  assert.equal(await post({ ...json, "Sec-Fetch-Site": "cross-site" }), 403);
  assert.equal(await post({ ...json, "Sec-Fetch-Site": "same-site" }), 403);
  assert.equal(await post({ ...json, Origin: "https://evil.example" }), 403);
  assert.equal(await post({ ...json, Origin: "https://app.example.com" }), 403);
  assert.equal(await post({}, new URLSearchParams({ link })), 415);
  assert.equal(await post({ "Content-Type": "text/plain" }), 415);
  assert.equal(await post(json, JSON.stringify({ link, more: 1 })), 400);
  assert.equal(await post(json, JSON.stringify({ link: [link] })), 400);
  for (const origin of ["https://evil.example", "https://app.example.com"]) {
    const preflight = { Origin: origin, "Access-Control-Request-Method": "POST" };
    assert.equal(await statusOf({ method: "OPTIONS", headers: preflight }), 403);
  }
  assert.equal((await use(ask, link)).status, 200);
});

test("the page is for every browser, and a repeated or unknown language is refused", async (t) => {
  const place = await createPlace(t, "SQLite");
  const { ask } = await startSyncService(await place.open(), { ownerPage: false });
  const read = async (path: string, headers: HeadersInit = {}) => {
    const response = await ask(path, { headers });
    return { response, text: await response.text() };
  };
  const { response, text } = await read(PATH);
  assert.match(text, /<html lang="en">[^]*Let this browser sign in/);
  assert.match(response.headers.get("content-security-policy") ?? "", /script-src 'nonce-/);
  assert.equal(response.headers.get("referrer-policy"), "no-referrer");
  assert.deepEqual(response.headers.getSetCookie(), []);
  const german = await read(PATH, { "Accept-Language": "de" });
  assert.match(german.text, /<html lang="de">[^]*Diesen Browser zulassen/);
  assert.match((await read(`${PATH}?lang=de`)).text, /<html lang="de">/);
  for (const query of ["lang=de&lang=en", "lang=fr", "lang="]) {
    assert.equal((await read(`${PATH}?${query}`)).response.status, 400, query);
  }
});

testOnBothStores("links are limited by network, apart from begun sign-ins", async ({ open }) => {
  const limits = { authorizePerMinute: 5 };
  const service = await startSyncService(await open(), { limits });
  const { ask, askFrom, clock } = service;
  const link = await makeLink(service);
  for (let count = 0; count < 5; count++) await guess(ask);
  for (let count = 0; count < 5; count++) await expectRefused(await use(ask, "A".repeat(43)));
  const limited = await use(ask, link);
  assert.equal(limited.status, 429);
  assert.match(limited.headers.get("retry-after") ?? "", /^\d+$/);
  assert.equal((await use(askFrom("198.51.100.9"), link)).status, 200);
  clock.now += 60_000;
  assert.equal((await use(ask, await makeLink(service))).status, 200);
});

testOnBothStores("the first sign-in after a link is one of a new device", async ({ open }) => {
  const events: string[] = [];
  const service = await startSyncService(await open(), {
    onNotice: (notice) => notice.kind === "security-event" && events.push(notice.event.kind),
  });
  const browser = createOwnerBrowser(service.ask);
  assert.equal((await browser.postJson(PATH, { link: await makeLink(service) })).status, 200);
  assert.equal((await browser.signIn()).status, 200);
  assert.deepEqual(events, ["sign-in-link-used", "new-device"]);
  await browser.submit({ action: "sign-out" });
  assert.equal((await browser.signIn()).status, 200);
  assert.deepEqual(events, ["sign-in-link-used", "new-device"]);
});

testOnBothStores("without an account there is no link", async ({ open }) => {
  const store = await open();
  const { administration } = await startSyncService(store);
  await store.database.transaction((tx) => tx.query("DELETE FROM identity_accounts"));
  assert.equal(await administration.createSignInLink(), null);
});
