import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import type { Browser, Cookie, Page } from "playwright-core";
import { createEventsPages } from "../../src/server/events-pages.ts";
import { createPageViews, VIEWED_AT } from "../fixtures/events-page-views.ts";
import { findAccessibilityErrors, findSmallControls, NARROW, overflow } from "./inspect-page.ts";
import { launchChromium } from "./launch-chromium.ts";
import { reusePages, type PageOptions, type UsePage } from "./reuse-pages.ts";
import {
  ANNA,
  APP_NAME,
  BERT,
  FEED_URL,
  SCHEME_URI,
  serveEvents,
  signInWithBrowser,
  STATE,
  type ServedEvents,
} from "./serve-events.ts";

let browser: Browser;
let usePage: UsePage;
let served: ServedEvents;
let annasCookies: Cookie[];
const cleanUps: (() => unknown)[] = [];

before(async () => {
  [browser, served] = await Promise.all([
    launchChromium(),
    serveEvents({ after: (run) => cleanUps.unshift(run) }),
  ]);
  usePage = reusePages(browser);
  annasCookies = await signInWithBrowser(browser, served.origin, ANNA);
});
after(async () => {
  await browser?.close();
  for (const run of cleanUps) await run();
});

/** Far more than anything here takes, and far less than a stuck test should. */
const TIMEOUT_MS = 10_000;

interface PageSession extends PageOptions {
  readonly path?: string;
  readonly isStranger?: boolean;
  /** What the browser may complain about: it reports every status that is no success. */
  readonly mayComplain?: RegExp;
}

interface Visited {
  readonly page: Page;
  readonly posts: string[];
}

/** Opens a page of the service and fails when it asks for anything foreign or complains. */
async function visit(
  options: PageSession,
  look: (visited: Visited) => Promise<void>,
): Promise<void> {
  const { path = "/", isStranger = false, mayComplain = /^$/, ...rest } = options;
  const cookies = isStranger ? [] : annasCookies;
  const said: string[] = [];
  const posts: string[] = [];
  await usePage({ locale: "en-GB", cookies, ...rest }, async (page) => {
    page.setDefaultTimeout(TIMEOUT_MS);
    page.on("console", (message) => {
      // A person, or a test, was quicker than the page.
      if (!message.text().startsWith("Autofocus processing was blocked")) said.push(message.text());
    });
    page.on("pageerror", (error) => said.push(error.message));
    page.on("request", (request) => {
      const { origin, pathname } = new URL(request.url());
      if (request.method() === "POST") posts.push(pathname);
      if (![served.origin, new URL(served.loopbackUri).origin, "null"].includes(origin)) {
        said.push(`Asked for ${origin}`);
      }
    });
    await page.goto(new URL(path, served.origin).href);
    await look({ page, posts });
  });
  assert.deepEqual(
    said.filter((text) => !mayComplain.test(text)),
    [],
  );
}

async function signIn(page: Page, { username, password } = ANNA): Promise<void> {
  await page.locator("#username").fill(username);
  await page.locator("#password").fill(password);
  await page.keyboard.press("Enter");
}

const heading = (page: Page) => page.locator("h1:visible").innerText();
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const pathOf = (page: Page) => page.url().slice(served.origin.length);
/** Chromium's words for an app that is not installed, and for clicks of a script. */
const LAUNCH = /(?:Failed|Not allowed) to launch 'trellis-demo:/;

/** Where the browser went when it left for the app. */
function waitForLaunch(page: Page): Promise<URL> {
  return page
    .waitForRequest((request) => request.url().startsWith("trellis-demo:"))
    .then((request) => new URL(request.url()));
}

