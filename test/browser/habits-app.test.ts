/** The example app in a real browser, against the real services. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser, BrowserContext, BrowserContextOptions, Cookie, Page } from "playwright-core";
import { DENIALS, denyExtras } from "./deny-platform.ts";
import {
  findAccessibilityErrors,
  findSmallControls,
  NARROW,
  overflow,
  WIDE,
} from "./inspect-page.ts";
import { launchChromium } from "./launch-chromium.ts";
import { bundleOlderHabits } from "./bundle-older-habits.ts";
import {
  EMPTY_PATH,
  FRAME_PATH,
  openDevice,
  serveHabits,
  signInOnPage,
  signInQuickly,
  type ServedHabits,
} from "./serve-habits.ts";
import { walkEncryption } from "./walk-encryption.ts";
import { walkHabits } from "./walk-habits.ts";

/** Colours that are still changing have another contrast. */
const PHONE = {
  viewport: { width: 390, height: 844 },
  locale: "en-GB",
  reducedMotion: "reduce",
} as const;

/** Of requests without a connection. */
const OFFLINE = /net::ERR_INTERNET_DISCONNECTED/;

const cleanups: (() => unknown)[] = [];
let browser: Browser;
let served: ServedHabits;
before(async () => {
  served = await serveHabits({ after: (run) => cleanups.unshift(run) });
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

interface DeviceOptions extends BrowserContextOptions {
  /** Expected messages in a console: browsers report every status that is no success. */
  readonly allowed?: RegExp;
}

/** Devices with storages of their own; fails on any error in a console. */
async function withDevices(
  count: number,
  run: (devices: readonly [Device, ...Device[]]) => Promise<void>,
  { allowed = /^$/, ...options }: DeviceOptions = {},
): Promise<void> {
  const problems: string[] = [];
  const devices: Device[] = [];
  for (let index = 0; index < count; index++) {
    const context = await browser.newContext({ ...PHONE, ...options });
    devices.push({ context, page: await openDevice(context, served.origin, problems) });
  }
  try {
    const [first, ...others] = devices;
    assert.ok(first);
    await run([first, ...others]);
    assert.deepEqual(
      problems.filter((text) => !OFFLINE.test(text) && !allowed.test(text)),
      [],
    );
  } finally {
    for (const { context } of devices) await context.close();
  }
}

const chip = (page: Page, kind: string) => page.locator(`.chip[data-kind="${kind}"]`);
const names = (page: Page) => page.locator(".habit .name").allInnerTexts();

async function addHabit(page: Page, name: string): Promise<void> {
  await page.getByRole("link", { name: "New habit" }).click();
  await page.getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Add habit" }).click();
  await page.locator(".name", { hasText: name }).waitFor();
}

async function signIn(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(/\/v1\/authorize/);
  await signInOnPage(page);
  await page.waitForURL(`${served.origin}/**`);
  await chip(page, "up-to-date").waitFor();
}

test("two devices sign in, and an offline edit of each merges with the other's", () =>
  withDevices(2, async ([phone, desk]) => {
    assert.ok(desk);
    await addHabit(phone.page, "Read");
    assert.equal(await phone.page.locator(".chip").innerText(), "On this device only");
    await signIn(phone.page);
    // The one-time code is neither in the address nor in the history.
    assert.equal(phone.page.url(), `${served.origin}/#/`);
    await signInQuickly(desk.page, served);
    await desk.page.locator(".name", { hasText: "Read" }).waitFor();

    await desk.page.getByRole("button", { name: "Read: done" }).click();
    await phone.page.locator('.tick[aria-pressed="true"]').waitFor();

    await phone.context.setOffline(true);
    await desk.context.setOffline(true);
    await rename(phone.page, "Read", "Read a book");
    await phone.page.getByText("Offline · 1 to send").waitFor();
    await desk.page.getByRole("link", { name: /^Read Done/ }).click();
    await desk.page.getByRole("link", { name: "Edit" }).click();
    await desk.page.getByLabel("Moon").check({ force: true });
    await desk.page.getByRole("button", { name: "Save" }).click();
    await desk.page.getByRole("heading", { name: "Read" }).waitFor();
    await phone.context.setOffline(false);
    await desk.context.setOffline(false);
    await desk.page.getByRole("heading", { name: "Read a book" }).waitFor();
    await chip(phone.page, "up-to-date").waitFor();
    await phone.page.getByRole("link", { name: /Read a book/ }).click();
    await phone.page.getByRole("link", { name: "Edit" }).click();
    assert.ok(await phone.page.getByLabel("Moon").isChecked(), "both edits survive");
  }));

async function rename(page: Page, name: string, newName: string): Promise<void> {
  await page.getByRole("link", { name: new RegExp(`^${name} Done`) }).click();
  await page.getByRole("link", { name: "Edit" }).click();
  await page.getByLabel("Name").fill(newName);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: newName }).waitFor();
  await page.getByRole("link", { name: "Back" }).click();
}

