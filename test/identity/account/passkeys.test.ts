import assert from "node:assert/strict";
import type { PasskeyCreation } from "../../../src/contract/passkey.ts";
import {
  ANNA,
  MINUTE_MS,
  NOT_FRESH_MS,
  testOnBothServices,
  type AccountsUnderTest,
  type StartAccounts,
  type StartOptions,
} from "./account-services.ts";

const REFUSED = [401, "authentication_failed"] as const;
const FORGED = [403, "csrf_failed"] as const;

async function errorOf(response: Response): Promise<readonly [number, string]> {
  return [response.status, ((await response.json()) as { error: string }).error];
}

async function startWithPasskey(start: StartAccounts, options: StartOptions = {}) {
  const accounts = await start(options);
  const browser = accounts.createBrowser();
  await browser.signIn(ANNA);
  return { accounts, browser, passkey: await browser.addPasskey() };
}

const listPasskeys = ({ transaction }: AccountsUnderTest) =>
  transaction(async ({ identity }) => {
    const [account] = await identity.listAccounts();
    return identity.listPasskeys(account?.accountId ?? "");
  });

async function whatFormSays(response: Response): Promise<string> {
  return response.headers.get("location") ?? (await response.text());
}

testOnBothServices("a passkey is added, and signs in", async (start) => {
  const { accounts, browser, passkey } = await startWithPasskey(start);
  accounts.clock.now += MINUTE_MS;
  const other = accounts.createBrowser();
  assert.equal(await other.isSignedIn(), false);
  await other.signInWithPasskey(passkey);
  assert.equal(await other.isSignedIn(), true);
  const [{ name, lastUsedAt } = { name: null, lastUsedAt: null }] = await listPasskeys(accounts);
  assert.deepEqual([name, lastUsedAt], ["Phone", accounts.clock.now]);
  assert.match(await (await browser.send(accounts.paths.waysInPage)).text(), /Phone/);
  // A browser that signed in with a passkey is known, as with the password.
  await other.signOut();
  await other.signInWithPasskey(passkey);
  assert.deepEqual(accounts.readEvents(), ["new-device", "passkey-added", "new-device"]);
});

testOnBothServices(
  "every forged signature has the response of an unknown passkey, and no cookie",
  async (start) => {
    const { accounts, passkey } = await startWithPasskey(start);
    const stranger = accounts.createBrowser();
    const unknown = await stranger.trySignInWithPasskey({ ...passkey, id: "unknown-passkey" });
    const withoutId = async (response: Response) =>
      (await response.text()).replace(/"requestId":"[^"]*"/, "");
    assert.equal(unknown.status, 401);
    const body = await withoutId(unknown);
    for (const given of [
      { origin: "http://localhost:4899" },
      { origin: "https://localhost:4821" },
      { crossOrigin: true },
      { rpId: "example.com" },
      { type: "webauthn.create" },
      { userVerified: false },
      { userHandle: "AAAA" },
      { challenge: "A".repeat(75) },
      { challenge: "" },
    ] as const) {
      const response = await stranger.trySignInWithPasskey(passkey, given);
      assert.deepEqual(
        [response.status, await withoutId(response)],
        [401, body],
        JSON.stringify(given),
      );
      assert.deepEqual(response.headers.getSetCookie(), []);
      assert.equal(await stranger.isSignedIn(), false);
    }
    await stranger.signInWithPasskey(passkey);
  },
);

testOnBothServices(
  "a challenge is for one page of one browser, for five minutes, and for once",
  async (start) => {
    const { accounts, browser: signedIn, passkey } = await startWithPasskey(start);
    const { signInWithPasskey: path } = accounts.paths;
    const [browser, other] = [accounts.createBrowser(), accounts.createBrowser()];
    const first = await browser.beginPasskey();
    const second = await browser.beginPasskey();
    const foreign = await other.beginPasskey();
    const creation = (await (await signedIn.beginAdd()).json()) as PasskeyCreation;
    for (const { challenge } of [second.request, foreign.request, creation]) {
      const wrong = await browser.postJson(path, first.respond(passkey, { challenge }));
      assert.deepEqual(await errorOf(wrong), REFUSED);
    }
    const body = first.respond(passkey);
    assert.deepEqual(await errorOf(await other.postJson(path, body)), FORGED);
    assert.equal((await browser.postJson(path, body)).status, 200);
    assert.deepEqual(await errorOf(await browser.postJson(path, body)), REFUSED);
    assert.ok(!accounts.readEvents().includes("passkey-counter-went-back"));
    const late = second.respond(passkey);
    accounts.clock.now += 5 * MINUTE_MS;
    assert.deepEqual(await errorOf(await browser.postJson(path, late)), REFUSED);
  },
);