suite("an app asks", () => {
  test("who signs in and allows it goes back to the app with a code and the unchanged state", () =>
    visit(
      { isStranger: true, path: served.authorizeUrl(served.loopbackUri) },
      async ({ page, posts }) => {
        assert.match(await page.locator(".lead").innerText(), new RegExp(APP_NAME));
        await signIn(page);
        await page.waitForURL("**/consent?**");
        assert.equal(await heading(page), `May ${APP_NAME} read your events?`);
        assert.match(await page.locator(".return").innerText(), /http:\/\/localhost:\d+\/callback/);
        const before = served.callbacks.length;
        await button(page, "Allow").click();
        await page.waitForURL("**/callback?**");
        const callbacks = served.callbacks
          .slice(before)
          .filter((url) => url.pathname === "/callback");
        assert.equal(callbacks.length, 1);
        const query = callbacks[0]?.searchParams;
        assert.match(query?.get("code") ?? "", /^[A-Za-z0-9_-]{43}$/);
        assert.equal(query?.get("state"), STATE);
        assert.ok(query?.has("iss"));
        assert.deepEqual(posts, ["/sign-in", "/sign-in", "/consent"]);
      },
    ));

  test("who denies it goes back with that", () =>
    visit({ path: served.authorizeUrl(served.loopbackUri) }, async ({ page }) => {
      await button(page, "Deny").click();
      await page.waitForURL("**/callback?**");
      const { searchParams } = new URL(page.url());
      assert.equal(searchParams.get("error"), "access_denied");
      assert.equal(searchParams.get("state"), STATE);
      assert.equal(searchParams.has("code"), false);
    }));

  for (const [action, title] of [
    ["Allow", "The app is connected"],
    ["Deny", "You have denied it"],
  ] as const) {
    test(`${action}: an app's own scheme is opened, and the page shows the way back`, () =>
      visit(
        { path: served.authorizeUrl(SCHEME_URI), mayComplain: LAUNCH },
        async ({ page, posts }) => {
          const launch = waitForLaunch(page);
          await button(page, action).click();
          await page.getByRole("heading", { name: title }).waitFor();
          const target = await launch;
          assert.equal(target.searchParams.get("state"), STATE);
          assert.equal(target.searchParams.has("code"), action === "Allow");
          const link = page.locator("a:visible", { hasText: "Back to the app" });
          assert.equal(await link.getAttribute("href"), target.href);
          assert.match(await page.locator("main").innerText(), /you can close this tab/);
          assert.equal(await page.locator("#decision").isVisible(), false);
          assert.deepEqual(posts, ["/consent"]);
          assert.deepEqual(await findAccessibilityErrors(page), []);
        },
      ));
  }

  test("without JavaScript the form leads to an app's own scheme, too", () =>
    visit(
      { path: served.authorizeUrl(SCHEME_URI), javaScriptEnabled: false, mayComplain: LAUNCH },
      async ({ page }) => {
        const launch = waitForLaunch(page);
        await button(page, "Allow").click();
        const target = await launch;
        assert.ok(target.searchParams.has("code"));
        assert.match(await page.locator(".note").innerText(), /You can close this tab/);
      },
    ));

  for (const [kind, redirectUri] of [
    ["an app's own scheme", () => SCHEME_URI],
    ["loopback", () => served.loopbackUri],
  ] as const) {
    test(`impatient clicks make one code: ${kind}`, () =>
      visit(
        { path: served.authorizeUrl(redirectUri()), mayComplain: LAUNCH },
        async ({ page, posts }) => {
          await button(page, "Allow").evaluate((allow: HTMLButtonElement) => {
            for (let click = 0; click < 5; click++) allow.click();
          });
          await (kind === "loopback"
            ? page.waitForURL("**/callback?**")
            : page.locator("#allowed").waitFor({ state: "visible" }));
          assert.deepEqual(posts, ["/consent"]);
        },
      ));
  }

  test("who is somebody else signs in anew, and so does whose session is over", () =>
    visit(
      { isStranger: true, path: served.authorizeUrl(SCHEME_URI), mayComplain: /401/ },
      async ({ page }) => {
        await signIn(page, BERT);
        await page.waitForURL("**/consent?**");
        await page.locator(".whose button").click();
        await page.waitForURL("**/sign-in?interaction=**");
        await signIn(page);
        await page.waitForURL("**/consent?**");
        assert.match(await page.locator(".whose").innerText(), new RegExp(ANNA.username));
        await page.context().clearCookies({ name: /session/ });
        await button(page, "Allow").click();
        await page.waitForURL("**/sign-in?interaction=**");
        assert.match(await page.locator(".lead").innerText(), new RegExp(APP_NAME));
      },
    ));

  test("a second tab that was left open says that the request is over", () =>
    visit(
      { path: served.authorizeUrl(SCHEME_URI), mayComplain: /Failed to launch|400/ },
      async ({ page }) => {
        const second = await page.context().newPage();
        await second.goto(page.url());
        await button(page, "Allow").click();
        await page.locator("#allowed").waitFor({ state: "visible" });
        await button(second, "Allow").click();
        const problem = second.locator("#problem");
        await problem.waitFor({ state: "visible" });
        assert.match(await problem.innerText(), /already decided in another tab/);
        await second.reload();
        assert.equal(await heading(second), "This request is over");
      },
    ));

  test("an app that is not known gets a page and no link to anywhere", () =>
    visit(
      { path: "/api/oauth/authorize?client_id=nobody", mayComplain: /400/ },
      async ({ page }) => {
        assert.equal(await heading(page), "This app is not known here");
        assert.match(await page.locator(".return").innerText(), /400 unknown-client/);
      },
    ));
});