test("the app opens without a connection, and keeps what was done there", () =>
  withDevices(1, async ([{ context, page }]) => {
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready;
      if (navigator.serviceWorker.controller !== null) return;
      await new Promise((resolve) => {
        navigator.serviceWorker.addEventListener("controllerchange", resolve, { once: true });
      });
    });
    served.isDown = true;
    await context.setOffline(true);
    try {
      await addHabit(page, "Swim");
      await page.getByRole("button", { name: "Swim: done" }).click();
      // Shown means stored.
      await page.locator('.tick[aria-pressed="true"]').waitFor();
      await page.reload();
      await page.locator('.tick[aria-pressed="true"]').waitFor();
      assert.deepEqual(await names(page), ["Swim"]);
      await page.goto(`${served.origin}/callback?code=a&state=b`);
      await page.getByText("Signing in did not work.").waitFor();
    } finally {
      served.isDown = false;
    }
    await context.setOffline(false);
    const session = await context.newCDPSession(page);
    const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
    assert.deepEqual(
      installabilityErrors.filter(({ errorId }) => errorId !== "in-incognito"),
      [],
    );
  }));

test("what an older version stored opens in this one, and the other way round", () =>
  withDevices(1, async ([{ page }]) => {
    const older = await bundleOlderHabits();
    /** On the same origin, with the same storage. */
    const runOlder = async (color: string) => {
      await page.goto(served.origin + EMPTY_PATH);
      return page.evaluate<string | null>(`${older}; olderHabits.setColor("${color}")`);
    };
    const habit = page.locator(".habit", { hasText: "Sew" });
    const tint = () => habit.evaluate((card) => card.style.getPropertyValue("--tint"));
    const edit = async () => {
      await page.getByRole("link", { name: /^Sew/ }).click();
      await page.getByRole("link", { name: "Edit" }).click();
    };
    assert.equal(await runOlder("#7a5bc1"), null);
    await page.goto(served.origin);
    await habit.waitFor();
    assert.equal(await tint(), "#7a5bc0", "the nearest tone");
    await edit();
    assert.ok(await page.getByLabel("Violet").isChecked());
    await page.getByLabel("Rose").check({ force: true });
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "Sew" }).waitFor();

    assert.equal(await runOlder("#2f6fb3"), "#b8476b", "this version wrote the colour too");
    await page.goto(served.origin);
    await habit.waitFor();
    assert.equal(await tint(), "#2f6fb3");
    await edit();
    assert.ok(await page.getByLabel("Blue").isChecked());
  }));

test("a session that has ended keeps all habits, and what was done is sent after a new sign-in", () =>
  withDevices(
    1,
    async ([{ page }]) => {
      await addHabit(page, "Stretch");
      await signInQuickly(page, served);
      await served.revokeDevices();
      await page.getByRole("button", { name: "Stretch: done" }).click();
      await chip(page, "attention").waitFor();
      assert.equal(await page.locator(".chip").innerText(), "Sign in again");
      await page.getByText("Please sign in again").waitFor();
      await signInQuickly(page, served);
      await page.getByRole("link", { name: "Settings", exact: true }).click();
      await page.getByText("Everything is on your server").waitFor();
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByText("Signed out. Your habits are still here.").waitFor();
      await page.getByRole("link", { name: "Back" }).click();
      assert.ok((await names(page)).includes("Stretch"));
    },
    { allowed: /status of 401/ },
  ));

