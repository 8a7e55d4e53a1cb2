import assert from "node:assert/strict";
import { after, before, suite } from "node:test";
import type { Browser, Cookie, Page } from "playwright-core";
import { createEventsPages } from "../../src/events/account/web-pages.ts";
import { createPageViews, VIEWED_AT } from "../fixtures/events-page-views.ts";
import {
  doubleText,
  findAccessibilityErrors,
  findSmallControls,
  NARROW,
  overflow,
} from "./inspect-page.ts";
import { launchChromium, ONE_RENDERER } from "./launch-chromium.ts";
import { mainPath, test } from "../groups/main-path.ts";
import { reusePages, type PageOptions, type UsePage } from "./reuse-pages.ts";
import { takeScreenshot } from "./take-screenshot.ts";
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
let annaCookies: Cookie[];
const cleanUps: (() => unknown)[] = [];

before(async () => {
  [browser, served] = await Promise.all([
    launchChromium(ONE_RENDERER),
    serveEvents({ after: (run) => cleanUps.unshift(run) }),
  ]);
  usePage = reusePages(browser);
  annaCookies = await signInWithBrowser(browser, served.origin, ANNA);
});
after(async () => {
  await browser?.close();
  for (const run of cleanUps) await run();
});

interface VisitOptions extends PageOptions {
  readonly path?: string;
  readonly isSignedOut?: boolean;
  /** Expected console messages: browsers report every status that is no success. */
  readonly allowedMessages?: RegExp;
}

interface Visit {
  readonly page: Page;
  readonly posts: string[];
}