suite("signing in", () => {
  test("a wrong password is told, and the right one then leads to the start page", () =>
    visit({ isStranger: true, mayComplain: /401/ }, async ({ page }) => {
      await page.waitForURL("**/sign-in");
      await signIn(page, { ...ANNA, password: "not the password" });
      await page.locator("#problem").waitFor({ state: "visible" });
      assert.match(await page.locator("#problem").innerText(), /is not right/);
      await signIn(page);
      await page.waitForURL(`${served.origin}/`);
      assert.equal(await heading(page), "Hello, anna");
    }));

  test("who signs out is out, and account pages ask to sign in", () =>
    visit({ isStranger: true, path: "/sign-in" }, async ({ page }) => {
      await signIn(page);
      await page.waitForURL(`${served.origin}/`);
      await button(page, "Sign out").click();
      await page.waitForURL("**/sign-in");
      await page.goto(`${served.origin}/account/events`);
      assert.equal(pathOf(page), "/sign-in");
    }));

  test("without JavaScript the page explains itself and sends nothing", () =>
    visit({ isStranger: true, path: "/sign-in", javaScriptEnabled: false }, async ({ page }) => {
      await page.getByRole("heading", { name: "This page needs JavaScript" }).waitFor();
      assert.equal(await page.locator("#login").isVisible(), false);
    }));
});

test("a connected app is listed and can be disconnected", () =>
  visit({ path: served.authorizeUrl(served.loopbackUri) }, async ({ page }) => {
    await connectApp(page);
    await page.goto(`${served.origin}/account/apps`);
    const entry = page.locator(".entry", { hasText: APP_NAME }).first();
    assert.match(await entry.innerText(), /Connected\s+(just now|1 minute ago), \d\d:\d\d/);
    await entry.locator("summary").click();
    assert.deepEqual(await findAccessibilityErrors(page), []);
    const count = await page.locator(".entry").count();
    await button(page, /^Yes, disconnect/)
      .first()
      .click();
    await page.getByRole("status").getByText("Disconnected").waitFor();
    assert.equal(await page.locator(".entry").count(), count - 1);
  }));

