/** What the scripts of the pages do with passkeys, with an authenticator in software. */
import assert from "node:assert/strict";
import {
  createAuthenticator,
  type Deviations,
  type SoftwarePasskey,
} from "../../../conformance/authenticator.ts";
import type { PasskeyCreation, PasskeyRequest } from "../../../src/contract/passkey.ts";
import { BASE_URL } from "./events-instance.ts";
import type { TestBrowser } from "./test-browser.ts";

export const SETTINGS = "/account/settings";
export const AUTHENTICATOR = createAuthenticator(BASE_URL);

export interface BegunPasskeySignIn {
  readonly csrf: string;
  readonly request: PasskeyRequest;
  complete(passkey: SoftwarePasskey, given?: Deviations): Promise<Response>;
}

/** Begins at the sign-in page of the path. */
export async function beginPasskeySignIn(
  browser: TestBrowser,
  path = "/sign-in",
): Promise<BegunPasskeySignIn> {
  const { csrf } = (await browser.see("signIn", path)).view;
  const begun = await browser.postJson("/sign-in/passkey", { action: "begin", csrf });
  assert.equal(begun.status, 200, await begun.clone().text());
  const request = (await begun.json()) as PasskeyRequest;
  return {
    csrf,
    request,
    complete(passkey, given) {
      const credential = AUTHENTICATOR.get(request, passkey, given);
      return browser.postJson("/sign-in/passkey", { action: "complete", csrf, credential });
    },
  };
}

/** Returns the next path. */
export async function signInWithPasskey(
  browser: TestBrowser,
  passkey: SoftwarePasskey,
  path = "/sign-in",
): Promise<string> {
  const response = await (await beginPasskeySignIn(browser, path)).complete(passkey);
  assert.equal(response.status, 200, await response.clone().text());
  return ((await response.json()) as { readonly next: string }).next;
}

export async function readSessionCsrf(browser: TestBrowser): Promise<string> {
  return (await browser.see("settings", SETTINGS)).frame.account?.csrf ?? "";
}

export async function beginAdd(browser: TestBrowser): Promise<Response> {
  const csrf = await readSessionCsrf(browser);
  return browser.postJson("/account/passkeys", { action: "begin", csrf });
}

/** In a signed-in browser. */
export async function tryAddPasskey(
  browser: TestBrowser,
  name = "Phone",
  given: Deviations = {},
): Promise<{ readonly passkey: SoftwarePasskey; readonly response: Response }> {
  const creation = (await (await beginAdd(browser)).json()) as PasskeyCreation;
  const { passkey, credential } = AUTHENTICATOR.create(creation, given);
  const csrf = await readSessionCsrf(browser);
  const body = { action: "complete", csrf, name, credential };
  return { passkey, response: await browser.postJson("/account/passkeys", body) };
}

export async function addPasskey(
  browser: TestBrowser,
  name?: string,
  given?: Deviations,
): Promise<SoftwarePasskey> {
  const { passkey, response } = await tryAddPasskey(browser, name, given);
  assert.equal(response.status, 200, await response.clone().text());
  assert.deepEqual(await response.json(), { next: `${SETTINGS}?notice=passkey-added` });
  return passkey;
}

/** The names on the settings page, and whether they can be changed. */
export async function seePasskeys(browser: TestBrowser) {
  const { passkeys } = (await browser.see("settings", SETTINGS)).view;
  return passkeys;
}

export async function changePasskey(
  browser: TestBrowser,
  action: "name-passkey" | "remove-passkey",
  { id }: Pick<SoftwarePasskey, "id">,
  name = "",
): Promise<Response> {
  const csrf = await readSessionCsrf(browser);
  return browser.submit(SETTINGS, { csrf, action, passkey: id, name });
}