test("what the server refuses is shown, tried again and then accepted", () =>
  withDevices(
    1,
    async ([{ page }]) => {
      await signInQuickly(page, served);
      await page.route("**/v1/push", (route) =>
        route.fulfill({
          status: 400,
          headers: {
            "Access-Control-Allow-Origin": served.origin,
            "Access-Control-Expose-Headers": "Trellis-Refused",
            "Trellis-Refused": "0=payload_field_type",
          },
          json: { error: "invalid_sync_operation", message: "refused", requestId: "12345678" },
        }),
      );
      await page.getByRole("link", { name: "New habit" }).click();
      await page.getByLabel("Name").fill("Juggle");
      await page.getByRole("button", { name: "Add habit" }).click();
      await page.locator(".chip", { hasText: "1 change refused" }).waitFor();
      await page.locator(".chip").click();
      await page.getByText("payload_field_type").waitFor();
      await page.unroute("**/v1/push");
      await page.getByRole("button", { name: "Try again" }).click();
      await page.getByText("Everything is on your server").waitFor();
      await page.getByRole("link", { name: "Back" }).click();
      await page.locator(".name", { hasText: "Juggle" }).waitFor();
    },
    { allowed: /status of 400/ },
  ));

interface PushedOperation {
  readonly document: Record<string, unknown>;
  readonly changedMetadataFields: string[];
}

test("at midnight the day is another one, and nothing is ticked on it", () =>
  withDevices(
    1,
    async ([{ page }]) => {
      const before = new Date().setUTCHours(23, 58, 30, 0);
      await page.clock.install({ time: before });
      await page.reload();
      await addHabit(page, "Read");
      const tick = page.getByRole("button", { name: "Read: done" });
      await tick.click();
      await page.locator('.tick[aria-pressed="true"]').waitFor();
      await page.clock.pauseAt(before + 85_000);
      assert.equal(await tick.getAttribute("aria-pressed"), "true");
      await page.clock.runFor(10_000);
      await page.locator('.tick[aria-pressed="false"]').waitFor();
    },
    { timezoneId: "UTC" },
  ));

test("a habit with values that no app stores is shown as damaged, and the app starts and goes on", () =>
  withDevices(2, async ([hostile, other]) => {
    const { page } = other ?? hostile;
    await signInQuickly(hostile.page, served);
    await hostile.page.route("**/v1/push", (route) => {
      const body = route.request().postDataJSON() as { operations: PushedOperation[] };
      for (const operation of body.operations) {
        operation.document["source"] = "x";
        operation.changedMetadataFields.push("source");
      }
      return route.continue({ postData: JSON.stringify(body) });
    });
    const pushed = hostile.page.waitForResponse(
      (response) => response.url().endsWith("/v1/push") && response.request().method() === "POST",
    );
    await addHabit(hostile.page, "Stolen");
    assert.equal((await pushed).status(), 200);
    await hostile.page.close();
    await signInQuickly(page, served);
    const damaged = page.locator(".call", { hasText: "cannot be shown" });
    await damaged.getByText("One item cannot be shown").waitFor();
    await page.reload();
    await damaged.getByText("One item cannot be shown").waitFor();
    await addHabit(page, "Honest");
    await damaged.getByRole("button", { name: "Delete" }).click();
    await damaged.waitFor({ state: "detached" });
    assert.ok((await names(page)).includes("Honest"));
  }));

test("a task that is imported again, and on a second device, stays one habit", () =>
  withDevices(2, async (devices) => {
    await served.addEvent("essay", "Essay about rivers", "2024-08-19");
    let cookies: Cookie[] = [];
    for (const { context, page } of devices) {
      await context.addCookies(cookies);
      await page.goto(`${served.origin}/#/settings`);
      await page.getByRole("button", { name: "Connect Annas Planer" }).click();
      await page.waitForURL(/\/(sign-in|consent)/);
      // The second browser takes over the session of the first.
      if (cookies.length === 0) await signInOnPage(page);
      await page.getByRole("button", { name: "Allow" }).click();
      await page.getByText("1 new task").waitFor();
      cookies = await context.cookies();
      await page.getByRole("button", { name: "Look for new tasks" }).click();
      await page.getByText("Nothing new").waitFor();
      // A planner that has only the contract, and more notices than fit into one response.
      const events = Array.from({ length: 500 }, (_, index) => ({ id: `${index}`, type: "info" }));
      await page.route("**/api/events?*", (route) => route.fulfill({ json: { events } }));
      await page.getByRole("button", { name: "Look for new tasks" }).click();
      await page.getByText("Nothing new. The planner sent as many as it can").waitFor();
      await page.unroute("**/api/events?*");
      await page.getByRole("link", { name: "Back" }).click();
      await page.getByText("Was due Mon 19 Aug · Annas Planer").waitFor();
    }
    // Each device has imported it for itself; now they meet.
    for (const { page } of devices) await signInQuickly(page, served);
    for (const { page } of devices) {
      assert.equal((await names(page)).filter((name) => name === "Essay about rivers").length, 1);
    }
    const [{ page }] = devices;
    await page.getByRole("link", { name: /^Essay/ }).click();
    await page.getByText("From Annas Planer").waitFor();
    await page.getByRole("button", { name: "Archive" }).click();
    await page.getByRole("link", { name: "Archive", exact: true }).click();
    await page.getByText("Stays here, so that it is not imported again").waitFor();
    assert.equal(await page.getByRole("button", { name: /^Delete “Essay/ }).count(), 0);
  }));

