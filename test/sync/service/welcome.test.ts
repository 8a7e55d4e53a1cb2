import assert from "node:assert/strict";
import { test } from "node:test";
import { createAuthenticator, type Deviations } from "../../../conformance/authenticator.ts";
import type { PasskeyCreation } from "../../../src/contract/passkey.ts";
import type { RequestLogEntry } from "../../../src/http/request-log.ts";
import type { SyncServiceOptions } from "../../../src/sync/setup/options.ts";
import { createWireVerifier } from "../../fixtures/password-keys.ts";
import { createPlace, type SyncPlace } from "../operations/on-both-stores.ts";
import { signIn, type Ask } from "../sync-client.ts";
import { createOwnerBrowser, type OwnerBrowser } from "./owner-browser.ts";
import { ANNA, signInOptions, startSyncService } from "./sync-service.ts";

const PATH = "/welcome";
const WEEK_MS = 7 * 86_400_000;
const ADA = { username: "ada", password: "a long enough password" };
const AUTHENTICATOR = createAuthenticator("http://localhost:4811");

/** The links themselves are tested on both stores. */
function testHere(name: string, run: (place: SyncPlace) => Promise<void>): void {
  test(name, async (t) => run(await createPlace(t, "SQLite")));
}

/** A service without an account. */
async function startEmpty(place: SyncPlace, options: Partial<SyncServiceOptions> = {}) {
  const store = await place.open();
  const events: string[] = [];
  const log: RequestLogEntry[] = [];
  const service = await startSyncService(store, {
    onNotice: (notice) => notice.kind === "security-event" && events.push(notice.event.kind),
    log: (entry) => log.push(entry),
    ...options,
  });
  await store.database.transaction((tx) => tx.query("DELETE FROM identity_accounts"));
  const invite = async (username: string | null = null) => {
    const result = await service.administration.invite(username);
    assert.ok(result.kind === "done", result.kind);
    return result.link.secret;
  };
  const countAccounts = async () =>
    (await store.database.query("SELECT 1 FROM identity_accounts")).length;
  return { ...service, store, events, log, invite, countAccounts };
}

async function resetLink({ administration }: Awaited<ReturnType<typeof startSyncService>>) {
  const link = await administration.createResetLink();
  assert.ok(link !== null);
  return link.secret;
}

const post = async (browser: OwnerBrowser, body: object) => {
  const response = await browser.postJson(PATH, body, { "Sec-Fetch-Site": "same-origin" });
  const json = (await response.json()) as Readonly<Record<string, unknown>>;
  return { status: response.status, json, kind: json["kind"] };
};

const usePassword = async (browser: OwnerBrowser, link: string, { username, password } = ADA) =>
  post(browser, {
    action: "password",
    link,
    username,
    verifier: await createWireVerifier(password),
  });

const isSignedIn = async (browser: OwnerBrowser) =>
  !(await browser.readPage("/")).includes('id="sign-in"');

/** Makes a passkey, and uses the link up with it. */
async function usePasskey(
  browser: OwnerBrowser,
  link: string,
  given: Deviations = {},
  username = "ada",
) {
  const { json } = await post(browser, { action: "passkey-begin", link, username });
  const made = AUTHENTICATOR.create(json["creation"] as PasskeyCreation, given);
  const body = { action: "passkey", link, username, name: "Phone", credential: made.credential };
  return { ...made, body, creation: json["creation"], result: await post(browser, body) };
}

testHere(
  "an invited person chooses name and password, is signed in, and signs an app in",
  async (place) => {
    const service = await startEmpty(place);
    const { ask, invite, events, log, administration } = service;
    const browser = createOwnerBrowser(ask);
    const link = await invite("ada");
    assert.deepEqual((await post(browser, { action: "open", link })).json, {
      kind: "invitation",
      username: "ada",
      hasPasskeys: true,
    });
    const person = { username: "Ada Lovelace", password: ADA.password };
    const used = await usePassword(browser, link, person);
    assert.deepEqual(used.json, { kind: "done", username: "Ada Lovelace", next: "/" });
    assert.equal(await isSignedIn(browser), true);
    await signIn(ask, signInOptions(person));
    assert.equal((await administration.listLinks()).length, 0);
    assert.deepEqual(events, ["invitation-used", "new-device"]);
    assert.ok(log.some(({ path }) => path === PATH));
    assert.ok(!JSON.stringify([log, events]).includes(link));
  },
);

testHere("a link is used once, also by two browsers at once", async (place) => {
  const { ask, invite, countAccounts } = await startEmpty(place);
  const link = await invite();
  const names = ["ada", "eve", "bob"];
  const uses = await Promise.all(
    names.map((username) => usePassword(createOwnerBrowser(ask), link, { ...ADA, username })),
  );
  assert.deepEqual(uses.map(({ status }) => status).toSorted(), [200, 401, 401]);
  assert.equal(await countAccounts(), 1);
  const refused = await post(createOwnerBrowser(ask), { action: "open", link });
  assert.equal(refused.status, 401);
  assert.match(String(refused.json["message"]), /^The link was used before, has expired/);
});

