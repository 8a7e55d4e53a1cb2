/** What invitations and reset links do to the devices of sync; `test/identity/account` has what every account shares. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import type { SyncServiceOptions } from "../../../src/sync/setup/options.ts";
import { createWireVerifier } from "../../fixtures/password-keys.ts";
import { createPlace } from "../operations/on-both-stores.ts";
import { signIn } from "../sync-client.ts";
import { createOwnerBrowser, type OwnerBrowser } from "./owner-browser.ts";
import { ANNA, signInOptions, startSyncService } from "./sync-service.ts";

const PATH = "/welcome";
const ADA = { username: "ada", password: "a long enough password" };

async function start(t: TestContext, options: Partial<SyncServiceOptions> = {}) {
  const store = await (await createPlace(t, "SQLite")).open();
  const service = await startSyncService(store, options);
  /** A link to the account that is yet to be created. */
  const invite = async () => {
    await store.database.transaction((tx) => tx.query("DELETE FROM identity_accounts"));
    const result = await service.administration.invite(null);
    assert.ok(result.kind === "done", result.kind);
    return result.link.secret;
  };
  return { ...service, invite };
}

async function usePassword(browser: OwnerBrowser, link: string) {
  const verifier = await createWireVerifier(ADA.password);
  const body = { action: "password", link, username: ADA.username, verifier };
  return browser.postJson(PATH, body);
}

test("an invited person signs an app in, and the account is the only one", async (t) => {
  const { ask, invite, administration } = await start(t);
  const browser = createOwnerBrowser(ask);
  assert.equal((await usePassword(browser, await invite())).status, 200);
  await signIn(ask, signInOptions(ADA));
  assert.deepEqual(await administration.invite(null), {
    kind: "account-exists",
    username: ADA.username,
  });
});

test("a reset link signs every device out", async (t) => {
  const { ask, administration } = await start(t);
  const { accessToken } = await signIn(ask, signInOptions());
  const link = (await administration.createResetLink())?.secret ?? "";
  const isSignedIn = async () => {
    const headers = { Authorization: `Bearer ${accessToken}` };
    return (await ask("/v1/device", { headers })).status === 200;
  };
  assert.equal(await isSignedIn(), true);
  assert.equal((await usePassword(createOwnerBrowser(ask), link)).status, 200);
  assert.equal(await isSignedIn(), false);
  assert.deepEqual(await administration.listDevices(), []);
  await signIn(ask, signInOptions({ ...ANNA, password: ADA.password }));
});

test("an origin that may use the service cannot use a link", async (t) => {
  const { ask, invite } = await start(t, { corsOrigins: ["https://app.example.com"] });
  const browser = createOwnerBrowser(ask);
  const link = await invite();
  for (const Origin of ["https://evil.example", "https://app.example.com"]) {
    const response = await browser.postJson(PATH, { action: "open", link }, { Origin });
    assert.equal(response.status, 403, Origin);
  }
});

test("without the owner's page a link opens no session, and every browser gets the page", async (t) => {
  const { ask, invite } = await start(t, { ownerPage: false });
  const browser = createOwnerBrowser(ask);
  const page = await ask(`${PATH}?lang=de`);
  assert.match(await page.text(), /<html lang="de">[^]*Willkommen/);
  assert.equal(page.headers.get("referrer-policy"), "no-referrer");
  assert.deepEqual(page.headers.getSetCookie(), []);
  assert.equal((await ask(`${PATH}?lang=fr`)).status, 400);
  const used = await usePassword(browser, await invite());
  assert.deepEqual(await used.json(), { kind: "done", username: "ada", next: null });
  assert.equal(browser.cookies.size, 0);
});