test("a newer version is offered from the signed manifest, and from nothing else", async () => {
  await withDevices(1, async ([{ page }]) => {
    await page.getByText("1.0.3 is here").waitFor();
    await page.getByRole("link", { name: "What’s new" }).click();
    const download = page.getByRole("link", { name: /^Download/ });
    assert.match(
      (await download.getAttribute("href")) ?? "",
      /^https:\/\/downloads\.example\.com\//,
    );
    await page.getByRole("heading", { name: "Habits 1.0.3" }).waitFor();
    for (const size of [PHONE.viewport, WIDE]) {
      await page.setViewportSize(size);
      assert.deepEqual(await findAccessibilityErrors(page), [], `update, ${size.width}`);
    }
  });
  // The service says in its unsigned hint that 1.0.3 is available; these keys did not sign it.
  const { config } = served;
  const { release } = config;
  assert.ok(release);
  const [first = "", second = ""] = Object.keys(release.keys);
  const swapped = { [first]: release.keys[second] ?? "", [second]: release.keys[first] ?? "" };
  const origin = await served.serveApp({ ...config, release: { ...release, keys: swapped } });
  const context = await browser.newContext(PHONE);
  const page = await openDevice(context, origin, []);
  await page.goto(`${origin}/#/settings`);
  await page.getByText("The app cannot confirm that it is up to date").waitFor();
  assert.equal(await page.getByText("is here").count(), 0);
  await context.close();
});

test("habits can be added, counted, archived, deleted and brought back", () =>
  withDevices(1, async ([{ page }]) => {
    await page.getByRole("button", { name: "Add “Drink water”" }).click();
    await page.getByRole("button", { name: "Drink water: 0/6, add one" }).click();
    await page.getByRole("button", { name: "Drink water: 1/6, add one" }).click();
    await page.getByRole("link", { name: /^Drink water/ }).click();
    await page.getByRole("button", { name: "One less today" }).click();
    await page.getByText("Today: 1 of 6").waitFor();
    await page.getByRole("button", { name: /: 1 of 6$/ }).click();
    await page.getByText("Today: 6 of 6").waitFor();
    assert.match(await page.locator(".figures").innerText(), /1 day\s+Streak|Streak\s+1 day/);
    await page.getByRole("button", { name: "Archive" }).click();
    await page.getByText("“Drink water” is archived").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("link", { name: /^Drink water/ }).click();
    await page.getByRole("button", { name: "Archive" }).click();
    await page.getByRole("link", { name: "Archive", exact: true }).click();
    await page.getByRole("button", { name: "Delete “Drink water” and its history" }).click();
    await page.getByText("Nothing is archived.").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("button", { name: "Restore “Drink water”" }).click();
    await page.getByText("“Drink water” is back").waitFor();
    await page.getByRole("link", { name: "Back" }).click();
    await page.locator('.tick[aria-pressed="true"]').waitFor();
  }));

test("the keyboard alone is enough, and the focus is never lost", () =>
  withDevices(1, async ([{ page }]) => {
    const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim() ?? "");
    const tabTo = async (text: string | RegExp) => {
      for (let presses = 0; presses < 60; presses++) {
        await page.keyboard.press("Tab");
        const name = await page.evaluate(
          () =>
            document.activeElement?.getAttribute("aria-label") ??
            document.activeElement?.textContent ??
            "",
        );
        if (name.match(text) !== null) return;
      }
      assert.fail(`Tab does not reach ${text}`);
    };
    await page.keyboard.press("Tab");
    assert.equal(await focused(), "Skip to content");
    await tabTo("New habit");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "New habit" }).waitFor();
    assert.equal(await focused(), "New habit");
    await tabTo("Cancel");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByText("Give the habit a name").waitFor();
    await page.keyboard.type("Whistle");
    await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Space");
    await page.keyboard.press("Enter");
    await page.locator(".name", { hasText: "Whistle" }).waitFor();
    assert.equal(await focused(), "New habit");
    await page.keyboard.press("Shift+Tab");
    await tabTo(/^Whistle$/);
    await page.keyboard.press("Enter");
    await page.getByText("Monday", { exact: true }).waitFor();
    assert.equal(await focused(), "Whistle");
    await tabTo("Edit");
    await page.goBack();
    await tabTo("Whistle: done");
    await page.keyboard.press("Space");
    await page.locator('.tick[aria-pressed="true"]').waitFor();
  }));

