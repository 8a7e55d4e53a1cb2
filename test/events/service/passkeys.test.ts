import assert from "node:assert/strict";
import { test } from "node:test";
import type { SoftwarePasskey } from "../../../conformance/authenticator.ts";
import { createAccounts } from "../../../src/identity/accounts.ts";
import type { PasskeyCreation } from "../../../src/contract/passkey.ts";
import { createInstanceKey } from "../../../src/identity/instance-key.ts";
import { testOnBothStores } from "../store/on-both-stores.ts";
import {
  MINUTE_MS,
  OLIVE,
  PIET,
  replaceRecords,
  startInstance,
  type EventsInstance,
} from "./events-instance.ts";
import {
  authorizePath,
  changePassword,
  createWireVerifier,
  guessUntilThrottled,
  redeem,
  signIn,
} from "./journey.ts";
import {
  addPasskey,
  AUTHENTICATOR,
  beginAdd,
  beginPasskeySignIn,
  changePasskey,
  readSessionCsrf,
  seePasskeys,
  SETTINGS,
  signInWithPasskey,
  tryAddPasskey,
} from "./passkey-journey.ts";
import { readPage, type TestBrowser } from "./test-browser.ts";

const WIM = { username: "wim", password: "the first password of wim" };
const SESSION = "trellis-events-session";

async function errorOf(response: Response): Promise<readonly [number, string]> {
  return [response.status, ((await response.json()) as { error: string }).error];
}

const REFUSED = [401, "authentication_failed"] as const;
const FORGED = [403, "csrf_failed"] as const;

async function whoIsSignedIn(browser: TestBrowser): Promise<string | undefined> {
  return (await browser.see("home", "/")).frame.account?.username;
}

/** A signed-in browser and a passkey that it added. */
async function startWithPasskey(
  t: Parameters<typeof startInstance>[0],
  options: Parameters<typeof startInstance>[1] = {},
): Promise<{ instance: EventsInstance; browser: TestBrowser; passkey: SoftwarePasskey }> {
  const instance = await startInstance(t, options);
  const browser = instance.createBrowser();
  await signIn(browser);
  return { instance, browser, passkey: await addPasskey(browser) };
}

function eventKinds({ notices }: EventsInstance): string[] {
  return notices.flatMap((notice) => (notice.kind === "security-event" ? [notice.event.kind] : []));
}

testOnBothStores("a passkey signs in to the account that added it", async (place, t) => {
  const instance = await startInstance(t, { place, accounts: [OLIVE, PIET] });
  const passkeys = new Map<string, SoftwarePasskey>();
  for (const account of [OLIVE, PIET]) {
    const browser = instance.createBrowser();
    await signIn(browser, account);
    passkeys.set(account.username, await addPasskey(browser, `Phone of ${account.username}`));
    const view = await seePasskeys(browser);
    assert.deepEqual(
      view?.passkeys.map(({ name, lastUsedAt }) => [name, lastUsedAt]),
      [[`Phone of ${account.username}`, null]],
    );
  }
  for (const [username, passkey] of passkeys) {
    instance.clock.now += MINUTE_MS;
    const browser = instance.createBrowser();
    assert.equal(await signInWithPasskey(browser, passkey), "/");
    assert.equal(await whoIsSignedIn(browser), username);
    const view = await seePasskeys(browser);
    assert.deepEqual(
      view?.passkeys.map(({ lastUsedAt }) => lastUsedAt),
      [instance.clock.now],
    );
  }
});

test("a sign-in with a passkey for an app leads to its consent, and to a token", async (t) => {
  const { instance, passkey } = await startWithPasskey(t);
  const browser = instance.createBrowser();
  const path = (await browser.get(authorizePath())).headers.get("location") ?? "";
  const next = await signInWithPasskey(browser, passkey, path);
  assert.equal(next, path.replace("sign-in", "consent"));
  const { interaction, csrf } = (await browser.see("consent", next)).view;
  const allowed = await browser.submit("/consent", { interaction, csrf, action: "allow" });
  const code = new URL(allowed.headers.get("location") ?? "").searchParams.get("code") ?? "";
  assert.equal((await redeem(instance, code)).status, 200);
});

