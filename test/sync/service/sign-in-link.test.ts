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

test("an origin that may use the service uses no link up", async (t) => {
  const place = await createPlace(t, "SQLite");
  const corsOrigins = ["https://app.example.com"];
  const service = await startSyncService(await place.open(), { corsOrigins });
  const { ask } = service;
  const link = await makeLink(service);
  for (const Origin of ["https://evil.example", ...corsOrigins]) {
    assert.equal((await use(ask, link, { Origin })).status, 403, Origin);
    const headers = { Origin, "Access-Control-Request-Method": "POST" };
    assert.equal((await ask(PATH, { method: "OPTIONS", headers })).status, 403, Origin);
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