/** From the consent page to a token. */
async function connectApp(page: Page): Promise<void> {
  await button(page, "Allow").click();
  await page.waitForURL("**/callback?**");
  const answer = await served.instance.ask("/api/oauth/token", {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "authorization_code",
      code: new URL(page.url()).searchParams.get("code") ?? "",
      client_id: "trellis-demo",
      redirect_uri: served.loopbackUri,
      code_verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
    }),
  });
  assert.equal(answer.status, 200);
}

for (const javaScriptEnabled of [true, false]) {
  test(`events are added, changed and deleted ${javaScriptEnabled ? "with" : "without"} JavaScript`, () =>
    visit({ path: "/account/events", javaScriptEnabled, mayComplain: /400/ }, async ({ page }) => {
      const title = `Read <b>chapter</b> ${javaScriptEnabled ? 4 : 5}`;
      const add = page.locator("summary", { hasText: "Add an event" });
      if (!(await page.locator("#title").isVisible())) await add.click();
      await button(page, "Add event").click();
      const alert = page.getByRole("alert");
      assert.equal(await alert.innerText(), "Please enter a title.");
      assert.equal(await alert.evaluate((element) => element === document.activeElement), true);
      assert.equal(await page.locator("#title").getAttribute("aria-invalid"), "true");
      assert.match(await page.title(), /^Problem: Events/);

      await page.locator("#title").fill(title);
      await page.locator("#subject").fill("English");
      await page.locator("#type").selectOption("homework");
      await page.locator("#date").fill("2027-01-12");
      await page.locator("#time").fill("08:15");
      await button(page, "Add event").click();
      await page.getByText("The event was added.").waitFor();
      const row = page.locator(".occasion", { hasText: title });
      assert.match(await row.innerText(), /Tue\s+12\s+Jan 2027[^]*Homework[^]*English[^]*08:15/);

      await row.getByRole("link", { name: "Edit" }).click();
      assert.equal(await page.locator("#title").inputValue(), title);
      await page.locator("#time").fill("");
      await button(page, "Save").click();
      await page.getByText("The event was saved.").waitFor();
      assert.match(await row.innerText(), /All day/);

      await row.locator("summary").click();
      await button(page, `Yes, delete ${title}`).click();
      await page.getByText("The event was deleted.").waitFor();
      assert.equal(await row.count(), 0);
    }));
}

test("a calendar is previewed, subscribed to, changed, fetched again and unsubscribed", () =>
  visit({ path: "/account/subscriptions", mayComplain: /400/ }, async ({ page }) => {
    served.feed.entries = null;
    await page.locator("#url").fill(FEED_URL);
    await button(page, "Show preview").click();
    assert.match(await page.getByRole("alert").innerText(), /There is a web page and no calendar/);
    assert.equal(await page.locator("#url").inputValue(), FEED_URL);

    served.feed.entries = [
      { uid: "1", start: dayFromNow(3), summary: "Klausur Mathe" },
      { uid: "2", start: dayFromNow(4), summary: "Bücher zurückgeben" },
      { uid: "3", start: "20260230", summary: "Gibt es nicht" },
    ];
    await page.locator("#name").fill("Stundenplan 10b");
    await button(page, "Show preview").click();
    await page.getByText("2 entries would be imported.").waitFor();
    const cells = await page.locator("tbody tr").allInnerTexts();
    assert.match(cells[0] ?? "", /Klausur Mathe[^]*Exam[^]*because of “Klausur”/);
    assert.match(cells[1] ?? "", /Bücher zurückgeben[^]*Task[^]*no word fits/);
    await page.getByText("1 entry was skipped").click();
    assert.match(await page.locator(".skipped").innerText(), /date does not exist/);
    assert.deepEqual(await findAccessibilityErrors(page), []);

    await button(page, "Subscribe").click();
    await page.getByText("Subscribed.").waitFor();
    const entry = page.locator(".entry", { hasText: "Stundenplan 10b" });
    const text = await entry.innerText();
    assert.match(text, /https:\/\/calendar\.example\n/);
    assert.doesNotMatch(await page.content(), /key=secret/);
    assert.match(text, /Last fetched\s+(just now|1 minute ago), \d\d:\d\d/);
    assert.match(text, /2 new/);

    await entry.getByRole("link", { name: "Edit" }).click();
    await page.locator("#rules").fill("homework: Bücher");
    await button(page, "Save").click();
    await page.getByText("Saved.").waitFor();

    await entry.getByRole("button", { name: "Fetch now" }).click();
    await page.locator(".notice, .problem").first().waitFor();
    await page.goto(`${served.origin}/account/events`);
    assert.match(await page.locator("main").innerText(), /Klausur Mathe[^]*From Stundenplan 10b/);
    await page.goto(`${served.origin}/account/subscriptions`);
    await entry.locator("summary", { hasText: "Unsubscribe" }).click();
    await button(page, /^Yes, unsubscribe/).click();
    await page.getByText("Unsubscribed.").waitFor();
    await page.getByText("No calendars yet.").waitFor();
  }));