test("a sign-in with a passkey for an app ends when the app's request does", async (t) => {
  const { createBrowser, clock } = await startInstance(t);
  const browser = createBrowser();
  const path = (await browser.get(authorizePath())).headers.get("location") ?? "";
  const { csrf } = (await browser.see("signIn", path)).view;
  clock.now += 10 * MINUTE_MS;
  const late = await browser.postJson("/sign-in/passkey", { action: "begin", csrf });
  assert.deepEqual(await errorOf(late), [400, "interaction_expired"]);
});

test("every forged signature has the response of an unknown passkey, and no cookie", async (t) => {
  const { instance, passkey } = await startWithPasskey(t, { accounts: [OLIVE, PIET] });
  const piet = instance.accountIds.get(PIET.username) ?? "";
  const stranger = { ...passkey, id: "unknown-passkey" };
  const unknown = await (await beginPasskeySignIn(instance.createBrowser())).complete(stranger);
  assert.equal(unknown.status, REFUSED[0]);
  const body = await unknown.text();
  for (const given of [
    { origin: "http://localhost:4822" },
    { origin: "https://localhost:4821" },
    { crossOrigin: true },
    { rpId: "example.com" },
    { type: "webauthn.create" },
    { userVerified: false },
    { userHandle: piet },
    { challenge: "A".repeat(75) },
    { challenge: "" },
  ] as const) {
    const browser = instance.createBrowser();
    const begun = await beginPasskeySignIn(browser);
    const response = await begun.complete(passkey, given);
    assert.deepEqual([response.status, await response.text()], [401, body], JSON.stringify(given));
    assert.deepEqual(response.headers.getSetCookie(), []);
    assert.equal(browser.cookies.has(SESSION), false);
  }
  assert.equal(await signInWithPasskey(instance.createBrowser(), passkey), "/");
});

test("a challenge is for one page of one browser, for five minutes, and for once", async (t) => {
  const { instance, browser: signedIn, passkey } = await startWithPasskey(t);
  const [browser, other] = [instance.createBrowser(), instance.createBrowser()];
  const first = await beginPasskeySignIn(browser);
  const second = await beginPasskeySignIn(browser);
  const foreign = await beginPasskeySignIn(other);
  const creation = (await (await beginAdd(signedIn)).json()) as PasskeyCreation;
  for (const { challenge } of [second.request, foreign.request, creation]) {
    assert.deepEqual(await errorOf(await first.complete(passkey, { challenge })), REFUSED);
  }
  const credential = AUTHENTICATOR.get(first.request, passkey);
  const body = { action: "complete", csrf: first.csrf, credential };
  assert.equal((await browser.postJson("/sign-in/passkey", body)).status, 200);
  assert.deepEqual(await errorOf(await browser.postJson("/sign-in/passkey", body)), REFUSED);
  assert.deepEqual(eventKinds(instance).includes("passkey-counter-went-back"), false);
  instance.clock.now += 5 * MINUTE_MS;
  assert.deepEqual(await errorOf(await second.complete(passkey)), REFUSED);
});

test("a counter that goes back is refused, and reported", async (t) => {
  const { instance, passkey } = await startWithPasskey(t);
  const complete = async (counter: number) =>
    (await beginPasskeySignIn(instance.createBrowser())).complete(passkey, { counter });
  assert.equal((await complete(7)).status, 200);
  for (const counter of [7, 6, 0]) {
    const before = eventKinds(instance).length;
    assert.deepEqual(await errorOf(await complete(counter)), REFUSED);
    assert.deepEqual(eventKinds(instance).slice(before), ["passkey-counter-went-back"]);
  }
  assert.equal((await complete(8)).status, 200);
});

