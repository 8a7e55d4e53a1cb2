/** Invitations and reset links. */
import assert from "node:assert/strict";
import type { Deviations } from "../../../conformance/authenticator.ts";
import type { PasskeyCreation } from "../../../src/contract/passkey.ts";
import { createWireVerifier } from "../../fixtures/password-keys.ts";
import { ANNA, testOnBothServices, type AccountsUnderTest } from "./account-services.ts";

const PATH = "/welcome";
const WEEK_MS = 7 * 86_400_000;
const ADA = { username: "ada", password: "a long enough password" };

const count = async ({ query }: AccountsUnderTest, table: string) =>
  (await query(`SELECT 1 FROM ${table}`)).length;

testOnBothServices(
  "an invited person chooses name and password, and is signed in",
  async (start) => {
    const accounts = await start({ isEmpty: true });
    const { createBrowser, readEvents, log } = accounts;
    const browser = createBrowser();
    const link = await accounts.invite("ada");
    assert.deepEqual((await browser.welcome({ action: "open", link })).json, {
      kind: "invitation",
      username: "ada",
      hasPasskeys: true,
    });
    const person = { ...ADA, username: "Ada Lovelace" };
    const used = await browser.welcomeWithPassword(link, person);
    assert.deepEqual(used.json, { kind: "done", username: person.username, next: "/" });
    assert.equal(await browser.isSignedIn(), true);
    await createBrowser().signIn(person);
    assert.deepEqual(await accounts.listLinks(), []);
    assert.deepEqual(readEvents(), ["invitation-used", "new-device"]);
    assert.ok(log.some(({ path }) => path === PATH));
    assert.ok(!JSON.stringify([log, readEvents()]).includes(link));
  },
);

testOnBothServices("a link is used once, also by browsers at once", async (start) => {
  const accounts = await start({ isEmpty: true });
  const link = await accounts.invite();
  const uses = await Promise.all(
    ["ada", "eve", "bob"].map((username) =>
      accounts.createBrowser().welcomeWithPassword(link, { ...ADA, username }),
    ),
  );
  assert.deepEqual(uses.map(({ status }) => status).toSorted(), [200, 401, 401]);
  assert.equal(await count(accounts, "identity_accounts"), 1);
  const refused = await accounts.createBrowser().welcome({ action: "open", link });
  assert.equal(refused.status, 401);
  assert.match(JSON.stringify(refused.json), /The link was used before, has expired/);
});

testOnBothServices(
  "an invitation is void when it expired, was revoked or replaced",
  async (start) => {
    const accounts = await start({ isEmpty: true });
    const { clock, invite } = accounts;
    const browser = accounts.createBrowser();
    const replaced = await invite("ada");
    const late = await invite("ada");
    assert.equal((await browser.welcomeWithPassword(replaced, ADA)).status, 401);
    clock.now += WEEK_MS;
    assert.equal((await browser.welcomeWithPassword(late, ADA)).status, 401);
    const revoked = await invite();
    const [listed] = await accounts.listLinks();
    await accounts.revokeLinks(listed?.id ?? "");
    assert.equal((await browser.welcomeWithPassword(revoked, ADA)).status, 401);
    const missed = await invite("ada");
    // A name that is refused leaves the invitation as it was.
    assert.equal(await accounts.createAccount("a\nb", ADA.password), "invalid-username");
    assert.equal((await browser.welcome({ action: "open", link: missed })).kind, "invitation");
    assert.equal(await count(accounts, "identity_accounts"), 0);
    assert.equal(await accounts.createAccount("ada", ADA.password), "done");
    assert.equal((await browser.welcomeWithPassword(missed, ADA)).status, 401);
  },
);

testOnBothServices(
  "a reset link sets the password, signs out everything and removes passkeys",
  async (start) => {
    const accounts = await start();
    const { createBrowser, resetLink } = accounts;
    const former = createBrowser();
    await former.signIn(ANNA);
    const { passkey, result } = await createBrowser().welcomeWithPasskey(await resetLink(), "x");
    assert.deepEqual(result.json, { kind: "done", username: ANNA.username, next: "/" });
    assert.equal((await createBrowser().trySignIn(ANNA)).status, 401, "no password is left");
    assert.equal(await former.isSignedIn(), false);
    const [phone, browser] = [createBrowser(), createBrowser()];
    await phone.signInWithPasskey(passkey);
    const link = await resetLink();
    const opened = await browser.welcome({ action: "open", link });
    assert.deepEqual([opened.kind, opened.json["username"]], ["reset", ANNA.username]);
    assert.equal(await phone.isSignedIn(), true, "nothing has happened yet");
    const used = await browser.welcomeWithPassword(link, { ...ADA, username: "not the name" });
    assert.deepEqual(used.json, { kind: "done", username: ANNA.username, next: "/" });
    assert.equal(await browser.isSignedIn(), true);
    assert.equal(await phone.isSignedIn(), false);
    assert.equal((await createBrowser().trySignInWithPasskey(passkey)).status, 401);
    await createBrowser().signIn({ ...ANNA, password: ADA.password });
    assert.equal((await createBrowser().trySignIn(ANNA)).status, 401);
    assert.equal((await browser.welcomeWithPassword(link, ADA)).status, 401);
  },
);

