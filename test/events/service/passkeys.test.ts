/** Passkeys of several accounts, and of apps that request access; `test/identity/account` has the rest. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { createEventsPages } from "../../../src/events/account/web-pages.ts";
import { createAccountBrowser } from "../../identity/account/account-browser.ts";
import { EVENTS_PATHS } from "../../identity/account/account-services.ts";
import { MINUTE_MS, OLIVE, PIET, startInstance } from "./events-instance.ts";
import { authorizePath, redeem } from "./journey.ts";

async function start(t: TestContext) {
  const instance = await startInstance(t, { accounts: [OLIVE, PIET], pages: createEventsPages });
  /** A browser whose sign-in begins at the path. */
  const open = (signInPage = EVENTS_PATHS.signInPage) =>
    createAccountBrowser({ ...EVENTS_PATHS, signInPage }, instance.ask);
  const [olive, piet] = [open(), open()];
  await olive.signIn(OLIVE);
  await piet.signIn(PIET);
  return { ...instance, open, olive, piet, passkey: await olive.addPasskey() };
}

async function beginAtApp({ ask, open }: Awaited<ReturnType<typeof start>>) {
  const begun = await ask(authorizePath());
  const browser = open(begun.headers.get("location") ?? "");
  for (const cookie of begun.headers.getSetCookie()) {
    const [name = "", value = ""] = (cookie.split(";")[0] ?? "").split("=");
    browser.cookies.set(name, value);
  }
  return { browser, path: begun.headers.get("location") ?? "" };
}

test("a passkey is that of one account", async (t) => {
  const { open, olive, piet, passkey, accountIds } = await start(t);
  const own = await piet.addPasskey("Key of Piet");
  for (const [person, key] of [
    [OLIVE, passkey],
    [PIET, own],
  ] as const) {
    const browser = open();
    await browser.signInWithPasskey(key);
    const home = await (await browser.send("/")).text();
    assert.match(home, new RegExp(`<strong>${person.username}`));
  }
  for (const action of ["name-passkey", "remove-passkey"] as const) {
    const taken = await piet.submit({ action, passkey: passkey.id, name: "Mine" });
    assert.match(await taken.text(), /passkey has already been removed/);
  }
  assert.match(await (await olive.send(EVENTS_PATHS.waysInPage)).text(), /<h3>Phone<\/h3>/);
  const userHandle = accountIds.get(PIET.username) ?? "";
  assert.equal((await open().trySignInWithPasskey(passkey, { userHandle })).status, 401);
});

test("a sign-in with a passkey for an app leads to its consent, and to a token", async (t) => {
  const instance = await start(t);
  const { browser, path } = await beginAtApp(instance);
  const response = await browser.trySignInWithPasskey(instance.passkey);
  const { next } = (await response.json()) as { readonly next: string };
  assert.equal(next, path.replace("sign-in", "consent"));
  const page = await (await browser.send(next)).text();
  const [, csrf = ""] = /name="csrf" value="([^"]*)"/.exec(page) ?? [];
  const [, interaction = ""] = /name="interaction" value="([^"]*)"/.exec(page) ?? [];
  const body = new URLSearchParams({ interaction, csrf, action: "allow" });
  const allowed = await browser.send("/consent", { method: "POST", body });
  const code = new URL(allowed.headers.get("location") ?? "").searchParams.get("code") ?? "";
  assert.equal((await redeem(instance, code)).status, 200);
});

test("a sign-in with a passkey for an app ends when the app's request does", async (t) => {
  const instance = await start(t);
  const { browser } = await beginAtApp(instance);
  const { csrf } = await browser.readSignInForm();
  instance.clock.now += 10 * MINUTE_MS;
  const late = await browser.postJson("/sign-in/passkey", { action: "begin", csrf });
  assert.equal(late.status, 400);
  assert.match(await late.text(), /interaction_expired/);
});