testOnBothServices("a counter that goes back is refused, and reported", async (start) => {
  const { accounts, passkey } = await startWithPasskey(start);
  const complete = (counter: number) =>
    accounts.createBrowser().trySignInWithPasskey(passkey, { counter });
  assert.equal((await complete(7)).status, 200);
  for (const counter of [7, 6, 0]) {
    const before = accounts.readEvents().length;
    assert.deepEqual(await errorOf(await complete(counter)), REFUSED);
    assert.deepEqual(accounts.readEvents().slice(before), ["passkey-counter-went-back"]);
  }
  assert.equal((await complete(8)).status, 200);
});

testOnBothServices("requests that no page of this browser sent are refused", async (start) => {
  const { accounts, browser, passkey } = await startWithPasskey(start);
  const { signInWithPasskey, addPasskey } = accounts.paths;
  const [stranger, foreign] = [accounts.createBrowser(), accounts.createBrowser()];
  const { csrf } = await stranger.readSignInForm();
  const { csrf: foreignToken } = await foreign.readSignInForm();
  const session = await browser.readCsrf();
  for (const [sender, path, token, headers] of [
    [stranger, signInWithPasskey, "", {}],
    [stranger, signInWithPasskey, foreignToken, {}],
    [stranger, signInWithPasskey, csrf, { "Sec-Fetch-Site": "cross-site" }],
    [stranger, signInWithPasskey, csrf, { "Sec-Fetch-Site": "same-site" }],
    [accounts.createBrowser(), signInWithPasskey, csrf, {}],
    [stranger, addPasskey, csrf, {}],
    [stranger, addPasskey, session, {}],
    [browser, addPasskey, csrf, {}],
    [browser, addPasskey, "", {}],
    [browser, addPasskey, session, { "Sec-Fetch-Site": "cross-site" }],
    [browser, addPasskey, session, { "Sec-Fetch-Site": "same-site" }],
  ] as const) {
    const response = await sender.postJson(path, { action: "begin", csrf: token }, headers);
    assert.deepEqual(await errorOf(response), FORGED, `${path} ${token}`);
  }
  const members = { action: "remove-passkey", passkey: passkey.id };
  for (const [given, headers] of [
    [{ ...members, csrf }, {}],
    [members, { "Sec-Fetch-Site": "cross-site" }],
  ] as const) {
    assert.equal((await browser.submit(given, headers)).status, 403);
  }
  const unsigned = await stranger.submit({ ...members, csrf: session });
  assert.equal(unsigned.status, 303);
  assert.equal((await listPasskeys(accounts)).length, 1);
});

testOnBothServices("signing in with a passkey replaces a planted session id", async (start) => {
  const { accounts, browser: attacker, passkey } = await startWithPasskey(start);
  const victim = accounts.createBrowser();
  const { respond } = await victim.beginPasskey();
  const [name = "", planted = ""] =
    [...attacker.cookies].find(([cookie]) => cookie.endsWith("-session")) ?? [];
  victim.cookies.set(name, planted);
  const response = await victim.postJson(accounts.paths.signInWithPasskey, respond(passkey));
  assert.equal(response.status, 200);
  assert.notEqual(victim.cookies.get(name), planted);
  assert.equal(await attacker.isSignedIn(), false);
});

testOnBothServices("guesses of the password do not keep a passkey waiting", async (start) => {
  const { accounts, passkey } = await startWithPasskey(start);
  const browser = accounts.createBrowser();
  const statuses = [];
  for (let count = 0; count < 6; count++) statuses.push(await browser.guess(ANNA.username));
  assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429]);
  await browser.signInWithPasskey(passkey);
});