test("many habits are brought, grouped, ordered, skipped for a day and taken along", () =>
  withDevices(1, ([{ page }]) => walkHabits(page, served.origin, assertAccessible)));

test("suggestions wait until the first sync of a device that was added is complete", () =>
  withDevices(1, async ([{ page, context }]) => {
    await context.route("**/v1/pull**", (route) => route.abort("internetdisconnected"));
    await signInQuickly(page, served, page.getByText("Fetching your habits"));
    assert.equal(await page.getByText("Start with one small thing").count(), 0);
    await context.unrouteAll();
    await page.reload();
    await chip(page, "up-to-date").waitFor();
    await page.getByText("Fetching your habits").waitFor({ state: "detached" });
  }));

const VIEWS = ["", "new", "import", "settings", "update", "archive", "habit"] as const;

for (const [language, sample] of [
  ["en-GB", { settings: "Settings", add: "Add “Drink water”" }],
  ["de-DE", { settings: "Einstellungen", add: "„Wasser trinken“ hinzufügen" }],
] as const) {
  test(`every view is accessible and fits any screen (${language})`, () =>
    withDevices(
      1,
      async ([{ page }]) => {
        assert.equal(await page.getAttribute("html", "lang"), language.slice(0, 2));
        await assertFits(page, "empty");
        await assertAccessible(page, "empty");
        await page.getByRole("button", { name: sample.add }).click();
        const link = (await page.locator(".about").getAttribute("href")) ?? "";
        for (const view of VIEWS) {
          await page.goto(`${served.origin}/${view === "habit" ? link : `#/${view}`}`);
          await page.locator(view === "" ? ".day h1" : ".bar h1").waitFor();
          await assertFits(page, view);
          if (language === "en-GB") await assertAccessible(page, view);
        }
        await page.goto(`${served.origin}/#/settings`);
        await page.getByRole("heading", { name: sample.settings, level: 1 }).waitFor();
        await page.getByLabel(language === "en-GB" ? "Deutsch" : "English").check({ force: true });
        const other = language === "en-GB" ? "Einstellungen" : "Settings";
        await page.getByRole("heading", { name: other, level: 1 }).waitFor();
        assert.equal(await page.getAttribute("html", "lang"), language === "en-GB" ? "de" : "en");
      },
      { locale: language },
    ));
}

async function assertFits(page: Page, view: string): Promise<void> {
  await page.setViewportSize(NARROW);
  assert.equal(await overflow(page), 0, `${view} is too wide for a narrow screen`);
  assert.deepEqual(await findSmallControls(page), [], view);
}

/** Light and narrow, dark, and wide. The words make no difference to it. */
async function assertAccessible(page: Page, view: string): Promise<void> {
  assert.deepEqual(await findAccessibilityErrors(page), [], view);
  await page.emulateMedia({ colorScheme: "dark" });
  assert.deepEqual(await findAccessibilityErrors(page, ["color-contrast"]), [], `${view}, dark`);
  await page.setViewportSize(WIDE);
  assert.equal(await overflow(page), 0, view);
  // Beside the list, the headings and landmarks are others.
  const rules = ["page-has-heading-one", "landmark-unique", "duplicate-id-aria", "heading-order"];
  assert.deepEqual(await findAccessibilityErrors(page, rules), [], `${view}, wide`);
  await page.emulateMedia({ colorScheme: "light" });
}

test("at a server that cannot read, the person makes, keeps, enters and replaces their key", async () => {
  await walkEncryption(browser, await served.serveSealed(), {
    fits: assertFits,
    async isAccessible(page, view) {
      await assertFits(page, view);
      // The colours are those of the other views, so one scheme is enough.
      await page.emulateMedia({ colorScheme: "dark" });
      assert.deepEqual(await findAccessibilityErrors(page), [], view);
      await page.emulateMedia({ colorScheme: "light" });
    },
  });
});

interface FrameMessages {
  messages: { readonly type: string; readonly event?: string; readonly count?: number }[];
}

test("a page that frames the app hears what happens, cuts the network, and a window signs in", async () => {
  const context = await browser.newContext(PHONE);
  const page = await context.newPage();
  await page.goto(`${served.origin}${FRAME_PATH}`);
  const frame = page.frameLocator("iframe");
  const send = (message: object) =>
    page.evaluate((data) => {
      document.querySelector("iframe")?.contentWindow?.postMessage(data, location.origin);
    }, message);
  const heard = (event: string) =>
    page.waitForFunction(
      (name) => (window as unknown as FrameMessages).messages.find((each) => each.event === name),
      event,
    );
  await heard("update-offered");
  await send({ type: "language", language: "de" });
  await frame.getByRole("button", { name: "„Wasser trinken“ hinzufügen" }).click();
  const [popup] = await Promise.all([
    context.waitForEvent("page"),
    frame.getByRole("button", { name: "Anmelden" }).click(),
  ]);
  await popup.waitForURL(/\/v1\/authorize.*lang=de/);
  await signInOnPage(popup);
  await frame.locator('.chip[data-kind="up-to-date"]').waitFor();
  await heard("signed-in");
  const pushed = await (await heard("pushed")).jsonValue();
  assert.equal(pushed?.count, 1);
  await send({ type: "network", isOnline: false });
  await frame.locator('.chip[data-kind="offline"]').waitFor();
  await heard("offline");
  await frame.getByRole("button", { name: "Wasser trinken: 0/6, eins dazu" }).click();
  await frame.getByText("Offline · 1 zu senden").waitFor();
  await send({ type: "network", isOnline: true });
  await frame.locator('.chip[data-kind="up-to-date"]').waitFor();
  const events = await page.evaluate(() =>
    (window as unknown as FrameMessages).messages.flatMap(({ event }) => event ?? []),
  );
  const told = ["signed-in", "pushed", "offline", "online", "pushed"];
  assert.deepEqual(
    events.filter((event) => told.includes(event)),
    told,
  );
  await context.close();
});

/** Opens the app in a browser without something. */
async function openWithout(deny: () => void, locale = "en-GB"): Promise<Page> {
  const context = await browser.newContext({ ...PHONE, locale });
  const page = await context.newPage();
  await page.addInitScript(deny);
  await page.goto(served.origin);
  return page;
}

const EXPLANATIONS: Readonly<Record<keyof typeof DENIALS, RegExp>> = {
  "storage-missing": /^This browser has no IndexedDB/,
  "storage-denied": /^The browser does not let this app store anything/,
  "storage-denied-later": /^The browser does not let this app store anything/,
  "storage-failed": /^The browser cannot open its storage. Free some space/,
  "webcrypto-missing": /^The app needs encryption.*begins with https:/,
};

test("where a browser lacks what the app needs, the app says what it is and what to do", async () => {
  for (const name of Object.keys(DENIALS) as (keyof typeof DENIALS)[]) {
    const page = await openWithout(DENIALS[name]);
    await page.getByRole("heading", { name: "The app cannot start" }).waitFor();
    await page.getByText(EXPLANATIONS[name]).waitFor();
    assert.equal(await page.locator(".outline").count(), 0, "the outline of the list is gone");
    assert.doesNotMatch(await page.locator("body").innerText(), /connection/);
    assert.deepEqual(await findAccessibilityErrors(page), [], name);
    await page.context().close();
  }
  const german = await openWithout(DENIALS["storage-denied"], "de-DE");
  await german.getByText("Der Browser lässt diese App nichts speichern").waitFor();
  assert.equal(await german.getAttribute("html", "lang"), "de");
  await german.context().close();
});

test("the app says when its own server is what is missing", async () => {
  for (const [status, text] of [
    [null, /^The app’s server cannot be reached. Check your connection/],
    [404, /^The app’s server has no settings for it/],
  ] as const) {
    const context = await browser.newContext(PHONE);
    const page = await context.newPage();
    await page.route("**/config.json", (route) =>
      status === null ? route.abort() : route.fulfill({ status }),
    );
    await page.goto(served.origin);
    await page.getByText(text).waitFor();
    await context.close();
  }
});

test("without locks, channels and a service worker the app works, and says that it needs a connection", async () => {
  const page = await openWithout(denyExtras);
  await addHabit(page, "Swim");
  await signInQuickly(page, served);
  await page.getByRole("link", { name: "Settings", exact: true }).click();
  await page.getByText("the app opens only with a connection").waitFor();
  await page.context().close();
});