test("requests that no page of this browser sent are refused", async (t) => {
  const { instance, browser, passkey } = await startWithPasskey(t);
  const [stranger, foreign] = [instance.createBrowser(), instance.createBrowser()];
  const { csrf } = (await stranger.see("signIn", "/sign-in")).view;
  const foreignToken = (await foreign.see("signIn", "/sign-in")).view.csrf;
  const session = await readSessionCsrf(browser);
  for (const [sender, path, token, headers] of [
    [stranger, "/sign-in/passkey", "", {}],
    [stranger, "/sign-in/passkey", foreignToken, {}],
    [stranger, "/sign-in/passkey", csrf, { "Sec-Fetch-Site": "cross-site" }],
    [stranger, "/sign-in/passkey", csrf, { "Sec-Fetch-Site": "same-site" }],
    [instance.createBrowser(), "/sign-in/passkey", csrf, {}],
    [stranger, "/account/passkeys", csrf, {}],
    [stranger, "/account/passkeys", session, {}],
    [browser, "/account/passkeys", csrf, {}],
    [browser, "/account/passkeys", "", {}],
    [browser, "/account/passkeys", session, { "Sec-Fetch-Site": "cross-site" }],
  ] as const) {
    const response = await sender.postJson(path, { action: "begin", csrf: token }, headers);
    assert.deepEqual(await errorOf(response), FORGED, `${path} ${token}`);
  }
  const members = { action: "remove-passkey", passkey: passkey.id };
  const removal = await browser.submit(SETTINGS, { ...members, csrf });
  assert.equal(removal.status, 403);
  assert.equal((await seePasskeys(browser))?.passkeys.length, 1);
});

test("signing in with a passkey replaces a planted session id", async (t) => {
  const { instance, browser: attacker, passkey } = await startWithPasskey(t);
  const planted = attacker.cookies.get(SESSION) ?? "";
  const victim = instance.createBrowser();
  const begun = await beginPasskeySignIn(victim);
  victim.cookies.set(SESSION, planted);
  assert.equal((await begun.complete(passkey)).status, 200);
  assert.notEqual(victim.cookies.get(SESSION), planted);
  assert.equal((await attacker.get("/")).headers.get("location"), "/sign-in");
});

test("guesses of the password do not keep a passkey waiting", async (t) => {
  const { instance, passkey } = await startWithPasskey(t);
  const browser = instance.createBrowser();
  assert.ok((await guessUntilThrottled(browser, OLIVE.username)) < 20);
  assert.equal(await signInWithPasskey(browser, passkey), "/");
});

test("a passkey is renamed and removed, and then refused", async (t) => {
  const { instance, browser, passkey } = await startWithPasskey(t, { accounts: [OLIVE, PIET] });
  const other = instance.createBrowser();
  await signIn(other, PIET);
  for (const action of ["name-passkey", "remove-passkey"] as const) {
    const response = await changePasskey(other, action, passkey, "Mine");
    assert.equal((await readPage("settings", response)).view.error, "passkey-gone");
  }
  for (const name of ["", "  ", "x".repeat(65), "a\u0000b"]) {
    const response = await changePasskey(browser, "name-passkey", passkey, name);
    assert.equal((await readPage("settings", response)).view.error, "passkey-name-invalid");
  }
  const renamed = await changePasskey(browser, "name-passkey", passkey, " <Key> & ring ");
  assert.equal(renamed.headers.get("location"), `${SETTINGS}?notice=passkey-named`);
  const names = (await seePasskeys(browser))?.passkeys.map(({ name }) => name);
  assert.deepEqual(names, ["<Key> & ring"]);
  const removed = await changePasskey(browser, "remove-passkey", passkey);
  assert.equal(removed.headers.get("location"), `${SETTINGS}?notice=passkey-removed`);
  assert.deepEqual((await seePasskeys(browser))?.passkeys, []);
  const response = await (await beginPasskeySignIn(instance.createBrowser())).complete(passkey);
  assert.deepEqual(await errorOf(response), REFUSED);
  assert.deepEqual(eventKinds(instance), [
    "new-device",
    "passkey-added",
    "new-device",
    "passkey-removed",
  ]);
});

