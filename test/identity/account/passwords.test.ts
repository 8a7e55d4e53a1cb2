/** Sign-in by password, its sessions, and new passwords. */
import assert from "node:assert/strict";
import { ANNA, MINUTE_MS, testOnBothServices } from "./account-services.ts";

const RENEWED = { ...ANNA, password: "another horse battery staple" };

async function errorOf(response: Response): Promise<readonly [number, string]> {
  return [response.status, ((await response.json()) as { error: string }).error];
}

const REFUSED = [401, "authentication_failed"] as const;
const FORGED = [403, "csrf_failed"] as const;

testOnBothServices("a challenge is for one sign-in of one browser, and for once", async (start) => {
  const { createBrowser, clock, paths } = await start();
  const [browser, thief] = [createBrowser(), createBrowser()];
  const elsewhere = await browser.proveSignIn(ANNA);
  assert.deepEqual(await errorOf(await thief.postJson(paths.signIn, elsewhere)), FORGED);
  const { csrf } = await thief.readSignInForm();
  const stolen = await thief.postJson(paths.signIn, { ...elsewhere, csrf });
  assert.deepEqual(await errorOf(stolen), REFUSED);
  const once = await browser.proveSignIn(ANNA);
  assert.equal((await browser.postJson(paths.signIn, once)).status, 200);
  assert.deepEqual(await errorOf(await browser.postJson(paths.signIn, once)), REFUSED);
  await browser.signOut();
  const late = await browser.proveSignIn(ANNA);
  clock.now += 5 * MINUTE_MS;
  assert.deepEqual(await errorOf(await browser.postJson(paths.signIn, late)), REFUSED);
});

testOnBothServices("a sign-in that no page of this browser began is refused", async (start) => {
  const { createBrowser, paths } = await start();
  const [browser, other] = [createBrowser(), createBrowser()];
  const { csrf } = await browser.readSignInForm();
  const { csrf: foreign } = await other.readSignInForm();
  const begin = { action: "begin", csrf, username: ANNA.username };
  for (const [body, headers] of [
    [{ ...begin, csrf: "" }, {}],
    [{ ...begin, csrf: foreign }, {}],
    [{ ...begin, csrf: `other${csrf}` }, {}],
    [begin, { "Sec-Fetch-Site": "cross-site" }],
    [begin, { "Sec-Fetch-Site": "same-site" }],
  ] as const) {
    assert.deepEqual(await errorOf(await browser.postJson(paths.signIn, body, headers)), FORGED);
  }
  assert.deepEqual(await errorOf(await createBrowser().postJson(paths.signIn, begin)), FORGED);
  assert.equal((await browser.postJson(paths.signIn, begin)).status, 200);
});

testOnBothServices(
  "guesses make strangers wait, and no browser that has signed in",
  async (start) => {
    const { createBrowser, readEvents } = await start();
    const [owner, stranger] = [createBrowser(), createBrowser()];
    await owner.signIn(ANNA);
    await owner.signOut();
    for (let count = 0; count < 5; count++) {
      assert.equal(await stranger.guess(ANNA.username), 401);
    }
    const limited = await createBrowser().trySignIn(ANNA);
    assert.equal(limited.status, 429);
    assert.ok(Number(limited.headers.get("retry-after")) > 0);
    await owner.signIn(ANNA);
    assert.deepEqual(readEvents(), ["new-device", "throttling-begun"]);
  },
);

testOnBothServices("signing in replaces a planted session id", async (start) => {
  const { createBrowser, paths } = await start();
  const attacker = createBrowser();
  await attacker.signIn(ANNA);
  const [name = "", planted = ""] =
    [...attacker.cookies].find(([cookie]) => cookie.endsWith("-session")) ?? [];
  for (const value of [planted, "A".repeat(43)]) {
    const victim = createBrowser();
    const proof = await victim.proveSignIn(ANNA);
    victim.cookies.set(name, value);
    assert.equal((await victim.postJson(paths.signIn, proof)).status, 200);
    assert.notEqual(victim.cookies.get(name), value);
    attacker.cookies.set(name, value);
    assert.equal(await attacker.isSignedIn(), false);
  }
});