testOnBothServices("a passkey is renamed and removed, and then refused", async (start) => {
  const { accounts, browser, passkey } = await startWithPasskey(start);
  const form = { action: "name-passkey", passkey: passkey.id };
  for (const name of ["", "  ", "x".repeat(65), "a\u0000b"]) {
    assert.match(await whatFormSays(await browser.submit({ ...form, name })), /enter a name/);
  }
  for (const action of ["name-passkey", "remove-passkey"]) {
    for (const id of ["", "\u0000", "unknown"]) {
      const gone = await browser.submit({ action, passkey: id, name: "Mine" });
      assert.match(await whatFormSays(gone), /passkey has already been removed/);
    }
  }
  const named = await browser.submit({ ...form, name: " <Key> & ring " });
  assert.match(await whatFormSays(named), /notice=passkey-named$/);
  assert.deepEqual(
    (await listPasskeys(accounts)).map(({ name }) => name),
    ["<Key> & ring"],
  );
  const page = await (await browser.send(accounts.paths.waysInPage)).text();
  assert.doesNotMatch(page, /<Key>/);
  const removed = await browser.submit({ action: "remove-passkey", passkey: passkey.id });
  assert.match(await whatFormSays(removed), /notice=passkey-removed$/);
  const refused = await accounts.createBrowser().trySignInWithPasskey(passkey);
  assert.deepEqual(await errorOf(refused), REFUSED);
  assert.deepEqual(accounts.readEvents(), ["new-device", "passkey-added", "passkey-removed"]);
});

testOnBothServices("passkeys are added and removed only after a recent sign-in", async (start) => {
  const { accounts, browser, passkey } = await startWithPasskey(start);
  const creation = (await (await browser.beginAdd()).json()) as PasskeyCreation;
  const { credential } = browser.authenticator.create(creation);
  accounts.clock.now += NOT_FRESH_MS;
  assert.deepEqual(await errorOf(await browser.beginAdd()), REFUSED);
  const body = { action: "complete", csrf: await browser.readCsrf(), name: "Late", credential };
  const late = await browser.postJson(accounts.paths.addPasskey, body);
  assert.deepEqual(await errorOf(late), REFUSED);
  const removal = { action: "remove-passkey", passkey: passkey.id };
  assert.match(await whatFormSays(await browser.submit(removal)), /sign in again first/);
  const name = { action: "name-passkey", passkey: passkey.id, name: "Still possible" };
  assert.equal((await browser.submit(name)).status, 303);
  assert.deepEqual(
    (await listPasskeys(accounts)).map((stored) => stored.name),
    ["Still possible"],
  );
  await browser.signOut();
  await browser.signInWithPasskey(passkey);
  assert.equal((await browser.submit(removal)).status, 303);
});

testOnBothServices("an addition that is not valid adds nothing", async (start) => {
  const { accounts, browser, passkey } = await startWithPasskey(start);
  for (const [name, given, error] of [
    ["", {}, [400, "invalid_request"]],
    ["x".repeat(65), {}, [400, "invalid_request"]],
    ["Phone", { origin: "https://example.com" }, REFUSED],
    ["Phone", { userVerified: false }, REFUSED],
    ["Phone", { rpId: "example.com" }, REFUSED],
    ["Phone", { challenge: "A".repeat(75) }, REFUSED],
    ["Phone", { credentialId: passkey.id }, REFUSED],
  ] as const) {
    const { response } = await browser.tryAddPasskey(name, given);
    assert.deepEqual(await errorOf(response), error, JSON.stringify(given));
  }
  assert.equal((await listPasskeys(accounts)).length, 1);
});

testOnBothServices("a changed password ends an addition that was begun before", async (start) => {
  const { accounts, browser } = await startWithPasskey(start);
  const attacker = accounts.createBrowser();
  await attacker.signIn(ANNA);
  const creation = (await (await attacker.beginAdd()).json()) as PasskeyCreation;
  const csrf = await attacker.readCsrf();
  assert.equal((await browser.changePassword(ANNA, "another password")).status, 200);
  const { credential } = attacker.authenticator.create(creation);
  const body = { action: "complete", csrf, name: "Phone", credential };
  const late = await attacker.postJson(accounts.paths.addPasskey, body);
  assert.deepEqual(await errorOf(late), FORGED);
  assert.equal((await listPasskeys(accounts)).length, 1);
});

