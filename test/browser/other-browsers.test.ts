/** The main paths of a person in the browsers that are not Chromium, each started once. */
import assert from "node:assert/strict";
import { after, afterEach, before, suite, test } from "node:test";
import { startDemo } from "../../examples/demo/start-demo.ts";
import { createLineWriter } from "../../src/http/request-log.ts";
import { driveFirefox, hasFirefox } from "./drive-firefox.ts";
import { driveWebKit, hasDisplay, hasWebKit } from "./drive-webkit.ts";
import type { DrivenPage } from "./driven-page.ts";
import { ANNA, serveHabits, type ServedHabits } from "./serve-habits.ts";

const BROWSERS = [
  { name: "Firefox", isThere: hasFirefox(), drive: driveFirefox },
  { name: "WebKitGTK", isThere: hasWebKit() && hasDisplay(), drive: driveWebKit },
];

const PHONE = "#phone-frame";
const LAPTOP = "#laptop-frame";

let served: ServedHabits;
const cleanups: (() => unknown)[] = [];
before(async () => {
  served = await serveHabits({ after: (run) => cleanups.unshift(run) });
});
after(async () => {
  for (const run of cleanups) await run();
});

for (const { name, isThere, drive } of BROWSERS) {
  suite(name, { skip: !isThere && `needs ${name}` }, () => {
    let page: DrivenPage;
    before(async () => {
      page = await drive();
    });
    after(() => page.close());
    afterEach(() => assert.deepEqual(page.problems().filter(isUnexpected), []));

    test("the demo: sync, two devices offline, a restored server, a release", () => walkDemo(page));
    test("an app starts without a network and keeps what was done", () => walkOffline(page));
    test("the sign-in page leads back to the app", () => walkSignIn(page));
    // WebKitGTK 2.50 at times reads no database while the page that was left still writes to it.
    if (name === "Firefox") {
      test("the consent page leads back to the app with its tasks", () => walkConsent(page));
    }
    test("the owner signs in to their page", () => walkOwnersPage(page));
  });
}

/** What Firefox says of a request that ended with its page or with the server. */
const CUT_OFF = ["CORS request did not succeed", "A ServiceWorker intercepted the request"];

function isUnexpected(problem: string): boolean {
  return !CUT_OFF.some((text) => problem.includes(text));
}

const tick = (habit: string, isDone: boolean) =>
  `.tick[aria-label="${habit}: done"][aria-pressed="${isDone}"]`;

async function takeStep(page: DrivenPage, step: string): Promise<void> {
  await page.click(`#step-${step}`);
  await page.see(`#item-${step}[data-done="true"][data-running="false"]`);
}

async function walkDemo(page: DrivenPage): Promise<void> {
  const log = createLineWriter(() => {});
  const { signal } = new AbortController();
  const demo = await startDemo({ isHeadless: false, log, signal });
  try {
    await page.goto(demo.pageUrl ?? "");
    for (const frame of [PHONE, LAPTOP]) await page.see(".name", "Drink water", frame);
    await takeStep(page, "sync");
    await page.see(tick("Drink water", true), "", LAPTOP);
    await takeStep(page, "offline");
    await page.see(".name", "Take a long walk", LAPTOP);
    await takeStep(page, "restore");
    await page.see("#timeline li", "sent what was missing");
    await takeStep(page, "release");
    for (const frame of [PHONE, LAPTOP]) {
      await page.see(".call", "1.4.0 is here", frame);
      await page.see("*", "An update was refused", frame);
    }

    // By hand.
    await page.click("#laptop-network");
    await page.see("#laptop-status", "Offline");
    await page.click(tick("Drink water", true), "", LAPTOP);
    await page.see("#laptop-status", "1 to send");
    await page.click("#laptop-network");
    await page.see(tick("Drink water", false), "", PHONE);
  } finally {
    await demo.stop();
  }
}

/** An offer that appears later would move what is below it away from a click. */
async function openApp(page: DrivenPage): Promise<void> {
  await page.goto(served.origin);
  await page.see(".call", "1.0.3 is here");
}

async function addHabit(page: DrivenPage, habit: string): Promise<void> {
  await page.click("a", "New habit");
  await page.fill("#name", habit);
  await page.click("button", "Add habit");
  await page.see(".name", habit);
}

async function walkOffline(page: DrivenPage): Promise<void> {
  await openApp(page);
  await addHabit(page, "Swim");
  await page.waitFor(() => navigator.serviceWorker.controller !== null, null);
  served.isDown = true;
  try {
    await page.click(tick("Swim", false));
    // Shown means stored.
    await page.see(tick("Swim", true));
    await page.goto(served.origin);
    await page.see(tick("Swim", true));
  } finally {
    served.isDown = false;
  }
}

async function fillSignIn(page: DrivenPage): Promise<void> {
  await page.fill("#username", ANNA.username);
  await page.fill("#password", ANNA.password);
  await page.click("#submit");
}

async function walkSignIn(page: DrivenPage): Promise<void> {
  await openApp(page);
  await page.click("button", "Sign in");
  await fillSignIn(page);
  await page.see('.chip[data-kind="up-to-date"]');
  assert.equal(await page.evaluate(() => location.href, null), `${served.origin}/#/`);
}

async function walkConsent(page: DrivenPage): Promise<void> {
  await served.addEvent("essay", "Essay about rivers", "2024-08-19");
  await openApp(page);
  await page.click('a[href="#/settings"]');
  await page.click("button", "Connect Annas Planer");
  await fillSignIn(page);
  await page.click("button", "Allow");
  await page.see("*", "1 new task");
}

async function walkOwnersPage(page: DrivenPage): Promise<void> {
  await page.goto(`${served.syncUrl}/`);
  await fillSignIn(page);
  await page.see("h1", "Devices");
}
