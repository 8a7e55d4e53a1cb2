/** The page that `npm start` opens with: the real services, the real app on two origins, every button. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser, BrowserContextOptions, FrameLocator, Page } from "playwright-core";
import { createLineWriter } from "../../src/http/request-log.ts";
import { startDemo, type RunningDemo } from "../../examples/demo/start-demo.ts";
import {
  findAccessibilityErrors,
  findSmallControls,
  NARROW,
  overflow,
  WIDE,
} from "./inspect-page.ts";
import { launchChromium } from "./launch-chromium.ts";
import { takeScreenshot } from "./take-screenshot.ts";

let browser: Browser;
let demo: RunningDemo;
/** The visit of a person who tries one thing after the other. */
let visit: Visit;
before(async () => {
  const log = createLineWriter(() => {});
  const { signal } = new AbortController();
  [demo, browser] = await Promise.all([
    startDemo({ isHeadless: false, log, signal }),
    launchChromium(),
  ]);
  visit = await open({ locale: "en-GB", viewport: WIDE });
});
after(async () => {
  await browser.close();
  await demo.stop();
});

interface Visit {
  readonly page: Page;
  readonly phone: FrameLocator;
  readonly laptop: FrameLocator;
  /** Errors and warnings in the console. */
  readonly problems: string[];
}

async function open(options: BrowserContextOptions): Promise<Visit> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(error.message));
  await page.goto(demo.pageUrl ?? "");
  const phone = page.frameLocator("#phone-frame");
  const laptop = page.frameLocator("#laptop-frame");
  for (const device of [phone, laptop]) await name(device, "Drink water").waitFor();
  return { page, phone, laptop, problems };
}

const name = (device: FrameLocator, text: string) => device.locator(".name", { hasText: text });
const tick = (device: FrameLocator, habit: string, isDone: boolean) =>
  device.locator(`.tick[aria-pressed="${isDone}"]`).and(device.getByLabel(`${habit}: done`));
const line = (page: Page, log: "phone" | "laptop" | "server", text: string | RegExp) =>
  page.locator(`#${log}-log li`, { hasText: text });
const fact = (page: Page, id: "entities" | "generation") => page.locator(`#${id}`).innerText();

async function rename(device: FrameLocator, from: string, to: string): Promise<void> {
  await name(device, from).click();
  await device.getByRole("link", { name: "Edit" }).click();
  await device.getByLabel("Name").fill(to);
  await device.getByRole("button", { name: "Save" }).click();
  await device.getByRole("link", { name: "Back" }).click();
  await name(device, to).waitFor();
}

test("two devices are signed in, and an edit on one appears on the other", async () => {
  const { page, phone, laptop } = visit;
  assert.equal(await page.locator("h1").innerText(), "Two devices, one server");
  for (const log of ["phone", "laptop"] as const) {
    await line(page, log, "Signed in").waitFor();
    // 24 entities, and the one that tells a device whether it has the key.
    await line(page, log, /Merged 25 operations of other devices cursor …\S+/).waitFor();
  }
  await tick(phone, "Drink water", false).click();
  await tick(laptop, "Drink water", true).waitFor();
  await line(page, "phone", /Pushed 1 operation cursor …/).waitFor();
  await line(page, "laptop", /Merged 1 operation of other devices/).waitFor();
  assert.equal(await fact(page, "entities"), "24");
  assert.deepEqual(await findAccessibilityErrors(page), []);
  assert.deepEqual(await findSmallControls(page), []);
});

test("the page shows what the server sees of a habit, which is no word of it", async () => {
  const { page, phone, laptop } = visit;
  const before = await page.locator("#stored-rows").textContent();
  await rename(phone, "Read ten pages", "Read Zwiebelkuchen");
  await name(laptop, "Read Zwiebelkuchen").waitFor();
  await page.waitForFunction(
    (text) => document.getElementById("stored-rows")?.textContent !== text,
    before,
  );
  const after = (await page.locator("#stored-rows").textContent()) ?? "";
  assert.match(after, /: patch sealed\/[\w-]{43}/);
  assert.doesNotMatch(after, /Zwiebelkuchen/);
  await rename(phone, "Read Zwiebelkuchen", "Read ten pages");
  await name(laptop, "Read ten pages").waitFor();
  await page.locator("#phone-status", { hasText: /^Up to date$/ }).waitFor();
});

test("edits of two devices without a network merge when it is back", async () => {
  const { page, phone, laptop } = visit;
  for (const device of ["phone", "laptop"]) {
    const network = page.locator(`#${device}-network`);
    // As with a keyboard.
    await network.press("Space");
    assert.equal(await network.getAttribute("aria-checked"), "false");
    await page.locator(`#${device}-status`, { hasText: /^Offline$/ }).waitFor();
  }
  await rename(phone, "Take a walk", "Take a long walk");
  await tick(laptop, "Take a walk", true).click();
  await tick(laptop, "Take a walk", false).waitFor();
  for (const device of ["phone", "laptop"]) {
    await page.locator(`#${device}-status`, { hasText: "Offline, 1 change to send" }).waitFor();
  }
  // Neither has heard of the other.
  await tick(phone, "Take a long walk", true).waitFor();
  await name(laptop, "Take a walk").waitFor();
  for (const device of ["phone", "laptop"]) await page.locator(`#${device}-network`).click();
  for (const device of [phone, laptop]) await tick(device, "Take a long walk", false).waitFor();
  for (const device of ["phone", "laptop"] as const) {
    await line(page, device, "Online again").waitFor();
  }
});