testHere(
  "an invitation is void when it expired, was revoked or replaced, or the account exists",
  async (place) => {
    const { ask, clock, invite, administration, countAccounts } = await startEmpty(place);
    const browser = createOwnerBrowser(ask);
    const replaced = await invite();
    const late = await invite();
    assert.equal((await usePassword(browser, replaced)).status, 401);
    clock.now += WEEK_MS;
    assert.equal((await usePassword(browser, late)).status, 401);
    const revoked = await invite();
    const [listed] = await administration.listLinks();
    await administration.revokeLinks(listed?.id ?? "");
    assert.equal((await usePassword(browser, revoked)).status, 401);
    const missed = await invite();
    // A name that is refused leaves the invitation as it was.
    const refused = await administration.createAccount("a\nb", ADA.password);
    assert.equal(refused.kind, "invalid-username");
    assert.equal((await post(browser, { action: "open", link: missed })).kind, "invitation");
    assert.equal(await countAccounts(), 0);
    await administration.createAccount("grace", ADA.password);
    assert.equal((await post(browser, { action: "open", link: missed })).status, 401);
    assert.equal((await usePassword(browser, missed)).status, 401);
    assert.deepEqual(await administration.invite(null), { kind: "account-exists" });
  },
);

testHere(
  "a reset link sets the password, signs out everything and removes passkeys",
  async (place) => {
    const service = await startSyncService(await place.open());
    const { ask, administration } = service;
    const former = createOwnerBrowser(ask);
    await former.signIn();
    assert.equal(await isSignedIn(former), true);
    const { accessToken } = await signIn(ask, signInOptions());
    const withPasskey = await usePasskey(createOwnerBrowser(ask), await resetLink(service));
    assert.equal(withPasskey.result.kind, "done");
    const phone = await signInByPasskey(ask, withPasskey.passkey);
    assert.equal(phone.status, 200);

    const browser = createOwnerBrowser(ask);
    const link = await resetLink(service);
    assert.deepEqual((await post(browser, { action: "open", link })).json, {
      kind: "reset",
      username: ANNA.username,
      hasPasskeys: true,
      revokesApps: false,
    });
    // Nothing has happened yet.
    assert.equal((await signInByPasskey(ask, withPasskey.passkey)).status, 200);
    const used = await usePassword(browser, link, { ...ADA, username: "not the name" });
    assert.deepEqual(used.json, { kind: "done", username: ANNA.username, next: "/" });
    assert.equal(await isSignedIn(browser), true);
    assert.equal(await isSignedIn(former), false);
    const page = await browser.readPage("/?tab=history");
    assert.match(page, /Used a reset link<[^]*Used a reset link with a passkey</);
    const device = await ask("/v1/device", { headers: { Authorization: `Bearer ${accessToken}` } });
    assert.equal(device.status, 401);
    assert.equal((await signInByPasskey(ask, withPasskey.passkey)).status, 401);
    assert.deepEqual(await administration.listDevices(), []);
    await signIn(ask, signInOptions({ password: ADA.password }));
    await assert.rejects(signIn(ask, signInOptions()), /complete returned 401/);
    assert.equal((await usePassword(browser, link)).status, 401);
  },
);

testHere("a new password makes a reset link void", async (place) => {
  const service = await startSyncService(await place.open());
  const link = await resetLink(service);
  service.clock.now += 1;
  await service.administration.changePassword(ADA.password);
  assert.equal((await usePassword(createOwnerBrowser(service.ask), link)).status, 401);
});

testHere(
  "an invited person chooses a passkey, and a passkey that is refused makes nothing",
  async (place) => {
    const { ask, invite, countAccounts, clock, store } = await startEmpty(place);
    const browser = createOwnerBrowser(ask);
    const link = await invite();
    for (const given of [
      { origin: "https://evil.example" },
      { userVerified: false },
      { challenge: "A".repeat(86) },
      { type: "webauthn.get" },
      { rpId: "evil.example" },
    ] satisfies Deviations[]) {
      const { result } = await usePasskey(browser, link, given);
      assert.equal(result.kind, "passkey-refused", JSON.stringify(given));
    }
    const late = await post(browser, { action: "passkey-begin", link, username: "ada" });
    clock.now += 300_000;
    const made = AUTHENTICATOR.create(late.json["creation"] as PasskeyCreation);
    const body = { action: "passkey", link, username: "ada", name: "Phone" };
    const expired = await post(browser, { ...body, credential: made.credential });
    assert.equal(expired.kind, "passkey-refused");
    assert.equal(await countAccounts(), 0);
    assert.deepEqual(await store.database.query("SELECT 1 FROM identity_passkeys"), []);

    const { result, passkey } = await usePasskey(browser, link);
    assert.deepEqual(result.json, { kind: "done", username: "ada", next: "/" });
    assert.equal(await isSignedIn(browser), true);
    assert.equal((await signInByPasskey(ask, passkey)).status, 200);
    assert.equal((await post(browser, { ...body, credential: made.credential })).status, 401);
  },
);

