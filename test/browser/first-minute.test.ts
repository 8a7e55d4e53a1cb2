/** The page that `npm start` opens with: the real services, the real app on two origins, every button. */
import assert from "node:assert/strict";
import { after, before } from "node:test";
import type { Browser, BrowserContextOptions, FrameLocator, Page } from "playwright-core";
import { createLineWriter } from "../../src/http/request-log.ts";
import { startDemo, type RunningDemo } from "../../examples/demo/start-demo.ts";
import { findAccessibilityErrors, findSmallControls, NARROW, overflow } from "./inspect-page.ts";
import { launchChromium } from "./launch-chromium.ts";
import { mainPath, test } from "../groups/main-path.ts";
import { takeScreenshot } from "./take-screenshot.ts";

/** Everything of the first minute is on it. */
const LAPTOP_SCREEN = { width: 1280, height: 720 };

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
  visit = await open({ locale: "en-GB", viewport: LAPTOP_SCREEN });
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

async function open(options: BrowserContextOptions, firstHabit = "Drink water"): Promise<Visit> {
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
  for (const device of [phone, laptop]) await name(device, firstHabit).waitFor();
  return { page, phone, laptop, problems };
}

const name = (device: FrameLocator, text: string) => device.locator(".name", { hasText: text });
const card = (device: FrameLocator, habit: string) => device.locator(".habit", { hasText: habit });
const tick = (device: FrameLocator, habit: string, isDone: boolean) =>
  device.locator(`.tick[aria-pressed="${isDone}"]`).and(device.getByLabel(`${habit}: done`));
type Source = "phone" | "laptop" | "server" | "step";
const line = (page: Page, source: Source, text: string | RegExp) =>
  page.locator(`#timeline [data-source="${source}"]`, { hasText: text });
const fact = (page: Page, id: "entities" | "generation") => page.locator(`#${id}`).innerText();
const upToDate = (page: Page, device: "phone" | "laptop") =>
  page.locator(`#${device}-status`, { hasText: /^(Up to date|Aktuell)$/ }).waitFor();

async function takeStep(page: Page, step: string): Promise<void> {
  // It runs when the click has ended, and may be over soon.
  await page.click(`#step-${step}`);
  await page.locator(`#item-${step}[data-running="false"]`).waitFor();
}

async function rename(device: FrameLocator, from: string, to: string): Promise<void> {
  await name(device, from).click();
  await device.getByRole("link", { name: "Edit" }).click();
  await device.getByLabel("Name").fill(to);
  await device.getByRole("button", { name: "Save" }).click();
  await device.getByRole("link", { name: "Back" }).click();
  await name(device, to).waitFor();
}

mainPath("two devices are signed in, and everything of the first minute is in view", async () => {
  const { page } = visit;
  assert.equal(await page.locator("h1").innerText(), "Two devices, one server");
  for (const device of ["phone", "laptop"] as const) {
    await line(page, device, "Signed in").waitFor();
    await line(page, device, "Received 24 changes from other devices").waitFor();
  }
  for (const selector of [".steps", "#server-panel", ".log", "#phone-device", "#laptop-device"]) {
    const box = await page.locator(selector).boundingBox();
    assert.ok(box !== null && box.y >= 0 && box.y + box.height <= LAPTOP_SCREEN.height, selector);
  }
  assert.deepEqual(await findAccessibilityErrors(page), []);
  assert.deepEqual(await findSmallControls(page), []);
});

mainPath("the first step ticks on the phone, and the laptop shows it", async () => {
  const { page, phone, laptop } = visit;
  assert.equal(await page.locator("#item-sync").getAttribute("aria-current"), "step");
  await tick(laptop, "Drink water", false).waitFor();
  await takeStep(page, "sync");
  for (const device of [phone, laptop]) await tick(device, "Drink water", true).waitFor();
  await line(page, "phone", "Sent 1 change").waitFor();
  await line(page, "laptop", "Received 1 change from another device").waitFor();
  assert.equal(await page.locator("#item-offline").getAttribute("aria-current"), "step");
  assert.match(await page.locator("#item-sync h2").innerText(), /Done/);
  const row = page.locator("#week li", { hasText: "Drink water" });
  await row.locator('i:last-child[data-state="done"]').waitFor();
});

mainPath("a step goes on from what the person has done meanwhile", async () => {
  const { page, phone, laptop } = visit;
  await tick(phone, "Drink water", true).click();
  await tick(laptop, "Drink water", false).waitFor();
  // Taken away by a person, and not lost with a backup.
  await page
    .locator("#week li", { hasText: "Drink water" })
    .locator('i:last-child[data-state="open"]')
    .waitFor();
  for (const device of ["phone", "laptop"] as const) await upToDate(page, device);
  await takeStep(page, "sync");
  for (const device of [phone, laptop]) await tick(device, "Drink water", true).waitFor();
});

