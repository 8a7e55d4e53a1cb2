import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { test } from "node:test";
import { createAdministration } from "../../../src/events/maintenance/administration.ts";
import { createInstanceKey } from "../../../src/identity/instance-key.ts";
import { createPlace } from "../store/on-both-stores.ts";
import { createWireVerifier } from "../../fixtures/password-keys.ts";
import { BASE_URL, OLIVE, startInstance, type InstanceOptions } from "./events-instance.ts";
import { connect, signIn } from "./journey.ts";
import type { TestBrowser } from "./test-browser.ts";

const PATH = "/welcome";
const ADA = { username: "ada", password: "a long enough password" };
const KEY = createInstanceKey(new Uint8Array(32).fill(7));

async function start(t: TestContext, options: InstanceOptions = {}) {
  const instance = await startInstance(t, { instanceKey: KEY, ...options });
  const { store, clock } = instance;
  const administration = createAdministration({
    store,
    instanceKey: KEY,
    now: () => clock.now,
  });
  const invite = async (username: string | null = null, timeZone?: string) => {
    const result = await administration.invite([username], timeZone);
    assert.ok(result.kind === "done", result.kind);
    return result.links[0]?.secret ?? "";
  };
  const reset = async (revokesApps: boolean) =>
    (await administration.createResetLink(OLIVE.username, revokesApps))?.secret ?? "";
  return { ...instance, administration, invite, reset };
}

async function post(browser: TestBrowser, body: object) {
  const response = await browser.postJson(PATH, body, { "Sec-Fetch-Site": "same-origin" });
  const json = (await response.json()) as Readonly<Record<string, unknown>>;
  return { status: response.status, json, kind: json["kind"] };
}

const usePassword = async (browser: TestBrowser, link: string, { username, password } = ADA) =>
  post(browser, {
    action: "password",
    link,
    username,
    verifier: await createWireVerifier(password),
  });

test("an invited person is in the time zone of the invitation", async (t) => {
  const { createBrowser, invite, administration } = await start(t);
  const browser = createBrowser();
  assert.equal((await browser.see("welcome", PATH)).view.address, BASE_URL);
  assert.equal((await usePassword(browser, await invite("ada", "Europe/Berlin"))).kind, "done");
  const { frame } = await browser.see("home", "/");
  assert.deepEqual([frame.account?.username, frame.account?.timeZone], ["ada", "Europe/Berlin"]);
  assert.equal((await administration.listAccounts()).length, 2);
});

test("a name that is taken gets a sentence, and the link can still be used", async (t) => {
  const { createBrowser, invite, administration } = await start(t);
  const browser = createBrowser();
  const link = await invite();
  const taken = { ...ADA, username: OLIVE.username };
  assert.deepEqual((await usePassword(browser, link, taken)).json, { kind: "username-taken" });
  const begin = { action: "passkey-begin", link, username: OLIVE.username };
  assert.equal((await post(browser, begin)).kind, "username-taken");
  const invited = await administration.invite([null, OLIVE.username, "bob"]);
  assert.deepEqual(invited.kind === "done" && invited.taken, [OLIVE.username]);
  const links = (await administration.listLinks()).map(({ username }) => username);
  assert.deepEqual(new Set(links), new Set([null, "bob"]));
  assert.equal((await usePassword(browser, link)).kind, "done");
});

for (const revokesApps of [false, true]) {
  const apps = revokesApps ? "revokes the apps" : "keeps the apps";
  test(`a reset link signs out every browser and ${apps} as the command said`, async (t) => {
    const instance = await start(t);
    const { createBrowser, reset, administration } = instance;
    const former = createBrowser();
    await signIn(former);
    await connect(instance, former);
    const browser = createBrowser();
    const link = await reset(revokesApps);
    assert.deepEqual((await post(browser, { action: "open", link })).json, {
      kind: "reset",
      username: OLIVE.username,
      hasPasskeys: true,
      revokesApps,
    });
    await former.see("home", "/");
    assert.equal((await usePassword(browser, link)).kind, "done");
    assert.equal((await former.get("/")).status, 302);
    await browser.see("home", "/");
    assert.equal((await administration.listGrants())?.length, revokesApps ? 0 : 1);
  });
}

test("a person whose name could not be chosen today resets its password", async (t) => {
  const place = await createPlace(t, "SQLite");
  const { createBrowser, administration } = await start(t, { place });
  const { database } = await place.open();
  const username = " olive\u200b";
  await database.transaction((tx) =>
    tx.query("UPDATE identity_accounts SET username = $1", [username]),
  );
  const link = await administration.createResetLink(username, false);
  const used = await usePassword(createBrowser(), link?.secret ?? "");
  assert.equal(used.json["username"], username);
});

test("a class of thirty opens and uses its links from one address within a minute", async (t) => {
  const { createBrowser, administration } = await start(t);
  const names = Array.from({ length: 30 }, (_, index) => `pupil-${index + 1}`);
  const result = await administration.invite(names);
  assert.ok(result.kind === "done");
  const pupils = result.links.map(({ secret, username }) => ({ link: secret, username }));
  await Promise.all(
    pupils.map(async ({ link, username }) => {
      const browser = createBrowser();
      assert.equal((await post(browser, { action: "open", link })).kind, "invitation");
      const used = await usePassword(browser, link, { ...ADA, username: username ?? "" });
      assert.equal(used.kind, "done");
    }),
  );
  assert.equal((await administration.listAccounts()).length, 31);
});
