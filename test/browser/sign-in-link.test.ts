/** Sign-in links in Chromium: a new browser that strangers' guesses hold signs in with one, and the password. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, suite, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { SIGN_IN_LINK_PATH, signInLinkAddress } from "../../src/contract/sign-in-link.ts";
import { createAdministration as createEventsAdministration } from "../../src/events/maintenance/administration.ts";
import { createInstanceKey } from "../../src/identity/instance-key.ts";
import { createAdministration } from "../../src/sync/maintenance/administration.ts";
import { guessUntilThrottled } from "../events/service/journey.ts";
import { guess } from "../sync/service/guess.ts";
import { ANNA } from "../sync/service/sync-service.ts";
import { inspectEveryLook, inspectSizes, WIDE } from "./inspect-page.ts";
import { launchChromium, ONE_RENDERER } from "./launch-chromium.ts";
import { ANNA as EVENTS_ANNA, serveEvents } from "./serve-events.ts";
import { serveOwner, type Context } from "./serve-owner.ts";

let browser: Browser;
before(async () => {
  browser = await launchChromium(ONE_RENDERER);
});
after(() => browser.close());

/** The clock stands still, so that no delay of the throttle ends by itself. */
const NOW = Date.now();
const now = () => NOW;

async function serveSync(t: Context) {
  const { baseUrl, store, instanceKey } = await serveOwner(t, now);
  const ask = (path: string, init?: RequestInit) => fetch(`${baseUrl}${path}`, init);
  for (let count = 0; count < 5; count++) assert.equal(await guess(ask), 401);
  return {
    baseUrl,
    signInPath: "/",
    account: ANNA,
    async makeLink() {
      const link = await createAdministration(store, instanceKey, now).createSignInLink();
      return signInLinkAddress(baseUrl, link?.secret ?? "");
    },
  };
}

async function serveOfEvents(t: Context) {
  const { origin, instance } = await serveEvents(t, now);
  const stranger = instance.createBrowser();
  // The pages of this service are real ones, so the token of the form is in their data.
  const [, data = "{}"] =
    /data-login="([^"]*)"/.exec(await (await stranger.get("/sign-in")).text()) ?? [];
  const { csrf } = JSON.parse(data.replaceAll("&quot;", '"')) as { csrf: string };
  assert.equal(await guessUntilThrottled(stranger, EVENTS_ANNA.username, csrf), 5);
  const { store } = instance;
  const administration = createEventsAdministration({
    store,
    instanceKey: createInstanceKey(randomBytes(32)),
    now,
  });
  return {
    baseUrl: origin,
    signInPath: "/sign-in",
    account: EVENTS_ANNA,
    async makeLink() {
      const link = await administration.createSignInLink(EVENTS_ANNA.username);
      return signInLinkAddress(origin, link?.secret ?? "");
    },
  };
}

const SERVICES = { sync: serveSync, events: serveOfEvents };
const LOOKS = [
  {
    lang: "en",
    submit: "Let this browser sign in",
    done: "You can sign in now",
    refused: "This link no longer works",
    held: /Too many attempts/,
    inspect: inspectEveryLook,
  },
  {
    lang: "de",
    submit: "Diesen Browser zulassen",
    done: "Du kannst dich jetzt anmelden",
    refused: "Dieser Link funktioniert nicht mehr",
    held: /Zu viele Versuche/,
    inspect: inspectSizes,
  },
] as const;

async function signIn(page: Page, { username, password }: typeof ANNA): Promise<void> {
  await page.locator("#username").fill(username);
  await page.locator("#password").fill(password);
  await page.locator("#submit").click();
}

for (const [service, serve] of Object.entries(SERVICES)) {
  suite(service, () => {
    for (const { lang, submit, done, refused, held, inspect } of LOOKS) {
      test(`a browser that strangers hold signs in with a link (${lang})`, async (t) => {
        const { baseUrl, signInPath, account, makeLink } = await serve(t);
        const context = await browser.newContext({ viewport: WIDE, reducedMotion: "reduce" });
        t.after(() => context.close());
        const page = await context.newPage();
        const messages: string[] = [];
        const urls: string[] = [];
        page.on("pageerror", (error) => messages.push(error.message));
        page.on("request", (request) => urls.push(request.url()));

        // The right password is not enough.
        await page.goto(`${baseUrl}${signInPath}?lang=${lang}`);
        await signIn(page, account);
        await page.locator("#error-text", { hasText: held }).waitFor();

        const address = await makeLink();
        const link = address.split("#")[1] ?? "";
        await page.goto(address);
        // The other language keeps the link, and looking at the page uses nothing up.
        await page.locator(`a[hreflang="${lang}"]`).click();
        await page.waitForURL(`**${SIGN_IN_LINK_PATH}?lang=${lang}#${link}`);
        await page.reload();
        await inspect(page, "link");
        await page.getByRole("button", { name: submit }).click();
        await page.getByRole("heading", { name: done }).waitFor();
        assert.equal(await page.evaluate(() => document.activeElement?.id), "done-title");
        assert.equal(page.url(), `${baseUrl}${SIGN_IN_LINK_PATH}?lang=${lang}`);
        await inspect(page, "done");

        await page.goto(`${baseUrl}${signInPath}?lang=${lang}`);
        await signIn(page, account);
        await page.locator(".sign-out").waitFor();

        // The link is used up, also for others.
        const other = await browser.newContext({ viewport: WIDE, reducedMotion: "reduce" });
        t.after(() => other.close());
        const second = await other.newPage();
        await second.goto(address.replace("#", `?lang=${lang}#`));
        await second.getByRole("button", { name: submit }).click();
        await second.getByRole("heading", { name: refused }).waitFor();
        await inspect(second, "refused");
        // Another link in the same tab changes nothing of the address but the fragment.
        await second.goto((await makeLink()).replace("#", `?lang=${lang}#`));
        await second.getByRole("button", { name: submit }).waitFor();
        await second.goto(`${baseUrl}${SIGN_IN_LINK_PATH}?lang=${lang}`);
        await second.getByRole("heading", { name: refused }).waitFor();

        assert.deepEqual(messages, []);
        const requested = urls.map((url) => new URL(url));
        assert.ok(requested.every(({ origin }) => origin === baseUrl));
        assert.ok(requested.every(({ href, hash }) => !href.replace(hash, "").includes(link)));
      });
    }

    test("without JavaScript the page explains itself, and an unreachable server leaves the link", async (t) => {
      const { baseUrl, makeLink } = await serve(t);
      const plain = await browser.newContext({ javaScriptEnabled: false });
      t.after(() => plain.close());
      const page = await plain.newPage();
      await page.goto(`${baseUrl}${SIGN_IN_LINK_PATH}`);
      await page.getByRole("heading", { name: "This page needs JavaScript" }).waitFor();
      assert.equal(await page.getByRole("button").count(), 0);

      const context = await browser.newContext();
      t.after(() => context.close());
      const second = await context.newPage();
      await second.goto(await makeLink());
      await second.route(`**${SIGN_IN_LINK_PATH}`, (route) => route.abort());
      await second.locator("#submit").click();
      await second.locator("#error", { hasText: "The server cannot be reached" }).waitFor();
      await second.unrouteAll();
      await second.locator("#submit").click();
      await second.getByRole("heading", { name: "You can sign in now" }).waitFor();
    });
  });
}