test("the page shows what the server sees of a habit, which is no word of it", async () => {
  const { page, phone, laptop } = visit;
  await rename(phone, "Read ten pages", "Read Zwiebelkuchen");
  await name(laptop, "Read Zwiebelkuchen").waitFor();
  // The devices' key opens it, which shows that the page has the newest state of the server.
  await page.locator("#week li", { hasText: "Read Zwiebelkuchen" }).waitFor();
  const stored = (await page.locator("#stored-rows").textContent()) ?? "";
  assert.match(stored, /: patch sealed\/[\w-]{43}/);
  const sealed = page.locator("#stored-rows tr", { hasText: /^sealed/ }).first();
  const [, envelope, bytes] = await sealed.locator("td").allTextContents();
  assert.match(envelope ?? "", /^"2\.[\w-]{22}\.[\w-]{200,}"$/);
  assert.equal(Number(bytes), envelope?.length);
  assert.doesNotMatch(stored, /Zwiebelkuchen/);
  await rename(phone, "Read Zwiebelkuchen", "Read ten pages");
  await name(laptop, "Read ten pages").waitFor();
  for (const device of ["phone", "laptop"] as const) await upToDate(page, device);
});

mainPath(
  "the second step edits one habit on both without a network, and both edits stay",
  async () => {
    const { page, phone, laptop } = visit;
    await page.click("#step-offline");
    for (const device of ["phone", "laptop"]) {
      await page.locator(`#${device}-status`, { hasText: "Offline, 1 to send" }).waitFor();
      assert.equal(await page.locator(`#${device}-network`).getAttribute("aria-checked"), "false");
    }
    // Neither has heard of the other.
    await card(phone, "Take a long walk").waitFor();
    await card(laptop, "Take a walk").waitFor();
    const colorOf = (device: FrameLocator) =>
      card(device, "walk").evaluate((element) => element.style.getPropertyValue("--tint"));
    assert.notEqual(await colorOf(phone), await colorOf(laptop));
    await line(page, "step", "Both devices have both edits").waitFor();
    for (const device of [phone, laptop]) await card(device, "Take a long walk").waitFor();
    assert.equal(await colorOf(phone), await colorOf(laptop));
  },
);

mainPath("a network that a person cuts stays cut until the person connects it", async () => {
  const { page, laptop } = visit;
  await upToDate(page, "laptop");
  const network = page.locator("#laptop-network");
  // As with a keyboard.
  await network.press("Space");
  assert.equal(await network.getAttribute("aria-checked"), "false");
  await page.locator("#laptop-status", { hasText: /^Offline$/ }).waitFor();
  await tick(laptop, "Take a long walk", true).click();
  await page.locator("#laptop-status", { hasText: "Offline, 1 to send" }).waitFor();
  await network.press("Space");
  await upToDate(page, "laptop");
  await tick(laptop, "Take a long walk", false).click();
  await upToDate(page, "laptop");
  await page.locator("#entities", { hasText: /^24$/ }).waitFor();
});

mainPath(
  "the third step shows ticks that vanish from the server, and the devices bring them back",
  async () => {
    const { page, phone, laptop } = visit;
    await upToDate(page, "phone");
    const generation = await fact(page, "generation");
    await page.click("#step-restore");
    assert.equal(await page.locator("#step-release").getAttribute("aria-disabled"), "true");
    // While no device is connected, the server has forgotten today.
    await page.locator('#week li i:last-child[data-state="lost"]').nth(2).waitFor();
    assert.equal(await fact(page, "entities"), "21");
    await tick(phone, "Drink water", true).waitFor();
    await line(page, "server", "sent what was missing: 24 entries again").waitFor();
    await page.locator('#item-restore[data-done="true"]').waitFor();
    await page.locator('#week li i:last-child[data-state="done"]').nth(2).waitFor();
    assert.equal(await fact(page, "entities"), "24");
    assert.notEqual(await fact(page, "generation"), generation);
    await line(page, "phone", "The server was restored").waitFor();
    for (const device of [phone, laptop]) await tick(device, "Drink water", true).waitFor();
    assert.equal(await page.locator("#step-release").getAttribute("aria-disabled"), null);
  },
);

