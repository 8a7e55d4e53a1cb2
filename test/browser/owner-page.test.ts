/** The owner's page in Chromium: sign-in, forms, passkeys, the export, the deletion, and how it looks. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
import { sampleOperations, sampleSession } from "../../store-contract/samples.ts";
import { ANNA } from "../sync/service/sync-service.ts";
import { findAccessibilityErrors, inspectEveryLook, inspectSizes, WIDE } from "./inspect-page.ts";
import { launchChromium } from "./launch-chromium.ts";
import { serveOwner } from "./serve-owner.ts";
import { takeScreenshot } from "./take-screenshot.ts";
import { addVirtualAuthenticator, disableAutofill } from "./virtual-authenticator.ts";

const DAY_MS = 86_400_000;
const PHONE = { width: 390, height: 844 };
const NEW_PASSWORD = "another horse battery staple";
const LONG_ID = "0198f3c2-7d1e-7a40-9c55-2f6e1d0b8a77";

let browser: Browser;
before(async () => {
  browser = await launchChromium();
});
after(() => browser.close());

test("a browser that blocks cookies is told so before a password is typed", async (t) => {
  const { baseUrl } = await serveOwner(t);
  const page = await browser.newPage({ viewport: WIDE, reducedMotion: "reduce" });
  t.after(() => page.close());
  await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, "cookieEnabled", { get: () => false });
  });
  await page.goto(`${baseUrl}/?lang=en`);
  await page.getByRole("heading", { name: "This browser blocks cookies" }).waitFor();
  assert.equal(await page.locator("#password").isVisible(), false);
  await inspectEveryLook(page, "no cookies");
  await page.goto(`${baseUrl}/?lang=de`);
  await page.getByText("Bitte erlaube Cookies für diese Adresse").waitFor();
});

test("the owner signs in, changes devices, passkeys and password, and deletes everything", async (t) => {
  const { baseUrl, store } = await serveOwner(t);
  const now = Date.now();
  for (const [index, count] of [3, 0, 12, 40, 7].entries()) {
    const operations = sampleOperations(count, `device-${index}`);
    if (count > 0) await store.operations.append(operations, now - index * 3 * DAY_MS);
  }
  await store.transaction(async ({ sessions }) => {
    const ends = { idleExpiresAt: now + 60 * DAY_MS, absoluteExpiresAt: now + 300 * DAY_MS };
    const times = { createdAt: now - 40 * DAY_MS, lastUsedAt: now - 3_600_000, ...ends };
    await sessions.open(sampleSession(LONG_ID, times));
    await sessions.open(sampleSession("tablet", { ...times, lastUsedAt: now - 2 * DAY_MS }));
  });
  const context = await browser.newContext({
    viewport: WIDE,
    locale: "en-GB",
    timezoneId: "Asia/Tokyo",
    // Colours that are still changing have another contrast.
    reducedMotion: "reduce",
  });
  t.after(() => context.close());
  const page = await context.newPage();
  const authenticator = await addVirtualAuthenticator(page);
  await disableAutofill(page);
  const messages: string[] = [];
  page.on("console", (message) => messages.push(message.text()));
  page.on("pageerror", (error) => messages.push(error.message));
  page.on("request", (request) => {
    if (new URL(request.url()).origin !== baseUrl) messages.push(`Request to ${request.url()}`);
  });
  const inspect = (name: string) => inspectEveryLook(page, name);

  await page.goto(`${baseUrl}/`);
  await inspect("sign-in");
  await signIn(ANNA.password);
  await page.getByRole("heading", { name: "Devices", exact: true }).waitFor();
  assert.match(await page.locator("#zone").innerText(), /time zone Asia\/Tokyo\./);
  await page.getByText("Chrome on Linux").first().waitFor();
  for (const line of await page.locator(".devices li").all()) {
    const box = await line.boundingBox();
    assert.ok(
      box !== null && box.height < 60,
      `a device takes ${box?.height} pixels, not one line`,
    );
  }
  await inspect("devices");
  await takeScreenshot(page, "owners-page", { width: 1000, height: 640 });
  for (const tab of ["Sign-in", "History", "Data"]) {
    await open(tab);
    await inspect(tab);
  }
  assert.match(
    (await page.getByRole("img").getAttribute("aria-label")) ?? "",
    /62 changes .* 40 on/,
  );

  await open("Devices");
  await page.getByText(`Rename Device ${LONG_ID.slice(0, 8)}`).click();
  await page.getByLabel("Name of the device").first().fill("Annas Handy");
  await inspect("naming");
  await page.getByRole("button", { name: "Save" }).first().click();
  await seeMessage("The name of the device was saved.");
  // A reload says it no more.
  await page.waitForURL(`${baseUrl}/`);
  await page.getByText("Sign out Annas Handy").click();
  await page.getByRole("button", { name: "Yes, sign it out Annas Handy" }).click();
  await seeMessage("The device is signed out.");
  assert.equal(await page.locator(".devices li").count(), 1);

  await open("Sign-in");
  await page.getByLabel("Name of the new passkey").fill("Annas Laptop");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await seeMessage("The passkey was added.");
  assert.equal((await authenticator.listCredentials()).length, 1);
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await seeMessage("You are signed out of this page.");
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await open("History");
  await page.getByText("Signed in to this page with a passkey").waitFor();
  await open("Sign-in");
  await page.getByText("Rename Annas Laptop").click();
  await page.getByLabel("Name", { exact: true }).fill("Annas Schlüssel");
  await page.locator("#passkeys ~ ul").getByRole("button", { name: "Save" }).click();
  await seeMessage("The name of the passkey was saved.");
  assert.deepEqual(await findAccessibilityErrors(page), []);
  await page.getByText("Remove Annas Schlüssel").click();
  await page.getByRole("button", { name: "Yes, remove it Annas Schlüssel" }).click();
  await seeMessage("The passkey was removed.");

  await open("Data");
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download everything" }).click();
  const file = await (await download).path();
  const exported = JSON.parse(await readFile(file, "utf8")) as { entities: unknown[] };
  assert.equal(exported.entities.length, 62);

  await open("Sign-in");
  await page.locator("#current-password").fill(ANNA.password);
  await page.locator("#new-password").fill(NEW_PASSWORD);
  await page.getByRole("button", { name: "Change password" }).click();
  await seeMessage("Your password was changed.");

  await page.getByRole("link", { name: "Deutsch" }).click();
  for (const tab of ["Anmeldung", "Daten", "Verlauf", "Geräte"]) {
    await open(tab);
    await inspectSizes(page, tab);
  }
  await takeScreenshot(page, "owners-page-de", { width: 1000, height: 640 });
  await page.getByText("Überall abmelden …").click();
  await page.getByRole("button", { name: "Ja, überall abmelden" }).click();
  await seeMessage("Alle Geräte und Browser sind abgemeldet.");

  await signIn(NEW_PASSWORD);
  await open("Daten");
  await page.getByText("Alles löschen …").click();
  await inspectSizes(page, "deletion");
  await page.getByLabel("Gib zur Bestätigung deinen Benutzernamen ein").fill("Anna");
  await page.getByRole("button", { name: "Alles endgültig löschen" }).click();
  await seeMessage("Es wurde nichts gelöscht");
  assert.deepEqual(await findAccessibilityErrors(page), []);
  await page.getByLabel("Gib zur Bestätigung deinen Benutzernamen ein").fill(ANNA.username);
  await page.getByRole("button", { name: "Alles endgültig löschen" }).click();
  await page.getByRole("heading", { name: "Hier gibt es kein Konto" }).waitFor();
  assert.deepEqual(await findAccessibilityErrors(page), []);
  assert.equal(await store.hasAccount(), false);
  // The browser reports the 400 of the wrong name.
  assert.deepEqual(
    messages.filter((message) => !message.includes("status of 400")),
    [],
  );

  async function open(tab: string): Promise<void> {
    await page.getByRole("link", { name: tab, exact: true }).click();
    await page.getByRole("heading", { name: tab, exact: true, level: 1 }).waitFor();
  }

  /** A message takes the focus. A click before that makes Chromium log that autofocus was blocked. */
  async function seeMessage(text: string): Promise<void> {
    await page
      .locator(":focus")
      .and(page.locator(".notice, .error", { hasText: text }))
      .waitFor();
  }

  async function signIn(password: string): Promise<void> {
    await page.locator("#username").fill(ANNA.username);
    await page.locator("#password").fill(password);
    await page.locator("#submit").click();
  }
});