test("the devices heal a server that was restored from yesterday's backup", async () => {
  const { page, phone, laptop } = visit;
  const generation = await fact(page, "generation");
  const looked = Promise.withResolvers<void>();
  await page.route("**/control/restore", async (route) => {
    await looked.promise;
    await route.continue();
  });
  await page.getByRole("button", { name: "Restore yesterday’s backup" }).click();
  assert.equal(await page.locator("#publish").getAttribute("aria-disabled"), "true");
  looked.resolve();
  const restored = line(page, "server", /Restored the backup of .+: 21 entities instead of \d+/);
  await restored.waitFor();
  const before = /instead of (\d+)/.exec(await restored.innerText())?.[1] ?? "";
  assert.notEqual(before, "21");
  await line(page, "server", `have sent what was lost: ${before} entities again`).waitFor();
  assert.equal(await fact(page, "entities"), before);
  assert.notEqual(await fact(page, "generation"), generation);
  await line(page, "phone", "The server has another log").waitFor();
  for (const device of [phone, laptop]) await tick(device, "Take a long walk", false).waitFor();
  assert.equal(await page.locator("#publish").getAttribute("aria-disabled"), null);
});

test("both devices verify and offer a release that is published", async () => {
  const { page, phone, laptop } = visit;
  await page.getByRole("button", { name: "Publish a release" }).click();
  await line(page, "server", /Published version 1\.4\.0\. Manifest \d+ is signed/).waitFor();
  for (const device of [phone, laptop]) await device.getByText("1.4.0 is here").waitFor();
  await line(page, "laptop", "Verified version 1.4.0").waitFor();
  const latest = await fetch(`${demo.release.baseUrl}/api/v1/releases/latest`);
  assert.equal(((await latest.json()) as { version: string }).version, "1.4.0");
});

test("homework of the planner arrives as a habit, each once", async () => {
  const { page, phone, laptop } = visit;
  const homework = page.getByRole("button", { name: "Set homework" });
  for (const title of ["Homework: essay, page 42", "Homework: map of the Hanse"]) {
    await homework.click();
    for (const device of [phone, laptop]) await name(device, title).waitFor();
  }
  await line(page, "phone", "Imported 1 task as a habit").nth(1).waitFor();
  assert.equal(await line(page, "laptop", "Imported").count(), 0);
  assert.equal(await name(laptop, "Homework").count(), 2);
  await takeScreenshot(page, "demo", { width: 1060, height: 940 });
});

test("a device that is reloaded has its data, its session and its cut network", async () => {
  const { page, phone } = visit;
  await page.locator("#phone-network").click();
  await page.locator("#phone-status", { hasText: "Offline" }).waitFor();
  await page
    .locator("#phone-frame")
    .evaluate((frame) => frame.setAttribute("src", frame.getAttribute("src") ?? ""));
  await name(phone, "Take a long walk").waitFor();
  await page.locator("#phone-status", { hasText: "Offline" }).waitFor();
  await page.locator("#phone-network").click();
  await page.locator("#phone-status", { hasText: "Up to date" }).waitFor();
  assert.deepEqual(visit.problems.filter(isUnexpected), []);
});

/** Browsers report requests of the moment in which the server was stopped. */
function isUnexpected(problem: string): boolean {
  return !/net::ERR_(CONNECTION_REFUSED|INCOMPLETE_CHUNKED_ENCODING)/.test(problem);
}

test("a button that fails says why and what to do, and works afterwards", async () => {
  const { page } = visit;
  const publish = page.getByRole("button", { name: "Publish a release" });
  const failing = "**/control/publish";
  await page.route(failing, (route) => route.abort());
  await publish.click();
  await line(page, "server", "the demo has stopped. Start it again with npm start").waitFor();
  await page.unroute(failing);
  // As after a restart of the demo, which knows another token.
  await page.route(failing, (route) =>
    route.continue({ headers: { ...route.request().headers(), "x-demo-token": "old" } }),
  );
  await publish.click();
  await line(page, "server", "this page is older than the demo that runs now. Reload it").waitFor();
  await page.unroute(failing);
  await publish.click();
  await line(page, "server", "Published version 1.5.0").waitFor();
});

test("the page is German on a narrow screen in dark colours, and so are the devices", async () => {
  const options = { locale: "de-DE", viewport: NARROW, colorScheme: "dark" } as const;
  const { page, phone, problems } = await open(options);
  assert.equal(await page.locator("h1").innerText(), "Zwei Geräte, ein Server");
  await page.getByRole("switch", { name: "Netz Telefon" }).waitFor();
  await phone.getByRole("link", { name: "Neue Gewohnheit" }).waitFor();
  await page.getByRole("button", { name: "Hausaufgabe aufgeben" }).click();
  await name(phone, "Hausaufgabe: ").waitFor();
  await line(page, "phone", /\d Aufgaben? als Gewohnheit übernommen/).waitFor();
  assert.equal(await overflow(page), 0);
  const boxes = await Promise.all(
    ["#phone-frame", "#restore", "#laptop-frame"].map((id) => page.locator(id).boundingBox()),
  );
  assert.equal(boxes[0]?.width, NARROW.width);
  const tops = boxes.map((box) => box?.y ?? 0);
  assert.deepEqual(
    tops,
    tops.toSorted((a, b) => a - b),
  );
  assert.deepEqual(await findAccessibilityErrors(page), []);
  assert.deepEqual(await findSmallControls(page), []);
  assert.deepEqual(problems, []);
  await page.getByRole("link", { name: "English" }).click();
  await phone.getByRole("link", { name: "New habit" }).waitFor();
  await page.context().close();
});
