/** Invitations and reset links in Chromium: an account by password or passkey, and a new password or passkey for one. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, suite, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { WELCOME_PATH, welcomeAddress } from "../../src/contract/welcome.ts";
import { createAdministration as createEventsAdministration } from "../../src/events/maintenance/administration.ts";
import { createInstanceKey } from "../../src/identity/instance-key.ts";
import { createAdministration } from "../../src/sync/maintenance/administration.ts";
import { ANNA } from "../sync/service/sync-service.ts";
import { inspectEveryLook, inspectSizes, WIDE } from "./inspect-page.ts";
import { launchChromium, ONE_RENDERER } from "./launch-chromium.ts";
import { ANNA as EVENTS_ANNA, serveEvents } from "./serve-events.ts";
import { serveOwner, type Context } from "./serve-owner.ts";
import { takeScreenshot } from "./take-screenshot.ts";
import { addVirtualAuthenticator } from "./virtual-authenticator.ts";

let browser: Browser;
before(async () => {
  browser = await launchChromium(ONE_RENDERER);
});
after(() => browser.close());

interface Served {
  readonly baseUrl: string;
  readonly name: string;
  readonly open: RegExp;
  invite(): Promise<string>;
  reset(): Promise<string>;
}

async function serveSync(t: Context): Promise<Served> {
  const { baseUrl, store, instanceKey } = await serveOwner(t);
  const administration = createAdministration(store, instanceKey);
  return {
    baseUrl,
    name: ANNA.username,
    open: /Open your page|Deine Seite öffnen/,
    async invite() {
      await store.database.transaction((tx) => tx.query("DELETE FROM identity_accounts"));
      const result = await administration.invite(null);
      return result.kind === "done" ? welcomeAddress(baseUrl, result.link.secret) : result.kind;
    },
    reset: async () =>
      welcomeAddress(baseUrl, (await administration.createResetLink())?.secret ?? ""),
  };
}

async function serveOfEvents(t: Context): Promise<Served> {
  const { origin, instance } = await serveEvents(t);
  const { store } = instance;
  const instanceKey = createInstanceKey(randomBytes(32));
  const administration = createEventsAdministration({ store, instanceKey });
  const { username } = EVENTS_ANNA;
  return {
    baseUrl: origin,
    name: username,
    open: /Open your events|Deine Termine öffnen/,
    async invite() {
      const result = await administration.invite([null]);
      return result.kind === "done"
        ? welcomeAddress(origin, result.links[0]?.secret ?? "")
        : result.kind;
    },
    reset: async () =>
      welcomeAddress(origin, (await administration.createResetLink(username, true))?.secret ?? ""),
  };
}

async function openPage(t: Context) {
  const context = await browser.newContext({ viewport: WIDE, reducedMotion: "reduce" });
  t.after(() => context.close());
  const page = await context.newPage();
  const urls: string[] = [];
  const errors: string[] = [];
  page.on("request", (request) => urls.push(request.url()));
  page.on("pageerror", (error) => errors.push(error.message));
  return { context, page, urls, errors };
}

const focused = (page: Page) => page.evaluate(() => document.activeElement?.id);

for (const [service, serve] of Object.entries({ sync: serveSync, events: serveOfEvents })) {
  // The rest of the content is the same in both.
  const inspect = service === "sync" ? inspectEveryLook : inspectSizes;
  suite(service, () => {
    test("an invited person creates an account by keyboard, and the link is used up", async (t) => {
      const { baseUrl, open, invite, reset, name } = await serve(t);
      const { context, page, urls, errors } = await openPage(t);
      const address = await invite();
      const link = address.split("#")[1] ?? "";
      await page.goto(address);
      await page.getByRole("heading", { name: "Welcome" }).waitFor();
      assert.equal(await focused(page), "invitation-title");
      await inspectEveryLook(page, "invitation");
      await takeScreenshot(page, `welcome-${service}`, { width: 375, height: 900 });
      await page.keyboard.press("Tab");
      assert.equal(await focused(page), "username");
      await page.keyboard.type(service === "events" ? name : "ada ");
      await page.keyboard.press("Tab");
      await page.keyboard.type("too short");
      await page.keyboard.press("Enter");
      await page.locator("#password-error", { hasText: "too short" }).waitFor();
      await page.locator("#password").fill("a few long words");
      await page.keyboard.press("Enter");
      if (service === "events") {
        await page.locator("#username-error", { hasText: "This name is taken" }).waitFor();
        assert.equal(await focused(page), "username");
        await page.locator("#username").fill("ada");
        await page.keyboard.press("Enter");
      }
      await page.getByRole("heading", { name: "Your account is ready" }).waitFor();
      assert.equal(await focused(page), "created-title");
      assert.equal(page.url(), `${baseUrl}${WELCOME_PATH}`);
      assert.equal(await page.locator("#created [data-username]").textContent(), "ada");
      await inspect(page, "created");
      await takeScreenshot(page, `welcome-${service}-done`, { width: 375, height: 900 });
      await context.grantPermissions(["clipboard-read", "clipboard-write"]);
      await page.getByRole("button", { name: "Copy the address" }).click();
      await page.locator("#copy-status", { hasText: "Copied" }).waitFor({ state: "attached" });
      assert.equal(await page.evaluate(() => navigator.clipboard.readText()), baseUrl);
      await page.getByRole("link", { name: open }).click();
      await page.locator(".sign-out", { hasText: "ada" }).waitFor();

      const other = await openPage(t);
      await other.page.goto(address);
      await other.page.getByRole("heading", { name: "no longer works" }).waitFor();
      await inspect(other.page, "refused");
      await takeScreenshot(other.page, `welcome-${service}-refused`);
      // Another link in the same tab changes nothing of the address but the fragment.
      await other.page.goto(await reset());
      await other.page.locator("#reset-title").waitFor();
      await other.page.goto(address);
      await other.page.getByRole("heading", { name: "no longer works" }).waitFor();
      await other.page.getByRole("link", { name: "Sign in" }).click();
      await other.page.getByText("Forgot your password?").waitFor();
      assert.deepEqual([...errors, ...other.errors], []);
      const requested = [...urls, ...other.urls].map((url) => new URL(url));
      assert.ok(requested.every(({ href, hash }) => !href.replace(hash, "").includes(link)));
    });

    test("a person who forgot the password comes back with a passkey, in German", async (t) => {
      const { baseUrl, open, reset, name } = await serve(t);
      const { page, errors } = await openPage(t);
      const authenticator = await addVirtualAuthenticator(page);
      const address = await reset();
      await page.goto(address);
      // The other language keeps the link.
      await page.locator('a[hreflang="de"]').click();
      await page.getByRole("heading", { name: "Wähle, wie du dich künftig anmeldest" }).waitFor();
      assert.equal(await page.locator("#username").inputValue(), name);
      assert.equal(await page.locator("#username").isEditable(), false);
      if (service === "events") await page.getByText("verlieren ihren Zugriff").waitFor();
      await inspectSizes(page, "reset");
      await takeScreenshot(page, `welcome-${service}-reset`);
      await authenticator.setUserVerified(false);
      await page.locator("#passkey").click();
      await page.locator("#passkey-error", { hasText: "kein Passkey erstellt" }).waitFor();
      await authenticator.setUserVerified(true);
      await page.locator("#passkey").click();
      await page.getByRole("heading", { name: "Deine neue Anmeldung ist eingerichtet" }).waitFor();
      assert.equal((await authenticator.listCredentials()).length, 1);
      await inspectSizes(page, "changed");
      await page.getByRole("link", { name: open }).click();
      await page.locator(".sign-out", { hasText: name }).waitFor();
      assert.equal(new URL(page.url()).origin, baseUrl);
      assert.deepEqual(errors, []);
    });
  });
}

test("without JavaScript the page explains itself, and an unreachable server leaves the link", async (t) => {
  const { baseUrl, invite } = await serveSync(t);
  const plain = await browser.newContext({ javaScriptEnabled: false });
  t.after(() => plain.close());
  const page = await plain.newPage();
  await page.goto(`${baseUrl}${WELCOME_PATH}`);
  await page.getByRole("heading", { name: "This page needs JavaScript" }).waitFor();

  const { page: second } = await openPage(t);
  await second.goto(`${baseUrl}${WELCOME_PATH}`);
  await second.getByRole("heading", { name: "no longer works" }).waitFor();
  const post = (url: URL) => url.pathname === WELCOME_PATH;
  await second.route(post, (route) =>
    route.request().method() === "POST" ? route.abort() : route.continue(),
  );
  await second.goto("about:blank");
  await second.goto(await invite());
  await second.locator("#opening-status", { hasText: "cannot be reached" }).waitFor();
  await second.unrouteAll();
  await second.getByRole("button", { name: "Try again" }).click();
  await second.getByRole("heading", { name: "Welcome" }).waitFor();
});