mainPath(
  "the fourth step publishes an update that both devices offer, and a forged one that both refuse",
  async () => {
    const { page, phone, laptop } = visit;
    await takeStep(page, "release");
    await line(page, "server", /Published 1\.4\.0\. Manifest \d+ is signed/).waitFor();
    await line(page, "step", "announces 9.9.9 under the maker’s name").waitFor();
    for (const [device, source] of [
      [phone, "phone"],
      [laptop, "laptop"],
    ] as const) {
      await line(page, source, "The maker signed 1.4.0").waitFor();
      await line(page, source, "The maker did not sign it").waitFor();
      // The app says so too, and keeps offering the signed one.
      await device.getByText("An update was refused").waitFor();
      await device.getByText("1.4.0 is here").waitFor();
    }
    const latest = await fetch(`${demo.release.baseUrl}/api/v1/releases/latest`);
    assert.equal(((await latest.json()) as { version: string }).version, "1.4.0");
    assert.equal(await page.locator(".step[data-done='true']").count(), 4);
    assert.equal(await page.locator("#end").isVisible(), false, "it is for a phone");
    await page.locator("#onward.primary").waitFor();
    assert.deepEqual(visit.problems.filter(isUnexpected), []);
    await takeScreenshot(page, "demo", LAPTOP_SCREEN);
  },
);

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
});

test("a page that is reloaded in a step shows it when its devices are ready, and knows the steps before", async () => {
  const { page, phone } = visit;
  await takeStep(page, "sync");
  // Each time that the step is taken, it gives the walk the other name.
  const names = ["Take a walk", "Take a long walk"] as const;
  const isLong = (await card(phone, names[1]).count()) > 0;
  const [before, renamed] = isLong ? [names[1], names[0]] : names;
  await page.click("#step-offline");
  await page.locator("#phone-status", { hasText: "Offline, 1 to send" }).waitFor();
  await page.reload({ waitUntil: "commit" });
  const start = page.locator("#step-sync");
  await start.waitFor({ state: "hidden" });
  await start.waitFor();
  for (const device of ["phone", "laptop"] as const) await upToDate(page, device);
  assert.equal(await page.locator("#item-sync").getAttribute("data-done"), "true");
  await card(phone, renamed).waitFor();
  await takeStep(page, "offline");
  await card(phone, before).waitFor();
});

test("a device that is reloaded has its data, its session and its cut network", async () => {
  const { page, phone } = visit;
  await page.locator("#phone-network").click();
  await page.locator("#phone-status", { hasText: "Offline" }).waitFor();
  await page
    .locator("#phone-frame")
    .evaluate((frame) => frame.setAttribute("src", frame.getAttribute("src") ?? ""));
  await name(phone, "Drink water").waitFor();
  await page.locator("#phone-status", { hasText: "Offline" }).waitFor();
  await page.locator("#phone-network").click();
  await upToDate(page, "phone");
  assert.deepEqual(visit.problems.filter(isUnexpected), []);
});

/** Browsers report requests of the moment in which the server was stopped. */
function isUnexpected(problem: string): boolean {
  return !/net::ERR_(CONNECTION_REFUSED|INCOMPLETE_CHUNKED_ENCODING)/.test(problem);
}

test("every place of the demo is led to, and there", async () => {
  const { page } = visit;
  await page.getByText("All addresses").click();
  const links = await page
    .locator("#look-around a")
    .evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href));
  const addresses = new Set(links.filter((address) => !address.includes("#")));
  assert.ok(addresses.size >= 12, [...addresses].join("\n"));
  for (const address of addresses) {
    const headers = { Accept: "text/html,*/*" };
    const response = await fetch(address, { headers, redirect: "manual" });
    assert.ok([200, 302].includes(response.status), `${address}: ${response.status}`);
  }
  await page.getByRole("link", { name: "Show" }).click();
  await page.locator("#stored").waitFor();
});

test("the owner's page shows the backup that the demo restores", async () => {
  const { page } = visit;
  const popup = page.waitForEvent("popup");
  await page.locator(".place", { hasText: "owner’s page" }).getByRole("link").click();
  const owner = await popup;
  await owner.getByLabel("Username").fill(demo.account.username);
  await owner.getByLabel("Password", { exact: true }).fill(demo.account.password);
  await owner.getByRole("button", { name: "Sign in", exact: true }).click();
  await owner.getByRole("link", { name: "Data", exact: true }).click();
  // The backup is from yesterday evening: "4 hours ago" within a day, and a date after it.
  await owner.getByText(/^\d+ \w+ (\d{4}|ago), \d\d:\d\d \([\d.]+ kB\)$/).waitFor();
  await owner.close();
});