testOnBothServices("a new password makes a reset link void", async (start) => {
  const { createBrowser, clock, resetLink, setPassword } = await start();
  const link = await resetLink();
  clock.now += 1;
  await setPassword(ADA.password);
  assert.equal((await createBrowser().welcomeWithPassword(link, ADA)).status, 401);
});

testOnBothServices(
  "an invited person chooses a passkey, and a passkey that is refused makes nothing",
  async (start) => {
    const accounts = await start({ isEmpty: true });
    const browser = accounts.createBrowser();
    const link = await accounts.invite();
    for (const given of [
      { origin: "https://evil.example" },
      { userVerified: false },
      { challenge: "A".repeat(86) },
      { type: "webauthn.get" },
      { rpId: "evil.example" },
    ] satisfies Deviations[]) {
      const { result } = await browser.welcomeWithPasskey(link, "ada", given);
      assert.equal(result.kind, "passkey-refused", JSON.stringify(given));
    }
    const begun = await browser.welcome({ action: "passkey-begin", link, username: "ada" });
    const made = browser.authenticator.create(begun.json["creation"] as PasskeyCreation);
    const body = { action: "passkey", link, username: "ada", name: "Phone" };
    accounts.clock.now += 300_000;
    const late = await browser.welcome({ ...body, credential: made.credential });
    assert.equal(late.kind, "passkey-refused");
    for (const table of ["identity_accounts", "identity_passkeys"]) {
      assert.equal(await count(accounts, table), 0, table);
    }
    const { result, passkey } = await browser.welcomeWithPasskey(link, "ada");
    assert.deepEqual(result.json, { kind: "done", username: "ada", next: "/" });
    assert.equal(await browser.isSignedIn(), true);
    await accounts.createBrowser().signInWithPasskey(passkey);
  },
);

testOnBothServices("a passkey that was made for one link is refused for another", async (start) => {
  const { createBrowser, invite } = await start({ isEmpty: true });
  const browser = createBrowser();
  const first = await invite();
  const begun = await browser.welcome({ action: "passkey-begin", link: first, username: "ada" });
  const { credential } = browser.authenticator.create(begun.json["creation"] as PasskeyCreation);
  const body = { action: "passkey", link: await invite(), username: "ada", name: "Phone" };
  assert.equal((await browser.welcome({ ...body, credential })).kind, "passkey-refused");
});

testOnBothServices("invalid requests, and those of other sites, use no link up", async (start) => {
  const { createBrowser, invite } = await start({ isEmpty: true });
  const browser = createBrowser();
  const link = await invite();
  const verifier = await createWireVerifier(ADA.password);
  const body = { action: "password", link, username: "ada", verifier };
  for (const site of ["cross-site", "same-site"]) {
    const forged = await browser.welcome(body, { "Sec-Fetch-Site": site });
    assert.equal(forged.status, 403, site);
  }
  const form = { method: "POST", body: new URLSearchParams({ link }) };
  assert.equal((await browser.send(PATH, form)).status, 415);
  for (const wrong of [
    { ...body, username: "" },
    { ...body, username: "a\nb" },
    { ...body, verifier: { ...verifier, iterations: 1 } },
    { ...body, verifier: { ...verifier, salt: "short" } },
    { ...body, more: 1 },
    { ...body, action: "other" },
    { action: "passkey-begin", link, username: "" },
    { action: "passkey", link, username: "ada", name: "", credential: {} },
  ]) {
    assert.equal((await browser.welcome(wrong)).status, 400, JSON.stringify(wrong));
  }
  for (const wrong of ["", "\u0000", "A".repeat(43)]) {
    for (const sent of [body, { action: "open" }, { action: "passkey-begin", username: "ada" }]) {
      assert.equal((await browser.welcome({ ...sent, link: wrong })).status, 401);
    }
  }
  assert.equal((await browser.welcome(body)).kind, "done");
});

testOnBothServices("where browsers have no passkeys, none is offered or taken", async (start) => {
  const { createBrowser, invite } = await start({ isEmpty: true, baseUrl: "https://192.0.2.7" });
  const browser = createBrowser();
  const link = await invite();
  const opened = await browser.welcome({ action: "open", link });
  assert.equal(opened.json["hasPasskeys"], false);
  const begin = { action: "passkey-begin", link, username: "ada" };
  assert.equal((await browser.welcome(begin)).status, 400);
  const { credential } = browser.authenticator.create({
    challenge: "A".repeat(86),
    rp: { id: "localhost", name: "" },
    user: { id: "AAAA", name: "ada", displayName: "ada" },
  });
  const body = { action: "passkey", link, username: "ada", name: "Phone", credential };
  assert.equal((await browser.welcome(body)).status, 400);
});