test("passkeys are added and removed only after a recent sign-in", async (t) => {
  const { instance, browser, passkey } = await startWithPasskey(t);
  const creation = (await (await beginAdd(browser)).json()) as PasskeyCreation;
  const { credential } = AUTHENTICATOR.create(creation);
  const csrf = await readSessionCsrf(browser);
  instance.clock.now += 15 * MINUTE_MS;
  assert.equal((await seePasskeys(browser))?.isFresh, false);
  assert.deepEqual(await errorOf(await beginAdd(browser)), REFUSED);
  const body = { action: "complete", csrf, name: "Late", credential };
  assert.deepEqual(await errorOf(await browser.postJson("/account/passkeys", body)), REFUSED);
  const removal = await changePasskey(browser, "remove-passkey", passkey);
  assert.equal((await readPage("settings", removal)).view.error, "not-fresh");
  const renamed = await changePasskey(browser, "name-passkey", passkey, "Still possible");
  assert.equal(renamed.status, 303);

  const out = await browser.submit("/sign-out", { csrf, next: "settings" });
  const path = out.headers.get("location") ?? "";
  assert.equal(await signInWithPasskey(browser, passkey, path), SETTINGS);
  const view = await seePasskeys(browser);
  assert.equal(view?.isFresh, true);
  assert.deepEqual(
    view.passkeys.map(({ name }) => name),
    ["Still possible"],
  );
});

test("an addition that is not valid adds nothing", async (t) => {
  const { browser, passkey } = await startWithPasskey(t);
  for (const [name, given, error] of [
    ["", {}, [400, "invalid_request"]],
    ["x".repeat(65), {}, [400, "invalid_request"]],
    ["Phone", { origin: "https://example.com" }, REFUSED],
    ["Phone", { userVerified: false }, REFUSED],
    ["Phone", { rpId: "example.com" }, REFUSED],
    ["Phone", { challenge: "A".repeat(75) }, REFUSED],
    ["Phone", { credentialId: passkey.id }, REFUSED],
  ] as const) {
    const { response } = await tryAddPasskey(browser, name, given);
    assert.deepEqual(await errorOf(response), error, JSON.stringify(given));
  }
  assert.equal((await seePasskeys(browser))?.passkeys.length, 1);
});

test("a changed password ends an addition that was begun before", async (t) => {
  const { instance, browser } = await startWithPasskey(t);
  const attacker = instance.createBrowser();
  await signIn(attacker);
  const creation = (await (await beginAdd(attacker)).json()) as PasskeyCreation;
  const csrf = await readSessionCsrf(attacker);
  await changePassword(browser, OLIVE, await createWireVerifier("another password"));
  const { credential } = AUTHENTICATOR.create(creation);
  const body = { action: "complete", csrf, name: "Phone", credential };
  assert.deepEqual(await errorOf(await attacker.postJson("/account/passkeys", body)), FORGED);
  assert.equal((await seePasskeys(browser))?.passkeys.length, 1);
});

test("a changed password removes all passkeys, if the person says so", async (t) => {
  const { instance, browser, passkey } = await startWithPasskey(t);
  const verifier = await createWireVerifier("another password");
  await changePassword(browser, OLIVE, verifier, { disconnectApps: true });
  assert.deepEqual((await seePasskeys(browser))?.passkeys, []);
  await assert.rejects(signInWithPasskey(instance.createBrowser(), passkey));
});

test("nothing is added or removed when the session ends meanwhile", async (t) => {
  let hasEnded = false;
  const instance = await startInstance(t, {
    wrapStore: replaceRecords(({ sessions }) => ({
      sessions: {
        ...sessions,
        isLive: async (hash, now) => !hasEnded && (await sessions.isLive(hash, now)),
      },
    })),
  });
  const browser = instance.createBrowser();
  await signIn(browser);
  const passkey = await addPasskey(browser);
  hasEnded = true;
  const { response } = await tryAddPasskey(browser);
  assert.deepEqual(await errorOf(response), FORGED);
  const removal = await changePasskey(browser, "remove-passkey", passkey);
  assert.equal(removal.headers.get("location"), SETTINGS, "nothing is said to be done");
  assert.equal((await seePasskeys(browser))?.passkeys.length, 1);
});

test("a passkey makes a browser known, as the password does", async (t) => {
  const { instance, passkey } = await startWithPasskey(t);
  const browser = instance.createBrowser();
  for (const expected of [["new-device"], []]) {
    const before = eventKinds(instance).length;
    await signInWithPasskey(browser, passkey);
    assert.deepEqual(eventKinds(instance).slice(before), expected);
    browser.cookies.delete(SESSION);
  }
});