test("a second tab is told that there is another one", async () => {
  const second = await visit.page.context().newPage();
  await second.goto(demo.pageUrl ?? "");
  await line(second, "step", "open in another tab too").waitFor();
  await second.close();
  assert.equal(await line(visit.page, "step", "another tab").count(), 0);
});

test("a step that fails says why and what to do, and works afterwards", async () => {
  const { page } = visit;
  const published = line(page, "server", /Published 1\.\d\.0/);
  const before = await published.count();
  const failing = "**/control/publish";
  await page.route(failing, (route) => route.abort());
  await page.click("#step-release");
  await line(page, "step", "the demo has stopped. Start it again").waitFor();
  await page.unroute(failing);
  // As after a restart of the demo, which knows another token.
  await page.route(failing, (route) =>
    route.continue({ headers: { ...route.request().headers(), "x-demo-token": "old" } }),
  );
  await page.click("#step-release");
  await line(page, "step", "this page is older than the demo that runs now. Reload it").waitFor();
  await page.unroute(failing);
  await takeStep(page, "release");
  await published.nth(before).waitFor();
});

test("the page is German on a phone in dark colours, and both devices share its screen", async () => {
  const viewport = { width: NARROW.width, height: 844 };
  const options = { locale: "de-DE", viewport, colorScheme: "dark" } as const;
  const { page, phone, laptop, problems } = await open(options, "Wasser trinken");
  assert.equal(await page.locator("h1").innerText(), "Zwei Geräte, ein Server");
  await page.getByRole("switch", { name: "Netz Telefon" }).waitFor();
  await phone.getByRole("link", { name: "Neue Gewohnheit" }).waitFor();
  await takeStep(page, "sync");
  const boxes = await Promise.all(
    ["#phone-device", "#laptop-device", ".steps"].map((id) => page.locator(id).boundingBox()),
  );
  let end = 0;
  for (const box of boxes) {
    assert.ok(box !== null && box.y >= end - 1 && box.width === viewport.width);
    end = box.y + box.height;
  }
  assert.ok(end <= viewport.height + 1, String(end));
  for (const device of [phone, laptop]) {
    // Renamed by the phone for a person who reads German.
    await name(device, "Wasser trinken").waitFor();
    await name(device, "Zehn Seiten lesen").waitFor();
  }
  assert.equal(await overflow(page), 0);
  assert.deepEqual(await findAccessibilityErrors(page), []);
  assert.deepEqual(await findSmallControls(page), []);
  assert.deepEqual(problems, []);
  await page.getByRole("link", { name: "English" }).click();
  await phone.getByRole("link", { name: "New habit" }).waitFor();
  await name(laptop, "Drink water").waitFor();
  await page.context().close();
});

test("after a habit was deleted the third step counts what the server has in the end", async () => {
  const { page, phone } = visit;
  await name(phone, "Read ten pages").click();
  await phone.getByRole("button", { name: "Archive" }).click();
  await phone.getByRole("link", { name: "Archive", exact: true }).click();
  await phone.getByRole("button", { name: /^Delete/ }).click();
  // The backup has 21, and brings the habit back for a moment.
  await page.locator("#entities", { hasText: /^1\d$/ }).waitFor();
  await takeStep(page, "restore");
  const restored = await line(page, "server", "21 entries instead of").last().innerText();
  const [, count] = /instead of (\d+)/.exec(restored) ?? [];
  await line(page, "server", `sent what was missing: ${count} entries again`).waitFor();
});

test("a run of the kit that breaks off says so", async () => {
  const { page } = visit;
  const broken = "**/control/conformance";
  await page.route(broken, (route) => route.abort());
  await page.getByRole("button", { name: "Run the kit" }).click();
  for (const service of ["release", "sync", "events"]) {
    await page.locator(`#result-${service}`, { hasText: "Stopped early" }).waitFor();
  }
  await page.unroute(broken);
});

// The last one: the run goes on, and ends with the demo.
test("the conformance kit runs before the person's eyes, case by case", async () => {
  const { page } = visit;
  await page.getByRole("button", { name: "Run the kit" }).click();
  await page.locator('#run-conformance[aria-disabled="true"]').waitFor();
  assert.equal(
    await page.getAttribute("#step-sync", "aria-disabled"),
    null,
    "it waits for the kit",
  );
  await page.locator("#result-release", { hasText: /\d+ passed, 0 failed/ }).waitFor();
  for (const service of ["release", "sync", "events"]) {
    await page.locator(`#cases-${service} [data-result="passed"]`).nth(9).waitFor();
    assert.equal(await page.locator(`#cases-${service} [data-result="failed"]`).count(), 0);
  }
  assert.deepEqual(await findAccessibilityErrors(page), []);
});