testHere("a passkey that was made for one link is refused for another", async (place) => {
  const { ask, invite } = await startEmpty(place);
  const browser = createOwnerBrowser(ask);
  const first = await invite();
  const { json } = await post(browser, { action: "passkey-begin", link: first, username: "ada" });
  const { credential } = AUTHENTICATOR.create(json["creation"] as PasskeyCreation);
  const link = await invite();
  const body = { action: "passkey", link, username: "ada", name: "Phone", credential };
  assert.equal((await post(browser, body)).kind, "passkey-refused");
});

testHere("invalid requests, and those of other sites, use no link up", async (place) => {
  const { ask, invite } = await startEmpty(place, { corsOrigins: ["https://app.example.com"] });
  const browser = createOwnerBrowser(ask);
  const link = await invite();
  const verifier = await createWireVerifier(ADA.password);
  const body = { action: "password", link, username: "ada", verifier };
  const statusOf = async (sent: object, headers: Record<string, string> = {}) =>
    (await browser.postJson(PATH, sent, headers)).status;
  for (const headers of [
    { "Sec-Fetch-Site": "cross-site" },
    { "Sec-Fetch-Site": "same-site" },
    { Origin: "https://evil.example" },
    { Origin: "https://app.example.com" },
  ]) {
    assert.equal(await statusOf(body, headers), 403, JSON.stringify(headers));
  }
  const form = await ask(PATH, { method: "POST", body: new URLSearchParams({ link }) });
  assert.equal(form.status, 415);
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
    assert.equal(await statusOf(wrong), 400, JSON.stringify(wrong));
  }
  for (const wrong of ["", "\u0000", "A".repeat(43)]) {
    assert.equal(await statusOf({ ...body, link: wrong }), 401);
    assert.equal(await statusOf({ action: "open", link: wrong }), 401);
    assert.equal(await statusOf({ action: "passkey-begin", link: wrong, username: "ada" }), 401);
  }
  assert.equal((await post(browser, body)).kind, "done");
});

testHere(
  "without the owner's page a link opens no session, and every browser gets the page",
  async (place) => {
    const { ask, invite } = await startEmpty(place, { ownerPage: false });
    const browser = createOwnerBrowser(ask);
    const page = await ask(`${PATH}?lang=de`);
    assert.match(await page.text(), /<html lang="de">[^]*Willkommen/);
    assert.equal(page.headers.get("referrer-policy"), "no-referrer");
    assert.deepEqual(page.headers.getSetCookie(), []);
    assert.equal((await ask(`${PATH}?lang=fr`)).status, 400);
    const used = await usePassword(browser, await invite());
    assert.deepEqual(used.json, { kind: "done", username: "ada", next: null });
    assert.equal(browser.cookies.size, 0);
  },
);

testHere("where browsers have no passkeys, none is offered or taken", async (place) => {
  const { ask, invite } = await startEmpty(place, { baseUrl: "http://127.0.0.1:4811" });
  const browser = createOwnerBrowser(ask);
  const link = await invite();
  assert.equal((await post(browser, { action: "open", link })).json["hasPasskeys"], false);
  const begun = await post(browser, { action: "passkey-begin", link, username: "ada" });
  assert.equal(begun.status, 400);
  const made = AUTHENTICATOR.create({
    challenge: "A".repeat(86),
    rp: { id: "localhost", name: "" },
    user: { id: "AAAA", name: "ada", displayName: "ada" },
  });
  const body = { action: "passkey", link, username: "ada", name: "Phone" };
  assert.equal((await post(browser, { ...body, credential: made.credential })).status, 400);
});

/** The status of an app's sign-in. */
async function signInByPasskey(
  ask: Ask,
  passkey: Parameters<typeof AUTHENTICATOR.get>[1],
): Promise<Response> {
  const options = signInOptions();
  const state = "state-of-the-test-device";
  const attempt = {
    state,
    codeChallenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    redirectUri: options.redirectUri,
    attemptId: "attempt-1",
    deviceId: "phone",
  };
  const send = (body: object) =>
    ask("/v1/passkey", {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Service-CSRF": state },
      body: JSON.stringify({ csrf: state, attempt, ...body }),
    });
  const request = (await (await send({ action: "begin" })).json()) as {
    challenge: string;
    rpId: string;
  };
  return send({ action: "complete", credential: AUTHENTICATOR.get(request, passkey) });
}