test("an account has at most 20 passkeys", async (t) => {
  const { browser } = await startWithPasskey(t);
  for (let count = 2; count <= 20; count++) await addPasskey(browser, `Passkey ${count}`);
  const { response } = await tryAddPasskey(browser);
  assert.deepEqual(await errorOf(response), [400, "invalid_request"]);
  assert.equal((await seePasskeys(browser))?.passkeys.length, 20);
});

/** A browser of an account that signs in with passkeys alone. */
async function startWithoutPassword(t: Parameters<typeof startInstance>[0]) {
  const instanceKey = createInstanceKey(new Uint8Array(32).fill(3));
  const instance = await startInstance(t, { instanceKey });
  const olive = instance.createBrowser();
  await signIn(olive);
  const passkey = await addPasskey(olive);
  const accounts = createAccounts({ realm: "events", instanceKey });
  const accountId = accounts.newAccountId();
  await instance.store.transaction(async ({ identity }) => {
    await accounts.createWithoutPassword(identity, accountId, WIM.username, instance.clock.now);
    const [stored] = await identity.listPasskeys(instance.accountIds.get(OLIVE.username) ?? "");
    assert.ok(stored);
    await identity.addPasskey({ ...stored, accountId, credentialId: "the-passkey-of-wim" });
  });
  const own = { ...passkey, id: "the-passkey-of-wim", userHandle: accountId };
  const wim = instance.createBrowser();
  await signInWithPasskey(wim, own);
  return { instance, olive, wim, own };
}

test("the last passkey of an account without a password stays", async (t) => {
  const { wim, own } = await startWithoutPassword(t);
  const refused = await changePasskey(wim, "remove-passkey", own);
  assert.equal((await readPage("settings", refused)).view.error, "last-way-in");
  await addPasskey(wim, "Another");
  assert.equal((await changePasskey(wim, "remove-passkey", own)).status, 303);
});

test("an account without a password sets its first one after a recent sign-in, and only then", async (t) => {
  const { instance, olive, wim, own } = await startWithoutPassword(t);
  const verifier = await createWireVerifier(WIM.password);
  const set = async (browser: TestBrowser) =>
    browser.postJson(SETTINGS, { action: "set", csrf: await readSessionCsrf(browser), verifier });
  const hasPassword = async () => (await wim.see("settings", SETTINGS)).view.hasPassword;
  assert.deepEqual(await errorOf(await set(olive)), REFUSED);
  instance.clock.now += 15 * MINUTE_MS;
  assert.deepEqual(await errorOf(await set(wim)), REFUSED);
  assert.equal(await hasPassword(), false);
  wim.cookies.clear();
  await signInWithPasskey(wim, own);
  const response = await set(wim);
  assert.deepEqual(await response.json(), { next: `${SETTINGS}?notice=password-set` });
  assert.equal(await hasPassword(), true);
  assert.deepEqual(await errorOf(await set(wim)), REFUSED);
  assert.equal(await signIn(instance.createBrowser(), WIM), "/");
  assert.equal((await changePasskey(wim, "remove-passkey", own)).status, 303);
});

test("at an address without a name there are no passkeys", async (t) => {
  const instance = await startInstance(t, { baseUrl: "http://127.0.0.1:4821" });
  const browser = instance.createBrowser();
  const { view } = await browser.see("signIn", "/sign-in");
  assert.equal(view.hasPasskeys, false);
  const body = { action: "begin", csrf: view.csrf };
  const unknown = [404, "not_found"];
  assert.deepEqual(await errorOf(await browser.postJson("/sign-in/passkey", body)), unknown);
  await signIn(browser);
  assert.equal(await seePasskeys(browser), null);
  const csrf = await readSessionCsrf(browser);
  const begin = { action: "begin", csrf };
  assert.deepEqual(await errorOf(await browser.postJson("/account/passkeys", begin)), unknown);
  const removal = await browser.submit(SETTINGS, { csrf, action: "remove-passkey", passkey: "x" });
  assert.equal(removal.status, 400);
});
