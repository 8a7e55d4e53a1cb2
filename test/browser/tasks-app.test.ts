/** The example app with React in a real browser, against the real service. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { generateNKeysBetween } from "fractional-indexing";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { createAppSite } from "../../examples/tasks/serve.ts";
import {
  createMemorySyncStorage,
  createSyncClient,
  type createIndexedDbStorage,
} from "../../src/client/index.ts";
import { FROM_SOURCE } from "../../scripts/serve-tasks.ts";
import { bundleClient } from "../fixtures/bundle-client.ts";
import { listenOnLocalhost } from "../fixtures/listen-on-localhost.ts";
import { serveSync } from "../sync/serve-sync.ts";
import { DENIALS, denyExtras } from "./deny-platform.ts";
import { inspectEveryLook, inspectSizes } from "./inspect-page.ts";
import { launchChromium } from "./launch-chromium.ts";
import { ANNA } from "./serve-habits.ts";
import { skipSignInPage } from "./skip-sign-in-page.ts";

declare const syncClient: { createIndexedDbStorage: typeof createIndexedDbStorage };

const cleanups: (() => unknown)[] = [];
let browser: Browser;
let origin: string;
let syncUrl: string;
before(async () => {
  const cleanup = { after: (run: () => unknown) => void cleanups.unshift(run) };
  const app = createServer();
  origin = await listenOnLocalhost(cleanup, app);
  const sync = await serveSync(cleanup, ANNA, {
    displayName: "Annas Abgleich",
    profile: "open",
    redirectUris: [`${origin}/callback`],
    corsOrigins: [origin],
  });
  syncUrl = sync.baseUrl;
  app.on("request", await createAppSite(syncUrl, FROM_SOURCE));
  browser = await launchChromium();
});
after(async () => {
  await browser.close();
  for (const run of cleanups) await run();
});

interface Device {
  readonly context: BrowserContext;
  readonly page: Page;
}

/** A device is a browser context with its own storage. Fails on any error of a page. */
async function withDevices(
  count: number,
  run: (...devices: readonly [Device, Device]) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<void> {
  const errors: string[] = [];
  const devices: Device[] = [];
  for (let index = 0; index < count; index++) {
    const context = await browser.newContext({ locale: "en-GB", ...options });
    context.on("weberror", (error) => errors.push(error.error().message));
    devices.push({ context, page: await openApp(context) });
  }
  try {
    const [first, second = first] = devices;
    assert.ok(first && second);
    await run(first, second);
    assert.deepEqual(errors, []);
  } finally {
    for (const { context } of devices) await context.close();
  }
}

async function openApp(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.goto(origin);
  await page.getByRole("heading", { level: 1 }).waitFor();
  return page;
}

const status = (page: Page, kind: string) => page.locator(`[role=status][data-kind="${kind}"]`);
const titles = (page: Page) => page.locator(".tasks a").allInnerTexts();
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

async function signIn(page: Page): Promise<void> {
  await skipSignInPage(page, syncUrl, ANNA);
  await press(page, "Sign in");
  await status(page, "up-to-date").waitFor();
  await page.unrouteAll();
}

async function addTask(page: Page, title: string, project: string): Promise<void> {
  await page.getByLabel("New task").fill(title);
  await page.getByLabel("Project").fill(project);
  await press(page, "Add");
  await page.getByRole("link", { name: title }).waitFor();
}

async function addTag(page: Page, tag: string): Promise<void> {
  await page.getByLabel("New tag").fill(tag);
  await press(page, "Add tag");
  await page.getByRole("button", { name: `Remove the tag ${tag}` }).waitFor();
}

/** The app opens without a connection from now on. */
async function waitForWorker(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
}

test("two browsers edit one task offline, and what both did stays", () =>
  withDevices(2, async (phone, desk) => {
    await addTask(phone.page, "Milk", "Home");
    await signIn(phone.page);
    await signIn(desk.page);
    for (const { page } of [phone, desk]) {
      await page.getByText("Home", { exact: true }).waitFor();
      await page.getByRole("link", { name: "Milk" }).click();
      await waitForWorker(page);
    }
    for (const [{ context, page }, tag] of [
      [phone, "shop"],
      [desk, "urgent"],
    ] as const) {
      await context.setOffline(true);
      await press(page, "Add 5 minutes");
      await page.getByText("Time spent: 5 min").waitFor();
      await addTag(page, tag);
    }
    await phone.page.getByLabel("Title").fill("Oat milk");
    await press(phone.page, "Save");
    await phone.page.getByRole("heading", { name: "Oat milk" }).waitFor();
    for (const { context } of [phone, desk]) await context.setOffline(false);
    for (const { page } of [phone, desk]) {
      await page.getByText("Time spent: 10 min").waitFor();
      await page.getByRole("button", { name: "Remove the tag shop" }).waitFor();
      await page.getByRole("button", { name: "Remove the tag urgent" }).waitFor();
      await page.getByRole("heading", { name: "Oat milk" }).waitFor();
      await status(page, "up-to-date").waitFor();
    }
    await press(phone.page, "Remove the tag shop");
    await desk.page
      .getByRole("button", { name: "Remove the tag shop" })
      .waitFor({ state: "detached" });
    await desk.page.reload();
    await desk.page.getByText("Time spent: 10 min").waitFor();
    await press(desk.page, "Delete task");
    await phone.page.getByText("This task no longer exists.").waitFor();
  }));

test("the app opens and edits without a connection, and three tabs show the same", () =>
  withDevices(1, async ({ context, page }) => {
    await waitForWorker(page);
    await context.setOffline(true);
    for (const title of ["Milk", "Bread", "Salt"]) await addTask(page, title, "Home");
    await page.reload();
    await page.getByRole("link", { name: "Salt" }).waitFor();
    assert.deepEqual(await titles(page), ["Milk", "Bread", "Salt"]);
    const tabs = [page, await openApp(context), await openApp(context)] as const;
    await tabs[1].getByRole("link", { name: "Salt" }).click();
    await press(tabs[1], "Move up");
    // React sets the box when the edit is stored, which `check` would not wait for.
    await tabs[2].getByLabel("Done: Milk").click();
    for (const tab of [tabs[0], tabs[2]]) {
      await tab.locator(".tasks li:nth-child(2)", { hasText: "Salt" }).waitFor();
      await tab.getByText("2 to do").waitFor();
      assert.deepEqual(await titles(tab), ["Milk", "Salt", "Bread"]);
    }
    await context.setOffline(false);
    await signIn(tabs[2]);
    for (const tab of tabs) await status(tab, "up-to-date").waitFor();
    await page.close();
    await tabs[1].close();
    await addTask(tabs[2], "Tea", "Work");
    await status(tabs[2], "up-to-date").waitFor();
  }));

test("what the server refuses is named, tried again and then accepted", () =>
  withDevices(1, async ({ page }) => {
    await signIn(page);
    await page.route("**/v1/push", (route) =>
      route.fulfill({
        status: 400,
        headers: {
          "Access-Control-Allow-Origin": origin,
          "Access-Control-Expose-Headers": "Trellis-Refused",
          "Trellis-Refused": "0=payload_field_type",
        },
        json: { error: "invalid_sync_operation", message: "refused", requestId: "12345678" },
      }),
    );
    await addTask(page, "Juggle", "Fun");
    await page
      .getByText(/^project\/.*: payload_field_type/)
      .first()
      .waitFor();
    await status(page, "needs-attention").waitFor();
    await page.unroute("**/v1/push");
    // The project and its task were made together, and are tried again together.
    await page.getByRole("button", { name: "Try again" }).first().click();
    await status(page, "up-to-date").waitFor();
    await page.getByRole("link", { name: "Juggle" }).waitFor();
  }));

/** The records of a device with so many tasks: to make them in a browser takes a minute. */
async function makeTasks(count: number) {
  const storage = createMemorySyncStorage();
  const redirectUri = `${origin}/callback`;
  const client = await createSyncClient({
    baseUrl: syncUrl,
    redirectUri,
    storage,
    profile: "open",
  });
  const tasks = client.collection("task");
  const positions = generateNKeysBetween(null, null, count);
  for (let start = 0; start < count; start += 100) {
    const result = await client.transaction((edit) => {
      for (const [index, position] of positions.slice(start, start + 100).entries()) {
        const title = `Task ${start + index}`;
        edit(tasks).create({ title, position, done: false, project: "none" });
      }
    });
    assert.equal(result.kind, "stored");
  }
  await client.close();
  const records = await storage.transaction("read", ({ list }) =>
    list({ from: "", below: "\uffff", limit: Infinity }),
  );
  // As after a sync: what waits for one would double them.
  return records
    .filter(([key]) => !key.startsWith("pending/"))
    .map(([key, value]): [string, string] =>
      key === "device"
        ? [key, JSON.stringify({ ...(JSON.parse(value) as object), pending: 0 })]
        : [key, value],
    );
}

test("20,000 tasks are opened, counted, listed and edited", () =>
  withDevices(1, async ({ context, page }) => {
    await page.close();
    const { code } = await bundleClient("syncClient", "iife");
    const records = await makeTasks(20_000);
    const filling = await context.newPage();
    await filling.route(`${origin}/fill`, (route) =>
      route.fulfill({ contentType: "text/html", body: "<!doctype html>" }),
    );
    await filling.goto(`${origin}/fill`);
    await filling.addScriptTag({ content: code });
    await filling.evaluate(async (records) => {
      const storage = syncClient.createIndexedDbStorage("tasks");
      await storage.transaction("write", async (transaction) => {
        for (const [key, value] of records) transaction.put(key, value);
      });
      await storage.close();
    }, records);
    await filling.close();
    const app = await openApp(context);
    await app.getByText("20000 to do").waitFor({ timeout: 120_000 });
    assert.deepEqual((await titles(app)).slice(0, 3), ["Task 0", "Task 1", "Task 2"]);
    await press(app, "Show more");
    await app.getByRole("link", { name: "Task 199", exact: true }).scrollIntoViewIfNeeded();
    await app.getByLabel("Done: Task 150", { exact: true }).click();
    await app.getByText("19999 to do").waitFor();
    await app.getByRole("link", { name: "Task 199", exact: true }).click();
    await press(app, "Move up");
    await app.getByRole("link", { name: "Back" }).click();
    await press(app, "Show more");
    await app.locator(".tasks li:nth-child(199)", { hasText: "Task 199" }).waitFor();
  }));

for (const [locale, words] of [
  ["en-GB", { task: "New task", project: "Project", add: "Add", spent: "Time spent: 0 min" }],
  [
    "de-DE",
    {
      task: "Neue Aufgabe",
      project: "Projekt",
      add: "Hinzufügen",
      spent: "Aufgewendete Zeit: 0 min",
    },
  ],
] as const) {
  test(`both screens are accessible, fit any screen and need only the keyboard (${locale})`, () =>
    withDevices(
      1,
      async ({ page }) => {
        assert.equal(await page.getAttribute("html", "lang"), locale.slice(0, 2));
        // The words make no difference to axe-core.
        const inspect = locale === "en-GB" ? inspectEveryLook : inspectSizes;
        await page.getByLabel(words.task).focus();
        await page.keyboard.type("Milk");
        await page.keyboard.press("Tab");
        await page.keyboard.type("Home");
        await page.keyboard.press("Enter");
        await page.getByRole("link", { name: "Milk" }).waitFor();
        await inspect(page, "list");
        await page.getByRole("link", { name: "Milk" }).focus();
        await page.keyboard.press("Enter");
        await page.getByText(words.spent).waitFor();
        await inspect(page, "task");
      },
      { locale, reducedMotion: "reduce" },
    ));
}

test("where a browser lacks what the app needs, the app says what it is", async () => {
  for (const [deny, text] of [
    [DENIALS["storage-missing"], /^This browser has no IndexedDB/],
    [DENIALS["storage-denied"], /^The browser does not let this app store anything/],
    [DENIALS["webcrypto-missing"], /^Browsers switch encryption off without HTTPS/],
    [denyExtras, /^Nothing to do yet/],
  ] as const) {
    const context = await browser.newContext({ locale: "en-GB" });
    const page = await context.newPage();
    await page.addInitScript(deny);
    await page.goto(origin);
    await page.getByText(text).waitFor();
    await context.close();
  }
});
