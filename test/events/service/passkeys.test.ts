import assert from "node:assert/strict";
import { test } from "node:test";
import type { SoftwarePasskey } from "../../../conformance/authenticator.ts";
import { testOnBothStores } from "../store/on-both-stores.ts";
import { MINUTE_MS, OLIVE, PIET, startInstance, type EventsInstance } from "./events-instance.ts";
import { authorizePath, redeem, signIn } from "./journey.ts";
import {
  addPasskey,
  beginPasskeySignIn,
  changePasskey,
  seePasskeys,
  signInWithPasskey,
} from "./passkey-journey.ts";
import { readPage, type TestBrowser } from "./test-browser.ts";

async function errorOf(response: Response): Promise<readonly [number, string]> {
  return [response.status, ((await response.json()) as { error: string }).error];
}

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

test("another account cannot rename or remove a passkey", async (t) => {
  const { instance, browser, passkey } = await startWithPasskey(t, { accounts: [OLIVE, PIET] });
  const other = instance.createBrowser();
  await signIn(other, PIET);
  for (const action of ["name-passkey", "remove-passkey"] as const) {
    const response = await changePasskey(other, action, passkey, "Mine");
    assert.equal((await readPage("settings", response)).view.error, "passkey-gone");
  }
  const names = (await seePasskeys(browser))?.passkeys.map(({ name }) => name);
  assert.deepEqual(names, ["Phone"]);
  const taken = { userHandle: instance.accountIds.get(PIET.username) ?? "" };
  const response = await (
    await beginPasskeySignIn(instance.createBrowser())
  ).complete(passkey, taken);
  assert.deepEqual(await errorOf(response), [401, "authentication_failed"]);
});