function dayFromNow(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10).replaceAll("-", "");
}

suite("settings", () => {
  test("zone and language are kept, and a device offers its zone", () =>
    visit({ path: "/account/settings", timezoneId: "Europe/Berlin" }, async ({ page }) => {
      await button(page, "This device is in Europe/Berlin. Use it").click();
      assert.equal(await page.locator("#timeZone").inputValue(), "Europe/Berlin");
      await page.locator("#language").selectOption("de");
      await button(page, "Save").click();
      await page.getByText("Deine Einstellungen wurden gespeichert.").waitFor();
      await page.goto(`${served.origin}/account/events`);
      assert.match(await page.locator(".lead").innerText(), /Europe\/Berlin/);
      await page.goto(`${served.origin}/account/settings`);
      await page.locator("#language").selectOption("");
      await button(page, "Speichern").click();
      await page.getByText("Your settings were saved.").waitFor();
    }));

  test("the password is changed, other browsers are signed out, and the new one works", () =>
    visit({ isStranger: true, path: "/sign-in", mayComplain: /401/ }, async ({ page }) => {
      const other = await signInWithBrowser(browser, served.origin, BERT);
      await signIn(page, BERT);
      await page.waitForURL(`${served.origin}/`);
      await page.goto(`${served.origin}/account/settings`);
      const current = page.locator("#current-password");
      const fresh = page.locator("#new-password");
      await current.fill(BERT.password);
      await fresh.fill("too short");
      await button(page, "Change password").click();
      assert.match(await page.locator("#new-password-problem").innerText(), /at least 12/);
      await current.fill("not the password");
      await fresh.fill("A new and longer one");
      await button(page, "Change password").click();
      await page.getByText("The current password is not right.").waitFor();
      assert.equal(await fresh.inputValue(), "");
      await current.fill(BERT.password);
      await fresh.fill("A new and longer one");
      await button(page, "Change password").click();
      await page.getByText("Your password was changed.").waitFor();

      await using elsewhere = await browser.newContext();
      await elsewhere.addCookies(other);
      const otherPage = await elsewhere.newPage();
      await otherPage.goto(`${served.origin}/account/events`);
      assert.equal(new URL(otherPage.url()).pathname, "/sign-in");
      await signIn(otherPage, { ...BERT, password: "A new and longer one" });
      await otherPage.waitForURL(`${served.origin}/`);
    }));

  test("without JavaScript only the password waits for one", () =>
    visit({ path: "/account/settings", javaScriptEnabled: false }, async ({ page }) => {
      await page.getByRole("heading", { name: "This page needs JavaScript" }).waitFor();
      assert.equal(await page.locator("#change-password").isVisible(), false);
      await button(page, "Save").click();
      await page.getByText("Your settings were saved.").waitFor();
    }));
});

