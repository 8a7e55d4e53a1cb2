/** Passkeys on the login page of apps, with Chromium's virtual authenticator. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { addSyncPasskey } from "../sync/add-passkey.ts";
import { PASSKEY_ATTEMPT } from "../sync/passkey-client.ts";
import { REDIRECT_URI, redeem } from "../sync/service/sync-service.ts";
import { findAccessibilityErrors } from "./inspect-page.ts";
import { launchChromium, ONE_RENDERER } from "./launch-chromium.ts";
import { serveOwner, type Context } from "./serve-owner.ts";
import {
  addVirtualAuthenticator,
  disableAutofill,
  type VirtualAuthenticator,
} from "./virtual-authenticator.ts";

let browser: Browser;
before(async () => {
  browser = await launchChromium(ONE_RENDERER);
});
after(() => browser.close());

const { codeChallenge, state, attemptId, deviceId } = PASSKEY_ATTEMPT;
const QUERY = new URLSearchParams({
  response_type: "code",
  redirect_uri: REDIRECT_URI,
  code_challenge: codeChallenge,
  state,
  attempt_id: attemptId,
  device_id: deviceId,
});

interface Visitor {
  readonly page: Page;
  readonly authenticator: VirtualAuthenticator;
  readonly baseUrl: string;
  /** Opens the login page. */
  open(): Promise<void>;
}

/** The authenticator has a passkey of the account, with this counter. */
async function visit(t: Context, { counter = 0, hasAutofill = false } = {}): Promise<Visitor> {
  const { baseUrl, store, instanceKey } = await serveOwner(t);
  const passkey = await addSyncPasskey(store, instanceKey, baseUrl, Date.now(), { counter });
  const context = await browser.newContext({ locale: "en-GB" });
  t.after(() => context.close());
  const page = await context.newPage();
  const authenticator = await addVirtualAuthenticator(page);
  const toBase64 = (text: string) => Buffer.from(text, "base64url").toString("base64");
  await authenticator.setCredentials([
    {
      credentialId: toBase64(passkey.id),
      userHandle: toBase64(passkey.userHandle),
      isResidentCredential: true,
      rpId: "localhost",
      privateKey: passkey.privateKey.export({ format: "der", type: "pkcs8" }).toString("base64"),
      signCount: counter,
    },
  ]);
  if (!hasAutofill) await disableAutofill(page);
  // The app itself is not there.
  await page.route(`${REDIRECT_URI}?**`, (route) => route.fulfill({ body: "signed in" }));
  const open = async () =>
    void (await page.goto(`${baseUrl}/v1/authorize?${QUERY}`, { waitUntil: "commit" }));
  return { page, authenticator, baseUrl, open };
}

async function expectSignedIn({ page, baseUrl }: Visitor): Promise<void> {
  await page.waitForURL(`${REDIRECT_URI}?**`);
  const query = new URL(page.url()).searchParams;
  assert.equal(query.get("state"), state);
  const ask = (path: string, init?: RequestInit) => fetch(`${baseUrl}${path}`, init);
  assert.equal((await redeem(ask, query.get("code") ?? "", attemptId)).status, 200);
}

test("an app signs in with a passkey, below the password form", async (t) => {
  const visitor = await visit(t);
  const { page } = visitor;
  await visitor.open();
  const button = page.getByRole("button", { name: "Sign in with a passkey" });
  await button.waitFor();
  assert.deepEqual(await findAccessibilityErrors(page), []);
  await button.click();
  await expectSignedIn(visitor);
});

test("the autofill of the user name offers the passkey", async (t) => {
  const visitor = await visit(t, { hasAutofill: true });
  await visitor.open();
  await expectSignedIn(visitor);
});

test("without user verification, or with a counter that goes back, nothing signs in", async (t) => {
  const visitor = await visit(t, { counter: 5 });
  const { page, authenticator } = visitor;
  await authenticator.setUserVerified(false);
  await visitor.open();
  const button = page.locator("#passkey");
  await button.click();
  const error = page.locator("#passkey-error");
  await error.filter({ hasText: "No passkey was used" }).waitFor();
  await authenticator.setUserVerified(true);
  const copies = await authenticator.listCredentials();
  await authenticator.setCredentials(copies.map((copy) => ({ ...copy, signCount: 1 })));
  await button.click();
  await error.filter({ hasText: "does not accept this passkey" }).waitFor();
  assert.deepEqual(await findAccessibilityErrors(page), []);
  await authenticator.setCredentials(copies);
  await button.click();
  await expectSignedIn(visitor);
});