test("forty devices are ten and the rest on request, and a name finds one of them", async (t) => {
  const { baseUrl, store } = await serveOwner(t);
  const now = Date.now();
  const times = { createdAt: now, lastUsedAt: now, idleExpiresAt: now + DAY_MS };
  await store.transaction(async ({ sessions }) => {
    for (let index = 1; index <= 40; index++) {
      const ends = { ...times, absoluteExpiresAt: now + DAY_MS };
      await sessions.open(sampleSession(`tablet-${index}`, ends));
    }
  });
  const page = await browser.newPage({ viewport: PHONE, locale: "en-GB", reducedMotion: "reduce" });
  t.after(() => page.close());
  await page.goto(`${baseUrl}/`);
  await page.locator("#username").fill(ANNA.username);
  await page.locator("#password").fill(ANNA.password);
  await page.locator("#submit").click();
  await page.getByText("Show 30 more").waitFor();
  const shown = page.locator(".devices li.line:visible");
  assert.equal(await shown.count(), 10);
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  assert.ok(height < 3000, `the page has ${height} pixels`);
  await page.getByLabel("Find in this list").fill("TABLET-31");
  await page.getByText("1 of 40").waitFor();
  assert.match((await shown.allInnerTexts()).join(), /^tablet-31\b|^Device tablet-31\b/);
  assert.deepEqual(await findAccessibilityErrors(page), []);
  // Every line has this button, so a search for it finds no line.
  await page.getByLabel("Find in this list").fill("sign out");
  await page.getByText("0 of 40").waitFor();
  await page.getByLabel("Find in this list").fill("");
  await page.waitForFunction(() => document.querySelectorAll(".devices li[hidden]").length === 0);
  assert.equal(await shown.count(), 10);
});
