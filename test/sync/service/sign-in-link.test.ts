import assert from "node:assert/strict";
import { test } from "node:test";
import { createPlace, testOnBothStores } from "../operations/on-both-stores.ts";
import { postJson, type Ask } from "../sync-client.ts";
import { completeRightly, guess, KNOWN_BROWSER } from "./guess.ts";
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

testOnBothStores("a link lets a browser past guesses in every process", async ({ open }) => {
  const service = await startSyncService(await open());
  // Another process on the same store, as with several workers.
  const other = await startSyncService(await open());
  const { ask } = service;
  for (let count = 0; count < 5; count++) assert.equal(await guess(ask), 401);
  assert.equal((await completeRightly(ask)).status, 429);
  const used = await use(ask, await makeLink(service));
  const known = used.headers.get(KNOWN_BROWSER) ?? "";
  assert.equal((await completeRightly(other.ask, known)).status, 200);
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

testOnBothStores("without an account there is no link", async ({ open }) => {
  const store = await open();
  const { administration } = await startSyncService(store);
  await store.database.transaction((tx) => tx.query("DELETE FROM identity_accounts"));
  assert.equal(await administration.createSignInLink(), null);
});
