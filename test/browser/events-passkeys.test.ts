/** Passkeys on the events pages, with Chromium's virtual authenticator. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser, Locator, Page } from "playwright-core";
import { findAccessibilityErrors } from "./inspect-page.ts";
import { launchChromium, ONE_RENDERER } from "./launch-chromium.ts";
import {
  ANNA,
  BERT,
  serveEvents,
  signInWithBrowser,
  STATE,
  type ServedEvents,
} from "./serve-events.ts";
import {
  addVirtualAuthenticator,
  disableAutofill,
  type VirtualAuthenticator,
} from "./virtual-authenticator.ts";

let browser: Browser;
let served: ServedEvents;
const cleanUps: (() => unknown)[] = [];

before(async () => {
  [browser, served] = await Promise.all([
    launchChromium(ONE_RENDERER),
    serveEvents({ after: (run) => cleanUps.unshift(run) }),
  ]);
});
after(async () => {
  await browser?.close();
  for (const run of cleanUps) await run();
});

const TIMEOUT_MS = 10_000;

interface Visitor {
  readonly page: Page;
  readonly authenticator: VirtualAuthenticator;
  goTo(path: string): Promise<void>;
}

async function visit(
  { locale = "en-GB", hasAutofill = false },
  use: (visitor: Visitor) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({ locale });
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(TIMEOUT_MS);
    const authenticator = await addVirtualAuthenticator(page);
    if (!hasAutofill) await disableAutofill(page);
    const goTo = async (path: string) => void (await page.goto(new URL(path, served.origin).href));
    await use({ page, authenticator, goTo });
  } finally {
    await context.close();
  }
}

async function signInAs(page: Page, account: typeof ANNA): Promise<void> {
  const cookies = await signInWithBrowser(browser, served.origin, account);
  await page.context().clearCookies();
  await page.context().addCookies(cookies);
}

/** In English, for the account that is signed in. */
async function addPasskey({ page, goTo }: Visitor, name: string): Promise<void> {
  await goTo("/account/settings");
  await page.getByLabel("Name of the new passkey").fill(name);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByText("The passkey was added.").waitFor();
}

async function openSignInPage({ page, goTo }: Visitor, path = "/sign-in"): Promise<Locator> {
  await page.context().clearCookies();
  await goTo(path);
  const button = page.locator("#passkey");
  await button.waitFor();
  return button;
}

function eventKinds(): string[] {
  return served.instance.notices.flatMap((notice) =>
    notice.kind === "security-event" ? [notice.event.kind] : [],
  );
}

test("a passkey is added, leads an app through its consent, and is removed", () =>
  visit({}, async (visitor) => {
    const { page, authenticator } = visitor;
    await signInAs(page, ANNA);
    await addPasskey(visitor, "Anna's <phone>");
    await page.getByRole("heading", { name: "Anna's <phone>" }).waitFor();
    assert.deepEqual(await findAccessibilityErrors(page), []);

    const button = await openSignInPage(visitor, served.authorizeUrl(served.loopbackUri));
    assert.equal(await button.innerText(), "Sign in with a passkey");
    await button.click();
    await page.waitForURL("**/consent?**");
    await page.getByRole("button", { name: "Allow" }).click();
    await page.waitForURL("**/callback?**");
    const query = new URL(page.url()).searchParams;
    assert.match(query.get("code") ?? "", /^[A-Za-z0-9_-]{43}$/);
    assert.equal(query.get("state"), STATE);

    await visitor.goTo("/account/settings");
    await page.getByText("Rename", { exact: false }).first().click();
    await page.getByLabel("Name", { exact: true }).fill("Old phone");
    await page.locator(".rename").getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "Old phone" }).waitFor();
    await page.getByText("Remove Old phone").click();
    await page.getByRole("button", { name: "Yes, remove it" }).click();
    await page.getByText("You have no passkey yet.").waitFor();

    await (await openSignInPage(visitor)).click();
    await page.getByText("The server does not accept this passkey").waitFor();
    assert.deepEqual(await findAccessibilityErrors(page), []);
    assert.equal((await authenticator.listCredentials()).length, 1);
  }));