testOnBothServices("a session that was closed opens nothing", async (start) => {
  const { createBrowser } = await start();
  const [browser, copy] = [createBrowser(), createBrowser()];
  await browser.signIn(ANNA);
  for (const [name, value] of browser.cookies) copy.cookies.set(name, value);
  assert.equal(await copy.isSignedIn(), true);
  assert.equal((await browser.signOut()).status, 303);
  assert.equal(await copy.isSignedIn(), false);
});

testOnBothServices(
  "a new password signs every other browser out, and its browser stays known",
  async (start) => {
    const { createBrowser, readEvents } = await start();
    const [browser, other] = [createBrowser(), createBrowser()];
    await browser.signIn(ANNA);
    await other.signIn(ANNA);
    const wrong = await browser.changePassword({ ...ANNA, password: "no" }, RENEWED.password);
    assert.deepEqual(await errorOf(wrong), REFUSED);
    const changed = await browser.changePassword(ANNA, RENEWED.password);
    assert.match(((await changed.json()) as { next: string }).next, /notice=password-changed$/);
    assert.equal(await browser.isSignedIn(), true);
    assert.equal(await other.isSignedIn(), false);
    assert.deepEqual(await errorOf(await createBrowser().trySignIn(ANNA)), REFUSED);
    await browser.signOut();
    const stranger = createBrowser();
    for (let count = 0; count < 5; count++) await stranger.guess(ANNA.username);
    await browser.signIn(RENEWED);
    // The other browser signed in with the old password, so it is a stranger.
    assert.equal((await other.trySignIn(RENEWED)).status, 429);
    assert.ok(readEvents().includes("password-changed"));
    assert.ok(!readEvents().includes("signed-out-everywhere"));
  },
);

testOnBothServices(
  "a new password leaves passkeys, unless its owner says otherwise",
  async (start) => {
    const { createBrowser, readEvents } = await start();
    const browser = createBrowser();
    await browser.signIn(ANNA);
    const passkey = await browser.addPasskey();
    assert.equal((await browser.changePassword(ANNA, RENEWED.password)).status, 200);
    await createBrowser().signInWithPasskey(passkey, { counter: 7 });
    for (const [from, password] of [
      [RENEWED, ANNA.password],
      [ANNA, RENEWED.password],
    ] as const) {
      assert.equal((await browser.changePassword(from, password, true)).status, 200);
    }
    const refused = await createBrowser().trySignInWithPasskey(passkey, { counter: 8 });
    assert.deepEqual(await errorOf(refused), REFUSED);
    const removals = readEvents().filter((kind) => kind === "passkey-removed");
    assert.equal(removals.length, 1, "the second time there was none");
    assert.ok(readEvents().includes("signed-out-everywhere"));
  },
);

testOnBothServices("a password is changed by a form of its own session alone", async (start) => {
  const { createBrowser, paths } = await start();
  const [browser, other] = [createBrowser(), createBrowser()];
  await browser.signIn(ANNA);
  await other.signIn(ANNA);
  const csrf = await browser.readCsrf();
  for (const [sender, token, headers] of [
    [other, csrf, {}],
    [createBrowser(), csrf, {}],
    [browser, "", {}],
    [browser, csrf, { "Sec-Fetch-Site": "cross-site" }],
  ] as const) {
    const begun = await sender.postJson(paths.password, { action: "begin", csrf: token }, headers);
    assert.deepEqual(await errorOf(begun), FORGED);
  }
  // A proof for the sign-in does not change the password.
  const proof = await createBrowser().proveSignIn(ANNA);
  const verifier = { salt: "A".repeat(22), iterations: 1, storedKey: "", serverKey: "" };
  const body = { ...proof, csrf, verifier, [paths.everywhere]: false };
  assert.deepEqual(await errorOf(await browser.postJson(paths.password, body)), [
    400,
    "invalid_request",
  ]);
});