testOnBothServices("nothing is added or removed when the session ends meanwhile", async (start) => {
  let hasEnded = false;
  const { accounts, browser, passkey } = await startWithPasskey(start, {
    isLive: () => !hasEnded,
  });
  hasEnded = true;
  const { response } = await browser.tryAddPasskey();
  assert.deepEqual(await errorOf(response), FORGED);
  const removal = await browser.submit({ action: "remove-passkey", passkey: passkey.id });
  assert.doesNotMatch(removal.headers.get("location") ?? "?notice=", /notice=/);
  assert.equal((await listPasskeys(accounts)).length, 1);
});

testOnBothServices("an account has at most 20 passkeys", async (start) => {
  const { accounts, browser } = await startWithPasskey(start);
  for (let count = 2; count <= 20; count++) await browser.addPasskey(`Passkey ${count}`);
  const { response } = await browser.tryAddPasskey();
  assert.deepEqual(await errorOf(response), [400, "invalid_request"]);
  assert.equal((await listPasskeys(accounts)).length, 20);
});

/** A browser of an account whose only way in is a passkey. */
async function startWithoutPassword(start: StartAccounts) {
  const accounts = await start({ isEmpty: true });
  const browser = accounts.createBrowser();
  const { passkey, result } = await browser.welcomeWithPasskey(
    await accounts.invite(),
    ANNA.username,
  );
  assert.equal(result.kind, "done");
  return { accounts, browser, passkey };
}

testOnBothServices("the last passkey of an account without a password stays", async (start) => {
  const { browser, passkey } = await startWithoutPassword(start);
  const removal = { action: "remove-passkey", passkey: passkey.id };
  assert.match(await whatFormSays(await browser.submit(removal)), /only with this passkey/);
  await browser.addPasskey("Another");
  assert.equal((await browser.submit(removal)).status, 303);
});

testOnBothServices(
  "an account without a password sets its first one after a recent sign-in, and only then",
  async (start) => {
    const { accounts, browser, passkey } = await startWithoutPassword(start);
    const wrong = await accounts.createBrowser().trySignIn(ANNA);
    assert.deepEqual(await errorOf(wrong), REFUSED, "no password opens it");
    const csrf = await browser.readCsrf();
    const stranger = await accounts.createBrowser().setFirstPassword(ANNA.password, csrf);
    assert.deepEqual(await errorOf(stranger), FORGED);
    accounts.clock.now += NOT_FRESH_MS;
    assert.deepEqual(await errorOf(await browser.setFirstPassword(ANNA.password)), REFUSED);
    await browser.signOut();
    await browser.signInWithPasskey(passkey);
    const set = await browser.setFirstPassword(ANNA.password);
    assert.match(((await set.json()) as { next: string }).next, /notice=password-set$/);
    assert.deepEqual(await errorOf(await browser.setFirstPassword("yet another one")), REFUSED);
    await accounts.createBrowser().signIn(ANNA);
    const removal = { action: "remove-passkey", passkey: passkey.id };
    assert.equal((await browser.submit(removal)).status, 303);
  },
);

testOnBothServices("at an address without a name there are no passkeys", async (start) => {
  const { createBrowser, paths } = await start({ baseUrl: "https://192.0.2.7" });
  const browser = createBrowser();
  const page = await (await browser.send(paths.signInPage)).text();
  assert.doesNotMatch(page, /data-passkey|webauthn/);
  await browser.signIn(ANNA);
  const csrf = await browser.readCsrf();
  for (const path of [paths.signInWithPasskey, paths.addPasskey]) {
    const begun = await browser.postJson(path, { action: "begin", csrf });
    assert.deepEqual(await errorOf(begun), [404, "not_found"], path);
  }
  assert.equal((await browser.submit({ action: "remove-passkey", passkey: "x" })).status, 400);
});