test("the autofill of the user name offers the passkey, and each account has its own", () =>
  visit({ hasAutofill: true }, async (visitor) => {
    const { page, authenticator } = visitor;
    for (const account of [ANNA, BERT]) {
      await signInAs(page, account);
      await addPasskey(visitor, `Key of ${account.username}`);
    }
    const credentials = await authenticator.listCredentials();
    assert.deepEqual(credentials.map(({ userName }) => userName).toSorted(), ["anna", "bert"]);
    for (const credential of credentials) {
      await authenticator.setCredentials([credential]);
      await page.context().clearCookies();
      // The authenticator may accept before the page has loaded.
      await page.goto(`${served.origin}/sign-in`, { waitUntil: "commit" });
      await page.waitForURL(`${served.origin}/`);
      const heading = await page.locator("h1").innerText();
      assert.equal(heading, `Hello, ${credential.userName ?? ""}`);
    }
  }));

test("an authenticator that has a passkey of the account, or does not verify the person, adds none", () =>
  visit({ locale: "de-DE" }, async ({ page, authenticator, goTo }) => {
    await signInAs(page, BERT);
    const before = await authenticator.listCredentials();
    const add = async () => {
      await goTo("/account/settings");
      await page.getByRole("button", { name: "Passkey hinzufügen" }).click();
    };
    await add();
    await page.getByText("Der Passkey wurde hinzugefügt.").waitFor();
    await add();
    await page.getByText("hat schon einen Passkey für dein Konto").waitFor();
    assert.equal((await authenticator.listCredentials()).length, before.length + 1);
    await authenticator.setCredentials([]);
    await authenticator.setUserVerified(false);
    await add();
    await page.getByText("Es wurde kein Passkey erstellt").waitFor();
    assert.deepEqual(await authenticator.listCredentials(), []);
  }));

test("a passkey is refused without user verification, and when its counter goes back", () =>
  visit({}, async (visitor) => {
    const { page, authenticator } = visitor;
    await signInAs(page, ANNA);
    await addPasskey(visitor, "Copied key");
    const copies = await authenticator.listCredentials();

    await authenticator.setUserVerified(false);
    await (await openSignInPage(visitor)).click();
    await page.getByText("No passkey was used").waitFor();
    await authenticator.setUserVerified(true);
    await (await openSignInPage(visitor)).click();
    await page.waitForURL(`${served.origin}/`);

    await authenticator.setCredentials(copies);
    const count = eventKinds().length;
    await (await openSignInPage(visitor)).click();
    await page.getByText("The server does not accept this passkey").waitFor();
    assert.deepEqual(eventKinds().slice(count), ["passkey-counter-went-back"]);
    assert.equal(
      (await page.context().cookies()).some(({ name }) => name.endsWith("-session")),
      false,
    );
  }));

test("a signature that another origin got for the same name, or without verification, is refused", () =>
  visit({}, async (visitor) => {
    const { page, authenticator, goTo } = visitor;
    await signInAs(page, ANNA);
    await addPasskey(visitor, "Phished key");
    await openSignInPage(visitor);
    const data = await page.locator("#login").getAttribute("data-login");
    const { csrf } = JSON.parse(data ?? "") as { readonly csrf: string };
    const begin = () =>
      page.evaluate(async (token) => {
        const body = JSON.stringify({ action: "begin", csrf: token });
        const headers = { "Content-Type": "application/json" };
        const response = await fetch("/sign-in/passkey", { method: "POST", headers, body });
        return ((await response.json()) as { challenge: string }).challenge;
      }, csrf);
    const sign = (challenge: string, userVerification: "required" | "discouraged") =>
      page.evaluate(
        async ([text, verification]) => {
          const challengeBytes = Uint8Array.from(
            atob(text.replaceAll("-", "+").replaceAll("_", "/")),
            (character) => character.charCodeAt(0),
          );
          const credential = await navigator.credentials.get({
            publicKey: {
              challenge: challengeBytes,
              rpId: "localhost",
              userVerification: verification,
            },
          });
          return (credential as PublicKeyCredential).toJSON() as unknown;
        },
        [challenge, userVerification] as const,
      );
    const complete = (credential: unknown) =>
      page.evaluate(
        async ([token, given]) => {
          const body = JSON.stringify({ action: "complete", csrf: token, credential: given });
          const headers = { "Content-Type": "application/json" };
          return (await fetch("/sign-in/passkey", { method: "POST", headers, body })).status;
        },
        [csrf, credential] as const,
      );

    const challenge = await begin();
    // The app is at another port of the same host, so it is the same name for passkeys.
    await page.goto(served.loopbackUri);
    const phished = await sign(challenge, "required");
    await goTo("/sign-in");
    assert.equal(await complete(phished), 401);

    await authenticator.setUserVerified(false);
    assert.equal(await complete(await sign(await begin(), "discouraged")), 401);
    await authenticator.setUserVerified(true);
    assert.equal(await complete(await sign(await begin(), "required")), 200);
  }));