test("the language switch stays on the page, and the pages that follow keep the language", () =>
  visit({ path: "/account/events?page=1" }, async ({ page }) => {
    await page.getByRole("link", { name: "Deutsch" }).click();
    assert.equal(await page.locator("html").getAttribute("lang"), "de");
    assert.equal(await heading(page), "Termine");
    assert.equal(pathOf(page), "/account/events?page=1&lang=de");
    await page.getByRole("link", { name: "Kalender" }).click();
    assert.equal(await heading(page), "Kalender");
    await page.getByRole("link", { name: "English" }).click();
    assert.equal(await heading(page), "Calendars");
  }));

test("the language chosen at the sign-in is that of the consent", () =>
  visit({ isStranger: true, path: served.authorizeUrl(SCHEME_URI) }, async ({ page }) => {
    await page.getByRole("link", { name: "Deutsch" }).click();
    await signIn(page);
    await page.waitForURL("**/consent?**");
    assert.equal(await heading(page), `Darf ${APP_NAME} deine Termine lesen?`);
  }));

test("a form of a session that ended is refused, and nothing is changed", () =>
  visit({ path: "/account/events", mayComplain: /403/ }, async ({ page }) => {
    if (!(await page.locator("#title").isVisible())) await page.locator("summary").first().click();
    await page.locator("[name=csrf]").last().waitFor({ state: "attached" });
    await page.evaluate(() => {
      for (const input of document.querySelectorAll<HTMLInputElement>("[name=csrf]")) {
        input.value = "forged";
      }
    });
    await page.locator("#title").fill("Forged");
    await button(page, "Add event").click();
    assert.equal(await heading(page), "This form can no longer be sent");
  }));

suite("no page has a fault that axe-core can find, or is wider than the screen", () => {
  const pages = createEventsPages({ randomBytes: (n) => new Uint8Array(n), now: () => VIEWED_AT });
  const views = createPageViews("Donaudampfschifffahrtsgesellschaft 🌱");
  const wide = { width: 1100, height: 800 };
  const looks = [
    { lang: "en", viewport: wide, colorScheme: "light" },
    { lang: "de", viewport: NARROW, colorScheme: "dark" },
  ] as const;
  for (const { lang, viewport, colorScheme } of looks) {
    test(`${lang}, ${viewport.width} px`, async () => {
      // Colours that are still on their way to the other scheme have no contrast to speak of.
      const options = { viewport, colorScheme, reducedMotion: "reduce" } as const;
      await using context = await browser.newContext(options);
      const page = await context.newPage();
      await page.route("http://localhost/**", (route) => {
        const view = decodeURIComponent(new URL(route.request().url()).pathname.slice(1));
        const { headers, body } = views[view]?.(pages, lang) ?? { headers: {}, body: null };
        return route.fulfill({ status: 200, headers, body: String(body) });
      });
      for (const view of Object.keys(views)) {
        await page.emulateMedia({ colorScheme });
        await page.goto(`http://localhost/${encodeURIComponent(view)}`);
        // What is folded away has no fault either.
        await page.evaluate(() => {
          for (const details of document.querySelectorAll("details")) details.open = true;
        });
        assert.deepEqual(await findAccessibilityErrors(page), [], view);
        assert.equal(await overflow(page), 0, view);
        assert.deepEqual(await findSmallControls(page), [], view);
        await page.emulateMedia({ colorScheme: colorScheme === "light" ? "dark" : "light" });
        assert.deepEqual(await findAccessibilityErrors(page, ["color-contrast"]), [], view);
      }
    });
  }
});

test("text at twice its size still fits a window zoomed to 400 %", () =>
  visit({ path: "/account/settings", viewport: { width: 320, height: 256 } }, async ({ page }) => {
    for (const path of ["/account/settings", "/account/subscriptions", "/account/events"]) {
      await page.goto(served.origin + path);
      await page.evaluate(() => {
        document.documentElement.style.fontSize = "200%";
      });
      assert.equal(await overflow(page), 0, path);
    }
  }));