/** Opens a page; fails on a request to an unknown origin and on an unexpected console message. */
async function visit(options: VisitOptions, check: (visit: Visit) => Promise<void>): Promise<void> {
  const { path = "/", isSignedOut = false, allowedMessages = /^$/, ...rest } = options;
  const cookies = isSignedOut ? [] : annaCookies;
  const messages: string[] = [];
  const posts: string[] = [];
  await usePage({ locale: "en-GB", cookies, ...rest }, async (page) => {
    page.on("console", (message) => {
      // The test has already moved the focus.
      if (!message.text().startsWith("Autofocus processing was blocked"))
        messages.push(message.text());
    });
    page.on("pageerror", (error) => messages.push(error.message));
    page.on("request", (request) => {
      const { origin, pathname } = new URL(request.url());
      if (request.method() === "POST") posts.push(pathname);
      if (![served.origin, new URL(served.loopbackUri).origin, "null"].includes(origin)) {
        messages.push(`Request to ${origin}`);
      }
    });
    await page.goto(new URL(path, served.origin).href);
    await check({ page, posts });
  });
  assert.deepEqual(
    messages.filter((text) => !allowedMessages.test(text)),
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
/** Chromium's messages for an app that is not installed, and for clicks of a script. */
const LAUNCH = /(?:Failed|Not allowed) to launch 'trellis-demo:/;

/** The address that opens the app. */
function waitForLaunch(page: Page): Promise<URL> {
  return page
    .waitForRequest((request) => request.url().startsWith("trellis-demo:"))
    .then((request) => new URL(request.url()));
}

suite("an app asks for authorization", () => {
  mainPath("sign-in and Allow lead back to the app with a code and the unchanged state", () =>
    visit(
      { isSignedOut: true, path: served.authorizeUrl(served.loopbackUri) },
      async ({ page, posts }) => {
        assert.match(await page.locator(".lead").innerText(), new RegExp(APP_NAME));
        await signIn(page);
        await page.waitForURL("**/consent?**");
        assert.equal(await heading(page), `May ${APP_NAME} read your events?`);
        assert.match(await page.locator(".return").innerText(), /http:\/\/localhost:\d+\/callback/);
        await takeScreenshot(page, "consent", { height: 860 });
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
        const proofs = posts.filter((path) => path !== "/sign-in/passkey");
        assert.deepEqual(proofs, ["/sign-in", "/sign-in", "/consent"]);
      },
    ),
  );

  test("Deny leads back to the app with access_denied", () =>
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
    ["Deny", "You denied access"],
  ] as const) {
    test(`${action}: a private-use scheme is opened, and the page links back to the app`, () =>
      visit(
        { path: served.authorizeUrl(SCHEME_URI), allowedMessages: LAUNCH },
        async ({ page, posts }) => {
          const launch = waitForLaunch(page);
          await button(page, action).click();
          await page.getByRole("heading", { name: title }).waitFor();
          const target = await launch;
          assert.equal(target.searchParams.get("state"), STATE);
          assert.equal(target.searchParams.has("code"), action === "Allow");
          const link = page.locator("a:visible", { hasText: "Back to the app" });
          assert.equal(await link.getAttribute("href"), target.href);
          assert.match(await page.locator("main").innerText(), /You can close this tab/);
          assert.equal(await page.locator("#decision").isVisible(), false);
          assert.deepEqual(posts, ["/consent"]);
          assert.deepEqual(await findAccessibilityErrors(page), []);
        },
      ));
  }

  test("without JavaScript the form leads to a private-use scheme, too", () =>
    visit(
      { path: served.authorizeUrl(SCHEME_URI), javaScriptEnabled: false, allowedMessages: LAUNCH },
      async ({ page }) => {
        const launch = waitForLaunch(page);
        await button(page, "Allow").click();
        const target = await launch;
        assert.ok(target.searchParams.has("code"));
        assert.match(await page.locator(".note").innerText(), /You can close this tab/);
      },
    ));

  for (const [kind, redirectUri] of [
    ["a private-use scheme", () => SCHEME_URI],
    ["loopback", () => served.loopbackUri],
  ] as const) {
    test(`repeated clicks issue one code: ${kind}`, () =>
      visit(
        { path: served.authorizeUrl(redirectUri()), allowedMessages: LAUNCH },
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

  test("another account and an ended session lead to the sign-in and back", () =>
    visit(
      { isSignedOut: true, path: served.authorizeUrl(SCHEME_URI), allowedMessages: /401/ },
      async ({ page }) => {
        await signIn(page, BERT);
        await page.waitForURL("**/consent?**");
        await page.locator(".signed-in-as button").click();
        await page.waitForURL("**/sign-in?interaction=**");
        await signIn(page);
        await page.waitForURL("**/consent?**");
        assert.match(await page.locator(".signed-in-as").innerText(), new RegExp(ANNA.username));
        await page.context().clearCookies({ name: /session/ });
        await button(page, "Allow").click();
        await page.waitForURL("**/sign-in?interaction=**");
        assert.match(await page.locator(".lead").innerText(), new RegExp(APP_NAME));
      },
    ));

  test("a second tab shows that the request has expired", () =>
    visit(
      { path: served.authorizeUrl(SCHEME_URI), allowedMessages: /Failed to launch|400/ },
      async ({ page }) => {
        const second = await page.context().newPage();
        await second.goto(page.url());
        await button(page, "Allow").click();
        await page.locator("#allowed").waitFor({ state: "visible" });
        await button(second, "Allow").click();
        const error = second.locator("#error");
        await error.waitFor({ state: "visible" });
        assert.match(await error.innerText(), /already decided in another tab/);
        await second.reload();
        assert.equal(await heading(second), "This request has expired");
      },
    ));

  test("an unknown app gets an error page without a link to it", () =>
    visit(
      { path: "/api/oauth/authorize?client_id=nobody", allowedMessages: /400/ },
      async ({ page }) => {
        assert.equal(await heading(page), "Unknown app");
        assert.match(await page.locator(".return").innerText(), /400 unknown-client/);
      },
    ));
});

suite("signing in", () => {
  test("a wrong password is reported, and the right one leads to the start page", () =>
    visit({ isSignedOut: true, allowedMessages: /401/ }, async ({ page }) => {
      await page.waitForURL("**/sign-in");
      await signIn(page, { ...ANNA, password: "not the password" });
      await page.locator("#error").waitFor({ state: "visible" });
      assert.match(await page.locator("#error").innerText(), /is incorrect/);
      await signIn(page);
      await page.waitForURL(`${served.origin}/`);
      assert.equal(await heading(page), "Hello, anna");
    }));

  test("at another host the page leads to its own and sends nothing", () => {
    const path = `${served.instance.origin}/sign-in`;
    const allowedMessages = /^Request to http:\/\/127\.0\.0\.1/;
    return visit({ isSignedOut: true, path, allowedMessages }, async ({ page, posts }) => {
      await page
        .getByRole("heading", { name: "This page was opened at another address" })
        .waitFor();
      assert.equal(await page.locator("#login").isVisible(), false);
      assert.deepEqual(posts, []);
      await page.getByRole("link", { name: "Open the page there" }).click();
      await page.waitForURL(`${served.origin}/sign-in`);
      assert.equal(await page.locator("#login").isVisible(), true);
    });
  });

  test("the time that a throttle lasts is inside the announced message", () =>
    visit({ isSignedOut: true, allowedMessages: /429/ }, async ({ page }) => {
      await page.waitForURL("**/sign-in");
      await page.route("**/sign-in", (route) =>
        route.request().method() === "POST"
          ? route.fulfill({ status: 429, headers: { "Retry-After": "75" }, json: {} })
          : route.continue(),
      );
      await signIn(page);
      await page.locator("#countdown").waitFor({ state: "visible" });
      const announced = await page.locator("#error [role=alert]").innerText();
      assert.match(announced, /sign-in is paused for 1 minute 15 seconds\./);
    }));

  test("after signing out account pages redirect to the sign-in", () =>
    visit({ isSignedOut: true, path: "/sign-in" }, async ({ page }) => {
      await signIn(page);
      await page.waitForURL(`${served.origin}/`);
      await button(page, "Sign out").click();
      await page.waitForURL("**/sign-in");
      await page.goto(`${served.origin}/account/events`);
      assert.equal(pathOf(page), "/sign-in");
    }));

  test("without JavaScript the page explains itself", () =>
    visit({ isSignedOut: true, path: "/sign-in", javaScriptEnabled: false }, async ({ page }) => {
      await page.getByRole("heading", { name: "This page needs JavaScript" }).waitFor();
      assert.equal(await page.locator("#login").isVisible(), false);
    }));
});

test("an app is listed and its access can be revoked", () =>
  visit({ path: served.authorizeUrl(served.loopbackUri) }, async ({ page }) => {
    await connectApp(page);
    await page.goto(`${served.origin}/account/apps`);
    const entry = page.locator(".entry", { hasText: APP_NAME }).first();
    assert.match(await entry.innerText(), /Connected\s+(just now|1 minute ago), \d\d:\d\d/);
    await entry.locator("summary").click();
    assert.deepEqual(await findAccessibilityErrors(page), []);
    const count = await page.locator(".entry").count();
    await button(page, /^Yes, revoke access/)
      .first()
      .click();
    await page.getByRole("status").getByText("The access was revoked").waitFor();
    assert.equal(await page.locator(".entry").count(), count - 1);
  }));

/** Allows the app and redeems its code. */
async function connectApp(page: Page): Promise<void> {
  await button(page, "Allow").click();
  await page.waitForURL("**/callback?**");
  const response = await served.instance.ask("/api/oauth/token", {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "authorization_code",
      code: new URL(page.url()).searchParams.get("code") ?? "",
      client_id: "trellis-demo",
      redirect_uri: served.loopbackUri,
      code_verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
    }),
  });
  assert.equal(response.status, 200);
}

for (const javaScriptEnabled of [true, false]) {
  test(`events are added, changed and deleted ${javaScriptEnabled ? "with" : "without"} JavaScript`, () =>
    visit(
      { path: "/account/events", javaScriptEnabled, allowedMessages: /400/ },
      async ({ page }) => {
        const title = `Read <b>chapter</b> ${javaScriptEnabled ? 4 : 5}`;
        const add = page.locator("summary", { hasText: "Add an event" });
        if (!(await page.locator("#title").isVisible())) await add.click();
        await button(page, "Add event").click();
        const alert = page.getByRole("alert");
        assert.equal(await alert.innerText(), "Please enter a title.");
        // The browser moves the focus after it has drawn the page.
        await page.locator("[role=alert]:focus").waitFor();
        assert.equal(await page.locator("#title").getAttribute("aria-invalid"), "true");
        assert.match(await page.title(), /^Error: Events/);

        await page.locator("#title").fill(title);
        await page.locator("#subject").fill("English");
        await page.locator("#type").selectOption("homework");
        await page.locator("#date").fill("2027-01-12");
        await page.locator("#time").fill("08:15");
        await button(page, "Add event").click();
        await page.getByText("The event was added.").waitFor();
        const row = page.locator(".event", { hasText: title });
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
      },
    ));
}

mainPath("a calendar is previewed, subscribed to, changed, fetched again and unsubscribed", () =>
  visit({ path: "/account/subscriptions", allowedMessages: /400/ }, async ({ page }) => {
    served.feed.entries = null;
    await page.locator("#url").fill(FEED_URL);
    await button(page, "Show preview").click();
    assert.match(
      await page.getByRole("alert").innerText(),
      /leads to a web page, not to a calendar/,
    );
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
    assert.match(cells[1] ?? "", /Bücher zurückgeben[^]*Task[^]*no matching word/);
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
    await takeScreenshot(page, "subscriptions", { height: 820 });

    await entry.getByRole("link", { name: "Edit" }).click();
    await page.locator("#rules").fill("homework: Bücher");
    await button(page, "Save").click();
    await page.getByText("Saved.").waitFor();

    await entry.getByRole("button", { name: "Fetch now" }).click();
    await page.locator(".notice, .error").first().waitFor();
    await page.goto(`${served.origin}/account/events`);
    assert.match(await page.locator("main").innerText(), /Klausur Mathe[^]*From Stundenplan 10b/);
    await page.goto(`${served.origin}/account/subscriptions`);
    await entry.locator("summary", { hasText: "Unsubscribe" }).click();
    await button(page, /^Yes, unsubscribe/).click();
    await page.getByText("Unsubscribed.").waitFor();
    await page.getByText("No calendars yet.").waitFor();
  }),
);

function dayFromNow(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10).replaceAll("-", "");
}

suite("settings", () => {
  test("time zone and language are saved, and the zone of the device is offered", () =>
    visit({ path: "/account/settings", timezoneId: "Europe/Berlin" }, async ({ page }) => {
      await button(page, "Use the time zone of this device: Europe/Berlin").click();
      assert.equal(await page.locator("#timeZone").inputValue(), "Europe/Berlin");
      assert.equal(await page.locator("#device-zone").isVisible(), false);
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
    visit({ isSignedOut: true, path: "/sign-in", allowedMessages: /401/ }, async ({ page }) => {
      const other = await signInWithBrowser(browser, served.origin, BERT);
      await signIn(page, BERT);
      await page.waitForURL(`${served.origin}/`);
      await page.goto(`${served.origin}/account/settings`);
      const current = page.locator("#current-password");
      const fresh = page.locator("#new-password");
      await current.fill(BERT.password);
      await fresh.fill("too short");
      await button(page, "Change password").click();
      assert.match(await page.locator("#new-password-error").innerText(), /at least 12/);
      await current.fill("not the password");
      await fresh.fill("A new and longer one");
      await button(page, "Change password").click();
      await page
        .getByText("The current password is incorrect, or this attempt has expired.")
        .waitFor();
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

  test("without JavaScript everything but the password form works", () =>
    visit({ path: "/account/settings", javaScriptEnabled: false }, async ({ page }) => {
      await page.getByRole("heading", { name: "This page needs JavaScript" }).waitFor();
      assert.equal(await page.locator("#change-password").isVisible(), false);
      await button(page, "Save").click();
      await page.getByText("Your settings were saved.").waitFor();
    }));
});

test("the language switch stays on the page, and later pages keep the language", () =>
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

test("the consent page keeps the language of the sign-in", () =>
  visit({ isSignedOut: true, path: served.authorizeUrl(SCHEME_URI) }, async ({ page }) => {
    await page.getByRole("link", { name: "Deutsch" }).click();
    await signIn(page);
    await page.waitForURL("**/consent?**");
    assert.equal(await heading(page), `Darf ${APP_NAME} deine Termine lesen?`);
  }));

test("a form with a wrong CSRF token is refused", () =>
  visit({ path: "/account/events", allowedMessages: /403/ }, async ({ page }) => {
    if (!(await page.locator("#title").isVisible())) await page.locator("summary").first().click();
    await page.locator("[name=csrf]").last().waitFor({ state: "attached" });
    await page.evaluate(() => {
      for (const input of document.querySelectorAll<HTMLInputElement>("[name=csrf]")) {
        input.value = "forged";
      }
    });
    await page.locator("#title").fill("Forged");
    await button(page, "Add event").click();
    assert.equal(await heading(page), "This form has expired");
  }));

suite("axe-core finds no error, and no page is wider than the screen", () => {
  const pages = createEventsPages({ randomBytes: (n) => new Uint8Array(n), now: () => VIEWED_AT });
  const views = createPageViews("Donaudampfschifffahrtsgesellschaft 🌱");

  const BROAD = { width: 1100, height: 800 };

  /** Calls `check` on each view. */
  async function visitViews(
    lang: "de" | "en",
    options: PageOptions,
    check: (page: Page, view: string) => Promise<void>,
  ): Promise<void> {
    // Contrast cannot be measured during a colour transition.
    await using context = await browser.newContext({ reducedMotion: "reduce", ...options });
    const page = await context.newPage();
    await page.route("http://localhost/**", (route) => {
      const view = decodeURIComponent(new URL(route.request().url()).pathname.slice(1));
      const { headers, body } = views[view]?.(pages, lang) ?? { headers: {}, body: null };
      return route.fulfill({ status: 200, headers, body: String(body) });
    });
    for (const view of Object.keys(views)) {
      await page.goto(`http://localhost/${encodeURIComponent(view)}`);
      await page.evaluate(() => {
        for (const details of document.querySelectorAll("details")) details.open = true;
      });
      await check(page, view);
    }
  }

  test("en, 1100 px, and 320 px with text at twice its size", () =>
    visitViews("en", { viewport: BROAD }, async (page, view) => {
      assert.equal(await overflow(page), 0, view);
      assert.deepEqual(await findSmallControls(page), [], view);
      assert.deepEqual(await findAccessibilityErrors(page), [], view);
      await page.emulateMedia({ colorScheme: "dark" });
      assert.deepEqual(await findAccessibilityErrors(page, ["color-contrast"]), [], view);
      await page.emulateMedia({ colorScheme: "light" });
      await page.setViewportSize(NARROW);
      await doubleText(page);
      assert.equal(await overflow(page), 0, view);
      await page.setViewportSize(BROAD);
    }));

  // The words make no difference to axe-core.
  test("de, 320 px, dark, and with text at twice its size", () =>
    visitViews("de", { viewport: NARROW, colorScheme: "dark" }, async (page, view) => {
      assert.equal(await overflow(page), 0, view);
      assert.deepEqual(await findSmallControls(page), [], view);
      await doubleText(page);
      assert.equal(await overflow(page), 0, view);
    }));
});
