import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, suite } from "node:test";
import type { Browser, Page, Request } from "playwright-core";
import { deriveClientKey, deriveSaltedPassword } from "../../src/rules/identity/scram.ts";
import {
  doubleText,
  findAccessibilityErrors,
  findSmallControls,
  NARROW,
  overflow,
  WIDE,
} from "./inspect-page.ts";
import { launchChromium, ONE_RENDERER } from "./launch-chromium.ts";
import { mainPath, test } from "../groups/main-path.ts";
import { reusePages, type PageOptions, type UsePage } from "./reuse-pages.ts";
import { takeScreenshot } from "./take-screenshot.ts";
import {
  ACCOUNT,
  CODE,
  serveLogin,
  type LoginServer,
  type LoginServerOptions,
} from "./serve-login.ts";

declare global {
  interface Window {
    /** The texts of the status in order. */
    statuses: string[];
  }
}

const APP = "com.example.habits:/callback";

let browser: Browser;
let usePage: UsePage;
before(async () => {
  browser = await launchChromium(ONE_RENDERER);
  usePage = reusePages(browser);
});
after(() => browser.close());

interface VisitOptions extends PageOptions {
  readonly server?: LoginServerOptions;
  readonly path?: string;
  readonly lang?: "en" | "de";
  /** Expected console messages: browsers report every status that is no success. */
  readonly allowedMessages?: RegExp;
}

interface Visit {
  readonly page: Page;
  readonly server: LoginServer;
  readonly requests: Request[];
}

/** Opens the page; fails on a request to another origin and on any console message. */
async function visit(options: VisitOptions, check: (visit: Visit) => Promise<void>): Promise<void> {
  const { server: serverOptions, path = "/v1/authorize", lang = "en", ...rest } = options;
  const { allowedMessages = /^$/, ...pageOptions } = rest;
  await using server = await serveLogin(serverOptions);
  const messages: string[] = [];
  const requests: Request[] = [];
  await usePage(pageOptions, async (page) => {
    page.on("console", (message) => messages.push(message.text()));
    page.on("pageerror", (error) => messages.push(error.message));
    page.on("request", (request) => {
      requests.push(request);
      const { origin } = new URL(request.url());
      if (origin !== server.origin && origin !== "null") messages.push(`Request to ${origin}`);
    });
    await page.goto(`${server.origin}${path}?lang=${lang}`);
    await check({ page, server, requests });
  });
  assert.deepEqual(
    messages.filter((message) => !allowedMessages.test(message)),
    [],
  );
}

async function typeAndSubmit(page: Page, password = ACCOUNT.password): Promise<void> {
  await page.locator("#username").fill(ACCOUNT.username);
  await page.locator("#password").fill(password);
  await page.keyboard.press("Enter");
}

const errorText = (page: Page) => page.locator("#error").innerText();

async function waitForError(page: Page): Promise<string> {
  await page.locator("#error").waitFor({ state: "visible" });
  assert.equal(await page.evaluate(() => document.activeElement?.id), "error");
  return errorText(page);
}

mainPath("the right password leads back to the app with a code and the unchanged state", () =>
  visit({}, async ({ page, server }) => {
    await typeAndSubmit(page);
    await page.waitForURL("**/callback?**");
    const address = new URL(page.url());
    assert.equal(address.searchParams.get("app"), "1");
    assert.equal(address.searchParams.get("code"), CODE);
    assert.equal(address.searchParams.get("state"), server.state);
    assert.ok(page.url().startsWith(`${server.redirectUri}&code=`));
    assert.equal(server.callbacks.length, 1);
  }),
);

test("neither the password nor a key made from it is in any request", () =>
  visit({}, async ({ page, server, requests }) => {
    await typeAndSubmit(page);
    await page.waitForURL("**/callback?**");
    const traffic = requests
      .flatMap((request) => [
        request.url(),
        JSON.stringify(request.headers()),
        request.postData() ?? "",
      ])
      .join("\n")
      .toLowerCase();
    assert.equal(requests.filter((request) => request.method() === "POST").length, 2);
    assert.ok(traffic.includes('"action":"complete"'));
    for (const secret of await findSecrets(server)) {
      assert.ok(!traffic.includes(secret.toLowerCase()), secret);
    }
  }));

/** The password in several encodings, its usual hashes, and every key of the proof. */
async function findSecrets({ verifier }: LoginServer): Promise<string[]> {
  const { password } = ACCOUNT;
  const { salt, iterations, storedKey, serverKey } = verifier;
  const salted = await deriveSaltedPassword(password, salt, iterations);
  const texts = [password, password.normalize("NFD")].map((text) => Buffer.from(text, "utf8"));
  const utf16 = Buffer.from(password, "utf16le");
  const hashes = ["md5", "sha1", "sha256", "sha384", "sha512"].map((name) =>
    createHash(name).update(password).digest(),
  );
  const keys = [salted, await deriveClientKey(salted), storedKey, serverKey];
  const secrets = [...texts, utf16, ...hashes, ...keys.map((key) => Buffer.from(key))];
  const encodings = ["hex", "base64", "base64url"] as const;
  return [
    password,
    encodeURIComponent(password),
    JSON.stringify(password).slice(1, -1),
    ...secrets.flatMap((secret) =>
      encodings.map((encoding) => secret.toString(encoding).replace(/=+$/, "")),
    ),
  ];
}

test("the password field is empty and hidden before the proof is sent", () =>
  visit({}, async ({ page }) => {
    const seen: unknown[] = [];
    await page.route("**/v1/authorize", async (route) => {
      const { action } = JSON.parse(route.request().postData() ?? "{}") as { action: string };
      const field = await page.locator("#password").evaluate((input: HTMLInputElement) => ({
        length: input.value.length,
        type: input.type,
      }));
      seen.push({ action, ...field });
      await route.continue();
    });
    await page.getByRole("button", { name: "Show password" }).click();
    await typeAndSubmit(page);
    await page.waitForURL("**/callback?**");
    const { length } = ACCOUNT.password;
    assert.deepEqual(seen, [
      { action: "begin", length, type: "password" },
      { action: "complete", length: 0, type: "password" },
    ]);
  }));

test("a fragment is delivered as a fragment", () =>
  visit({ server: { delivery: "fragment" } }, async ({ page, server }) => {
    await typeAndSubmit(page);
    await page.waitForURL("**/callback?app=1#**");
    const fragment = new URLSearchParams(new URL(page.url()).hash.slice(1));
    assert.deepEqual(
      [...fragment],
      [
        ["code", CODE],
        ["state", server.state],
      ],
    );
  }));

test("a private-use scheme leaves a link back to the app in place of the form", () =>
  visit(
    { server: { redirectUri: APP }, allowedMessages: /com\.example\.habits/ },
    async ({ page, server, requests }) => {
      await typeAndSubmit(page);
      await page.getByRole("heading", { name: "You are signed in" }).waitFor();
      assert.equal(await page.evaluate(() => document.activeElement?.id), "done-title");
      const link = page.getByRole("link", { name: "Back to the app" });
      const query = new URLSearchParams({ code: CODE, state: server.state });
      const href = (await link.getAttribute("href")) ?? "";
      assert.ok(href.startsWith(`${APP}?code=`));
      assert.deepEqual([...new URL(href).searchParams], [...query]);
      assert.equal(await page.locator("#login").isVisible(), false);
      assert.equal(requests.filter((request) => request.method() === "POST").length, 2);
      assert.deepEqual(await findAccessibilityErrors(page), []);
    },
  ));

test("repeated clicks sign in once", () =>
  visit(
    { server: { redirectUri: APP }, allowedMessages: /com\.example\.habits/ },
    async ({ page, requests }) => {
      await page.locator("#username").fill(ACCOUNT.username);
      await page.locator("#password").fill(ACCOUNT.password);
      await page.evaluate(() => {
        const button = document.querySelector<HTMLButtonElement>("#submit");
        for (let click = 0; click < 5; click++) button?.click();
      });
      await page.locator("#done").waitFor({ state: "visible" });
      assert.equal(requests.filter((request) => request.method() === "POST").length, 2);
    },
  ));

test("a busy form shows its progress, and the button keeps its focus", () =>
  visit(
    { server: { redirectUri: APP }, allowedMessages: /com\.example\.habits/ },
    async ({ page }) => {
      await page.evaluate(() => {
        const status = document.querySelector("[role=status]")!;
        window.statuses = [];
        new MutationObserver(() => window.statuses.push(status.textContent)).observe(status, {
          childList: true,
        });
      });
      await page.route("**/v1/authorize", async (route) => {
        const submit = page.locator("#submit");
        assert.equal(await submit.getAttribute("aria-disabled"), "true");
        assert.equal(await submit.getAttribute("disabled"), null);
        assert.equal(await page.evaluate(() => document.activeElement?.id), "submit");
        await route.continue();
      });
      await page.locator("#username").fill(ACCOUNT.username);
      await page.locator("#password").fill(ACCOUNT.password);
      await page.locator("#submit").click();
      await page.locator("#done").waitFor({ state: "visible" });
      assert.deepEqual(await page.evaluate(() => window.statuses), [
        "Contacting the server …",
        "Preparing your password on this device. This takes a moment …",
        "Signing in …",
      ]);
    },
  ));

mainPath("a wrong password and an unknown name give the same error, and the name stays", () =>
  visit({ allowedMessages: /401/ }, async ({ page }) => {
    await typeAndSubmit(page, "not the password");
    const wrong = await waitForError(page);
    assert.match(wrong, /username or password is incorrect, or this sign-in has expired/);
    assert.equal(await page.locator("#username").inputValue(), ACCOUNT.username);
    assert.equal(await page.locator("#password").inputValue(), "");
    await page.locator("#username").fill("nobody");
    await page.locator("#password").fill(ACCOUNT.password);
    await page.locator("#submit").click();
    await page.locator("#submit:not([aria-disabled])").waitFor();
    assert.equal(await waitForError(page), wrong);
    await typeAndSubmit(page);
    await page.waitForURL("**/callback?**");
  }),
);

test("spaces at the ends of a password are significant", () =>
  visit({ allowedMessages: /401/ }, async ({ page }) => {
    await typeAndSubmit(page, ` ${ACCOUNT.password} `);
    assert.match(await waitForError(page), /incorrect/);
  }));

test("an empty form is not sent, and the first empty field shows its error", () =>
  visit({}, async ({ page, requests }) => {
    await page.locator("#submit").click();
    const username = page.locator("#username");
    assert.equal(await username.getAttribute("aria-invalid"), "true");
    assert.equal(await page.evaluate(() => document.activeElement?.id), "username");
    assert.equal(await page.locator("#username-error").innerText(), "Please enter your username.");
    assert.deepEqual(await findAccessibilityErrors(page), []);
    await username.fill("anna");
    await page.locator("#submit").click();
    assert.equal(await username.getAttribute("aria-invalid"), null);
    assert.equal(await page.evaluate(() => document.activeElement?.id), "password");
    assert.equal(requests.length, 1);
  }));

test("after too many failures the page counts down, then allows another attempt", () => {
  let blocked = true;
  const tamper: LoginServerOptions["tamper"] = (_, response) =>
    blocked ? { status: 429, headers: { "Retry-After": "3" }, body: {} } : response;
  return visit({ server: { tamper }, allowedMessages: /429/ }, async ({ page, requests }) => {
    await typeAndSubmit(page);
    const text = await waitForError(page);
    // What is announced names the time.
    const announced = await page.locator("[role=alert]").innerText();
    assert.match(announced, /Too many attempts\..* sign-in is paused for 3 seconds\./);
    assert.match(text, /You can try again in 3 seconds\./);
    const submit = page.locator("#submit");
    assert.equal(await submit.getAttribute("aria-disabled"), "true");
    await submit.click({ force: true });
    assert.equal(requests.filter((request) => request.method() === "POST").length, 1);
    // Outside the alert, so that screen readers do not announce every second.
    assert.equal(await page.locator("[role=alert] #countdown").count(), 0);
    await page.getByText("in 2 seconds").waitFor();
    blocked = false;
    await page.getByText("You can try again now.").waitFor();
    assert.equal(await page.locator("#error").isVisible(), false);
    assert.equal(await page.evaluate(() => document.activeElement?.id), "submit");
    await submit.click();
    await page.waitForURL("**/callback?**");
  });
});

test("the real throttle pauses the page after five failures", () =>
  visit({ allowedMessages: /401|429/ }, async ({ page }) => {
    for (let failure = 0; failure < 5; failure++) {
      await typeAndSubmit(page, `wrong password ${failure}`);
      await page.locator("#submit:not([aria-disabled])").waitFor();
      assert.match(await waitForError(page), /incorrect/);
    }
    await typeAndSubmit(page);
    await page.locator("#countdown").waitFor({ state: "visible" });
    assert.match(await waitForError(page), /You can try again in 1[0-5] seconds\./);
  }));

test("a sign-in that has expired gives the message of a wrong password", () => {
  const tamper: LoginServerOptions["tamper"] = (action, response) => {
    const expiresAt = new Date(Date.now() - 2000).toISOString();
    if (action === "begin") return { ...response, body: { ...response.body, expiresAt } };
    return { status: 401, body: { error: "authentication_failed" } };
  };
  return visit({ server: { tamper }, allowedMessages: /401/ }, async ({ page }) => {
    await typeAndSubmit(page);
    assert.match(await waitForError(page), /incorrect, or this sign-in has expired/);
  });
});

test("a browser that signed in before is not locked out by strangers", () =>
  visit({ allowedMessages: /401|429/ }, async ({ page, server }) => {
    const address = page.url();
    const sent: (string | undefined)[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST") sent.push(request.headers()["trellis-known-browser"]);
    });
    const readStored = () => page.evaluate(() => localStorage.getItem("trellis-known-browser"));
    await typeAndSubmit(page);
    await page.waitForURL("**/callback?**");
    await page.goto(address);
    const first = await readStored();
    assert.match(first ?? "", /^[\w-]{43}$/);
    await server.failAsUnknownClient(5);
    await typeAndSubmit(page);
    await page.waitForURL("**/callback?**");
    assert.deepEqual(sent, [undefined, undefined, first, first]);
    await page.goto(address);
    assert.notEqual(await readStored(), first);
    // Without its value, the browser is one of the strangers.
    await page.evaluate(() => localStorage.clear());
    await typeAndSubmit(page);
    await page.locator("#countdown").waitFor({ state: "visible" });
  }));

test("without a valid server signature the browser stays on the page", () => {
  const tamper: LoginServerOptions["tamper"] = (action, response) =>
    action === "begin"
      ? response
      : { ...response, body: { ...response.body, serverSignature: "A".repeat(43) } };
  return visit({ server: { tamper } }, async ({ page, server }) => {
    await typeAndSubmit(page);
    assert.match(await waitForError(page), /could not prove that it knows your account/);
    assert.equal(server.callbacks.length, 0);
    assert.equal(await page.evaluate(() => localStorage.length), 0);
  });
});

for (const iterations of [4096, 99_999, 10_000_001, "600000"]) {
  test(`a challenge of ${JSON.stringify(iterations)} iterations gets no proof`, () => {
    const tamper: LoginServerOptions["tamper"] = (_, response) => ({
      ...response,
      body: { ...response.body, iterations },
    });
    return visit({ server: { tamper } }, async ({ page, requests }) => {
      await typeAndSubmit(page);
      const expected = typeof iterations === "string" ? /could not process/ : /in an unsafe way/;
      assert.match(await waitForError(page), expected);
      assert.equal(requests.filter((request) => request.method() === "POST").length, 1);
    });
  });
}

for (const action of ["begin", "complete"]) {
  test(`a connection lost at ${action} is reported, and another attempt works`, () => {
    let lost = true;
    const tamper: LoginServerOptions["tamper"] = (at, response) =>
      lost && at === action ? null : response;
    return visit({ server: { tamper }, allowedMessages: /ERR_/ }, async ({ page }) => {
      await typeAndSubmit(page);
      assert.match(await waitForError(page), /cannot be reached/);
      lost = false;
      await typeAndSubmit(page);
      await page.waitForURL("**/callback?**");
    });
  });
}

test("a server error is shown with a reference for support", () => {
  const tamper: LoginServerOptions["tamper"] = () => ({ status: 503, body: {} });
  return visit({ server: { tamper }, allowedMessages: /503/ }, async ({ page }) => {
    await typeAndSubmit(page);
    assert.match(await waitForError(page), /could not process the request[^]*503 · req-1234/);
  });
});

for (const [lang, heading, open] of [
  ["en", "This page was opened at another address", "Open the page there"],
  ["de", "Diese Seite wurde unter einer anderen Adresse geöffnet", "Die Seite dort öffnen"],
] as const) {
  test(`a page that was opened at another host leads to its own and sends nothing (${lang})`, () =>
    visit({ lang, server: { baseUrl: "https://sync.example" } }, async ({ page, requests }) => {
      await page.getByRole("heading", { name: heading }).waitFor();
      await page.getByText("https://sync.example").waitFor();
      const link = page.getByRole("link", { name: open });
      assert.equal(await link.getAttribute("href"), "https://sync.example/");
      for (const id of ["login", "needs-script", "insecure"]) {
        assert.equal(await page.locator(`#${id}`).isVisible(), false, id);
      }
      assert.deepEqual(await findAccessibilityErrors(page), []);
      assert.deepEqual(await findSmallControls(page), []);
      assert.equal(requests.length, 1);
    }));
}

test("without a secure context the page explains itself and sends nothing", async () => {
  await using server = await serveLogin({ baseUrl: "http://sync.example" });
  await using context = await browser.newContext();
  const page = await context.newPage();
  const requests: string[] = [];
  // Without HTTPS only loopback is a secure context.
  await page.route("http://sync.example/**", async (route) => {
    requests.push(route.request().method());
    await route.fulfill({ response: await page.request.get(`${server.origin}/v1/authorize`) });
  });
  await page.goto("http://sync.example/v1/authorize");
  await page.getByRole("heading", { name: "This connection is not secure" }).waitFor();
  assert.equal(await page.locator("#login").isVisible(), false);
  assert.equal(await page.locator("#needs-script").isVisible(), false);
  assert.deepEqual(await findAccessibilityErrors(page), []);
  assert.deepEqual(requests, ["GET"]);
});

for (const [lang, heading] of [
  ["en", "This page needs JavaScript"],
  ["de", "Diese Seite braucht JavaScript"],
] as const) {
  test(`without JavaScript the page explains itself (${lang})`, () =>
    visit({ javaScriptEnabled: false, lang }, async ({ page, requests }) => {
      await page.getByRole("heading", { name: heading }).waitFor();
      assert.equal(await page.locator("#login").isVisible(), false);
      assert.equal(requests.length, 1);
    }));
}

test("the password can be shown, hidden and pasted", () =>
  visit({}, async ({ page }) => {
    const password = page.locator("#password");
    await password.focus();
    await page.evaluate((text) => {
      document.execCommand("insertText", false, text);
    }, ACCOUNT.password);
    assert.equal(await password.inputValue(), ACCOUNT.password);
    await page.getByRole("button", { name: "Show password" }).click();
    assert.equal(await password.getAttribute("type"), "text");
    await page.getByRole("button", { name: "Hide password" }).click();
    assert.equal(await password.getAttribute("type"), "password");
  }));

test("the keyboard reaches every control in reading order, and focus is visible", () =>
  visit({}, async ({ page }) => {
    const reached: string[] = [];
    for (let press = 0; press < 6; press++) {
      await page.keyboard.press("Tab");
      const [name, outline] = await page.evaluate(() => {
        const focused = document.activeElement ?? document.body;
        const { outlineWidth, outlineStyle } = getComputedStyle(focused);
        const name = focused.id === "" ? focused.textContent.trim() : focused.id;
        return [name, `${outlineWidth} ${outlineStyle}`] as const;
      });
      assert.equal(outline, "3px solid", name);
      reached.push(name);
    }
    assert.deepEqual(reached, [
      "English",
      "Deutsch",
      "username",
      "password",
      "password-reveal",
      "submit",
    ]);
  }));

test("the language switch leads to the other page and back", () =>
  visit({}, async ({ page }) => {
    await takeScreenshot(page, "sign-in", { height: 700 });
    await page.getByRole("link", { name: "Deutsch" }).click();
    assert.equal(await page.locator("html").getAttribute("lang"), "de");
    await page.getByRole("heading", { name: "Anmelden" }).waitFor();
    await takeScreenshot(page, "sign-in-de", { height: 700 });
    await page.getByRole("link", { name: "English" }).click();
    assert.equal(await page.locator("html").getAttribute("lang"), "en");
  }));

test("errors and waits of the German page are in German", () => {
  const tamper: LoginServerOptions["tamper"] = () => ({
    status: 429,
    headers: { "Retry-After": "75" },
    body: {},
  });
  return visit({ lang: "de", server: { tamper }, allowedMessages: /429/ }, async ({ page }) => {
    await typeAndSubmit(page);
    await page.getByText("Du kannst es in 1 Minute 14 Sekunden noch einmal versuchen.").waitFor();
  });
});

suite("axe-core finds no accessibility error", () => {
  for (const lang of ["en", "de"] as const) {
    test(`${lang}, wide and narrow, light and dark`, () => {
      const tamper: LoginServerOptions["tamper"] = () => ({
        status: 429,
        headers: { "Retry-After": "300" },
        body: {},
      });
      // Contrast cannot be measured during a colour transition.
      const settings = { lang, reducedMotion: "reduce", server: { tamper } } as const;
      return visit({ ...settings, allowedMessages: /429/ }, async ({ page, server }) => {
        const inspect = async (what: string) => {
          for (const viewport of [WIDE, NARROW]) {
            await page.setViewportSize(viewport);
            assert.equal(await overflow(page), 0, what);
          }
          // The words make no difference to it.
          if (lang === "de") return;
          assert.deepEqual(await findAccessibilityErrors(page), [], what);
          await page.emulateMedia({ colorScheme: "dark" });
          assert.deepEqual(await findAccessibilityErrors(page, ["color-contrast"]), [], what);
          await page.emulateMedia({ colorScheme: "light" });
        };
        await inspect("the form");
        await typeAndSubmit(page);
        await page.locator("#countdown").waitFor({ state: "visible" });
        await inspect("an error");
        await page.goto(`${server.origin}/error?lang=${lang}`);
        await inspect("an invalid request");
      });
    });
  }

  test("with forced colours", () =>
    visit({ forcedColors: "active" }, async ({ page }) => {
      assert.deepEqual(await findAccessibilityErrors(page), []);
    }));
});

test("nothing is wider than a screen of 320 pixels, and every control is 44 pixels high", () =>
  visit(
    { viewport: NARROW, lang: "de", server: { displayName: "W".repeat(60), redirectUri: APP } },
    async ({ page }) => {
      assert.equal(await overflow(page), 0);
      assert.deepEqual(await findSmallControls(page), []);
    },
  ));

for (const lang of ["en", "de"] as const) {
  test(`text at twice its size still fits, and so does a window zoomed to 400 % (${lang})`, () =>
    visit({ viewport: { width: 320, height: 256 }, lang }, async ({ page }) => {
      assert.equal(await overflow(page), 0);
      await doubleText(page);
      assert.equal(await overflow(page), 0);
      await page.goto(new URL(`/error?lang=${lang}`, page.url()).href);
      await doubleText(page);
      assert.equal(await overflow(page), 0, "error");
    }));
}

test("reduced motion has no animation", () =>
  visit({ reducedMotion: "reduce" }, async ({ page }) => {
    const animation = await page.evaluate(() => {
      document.querySelector("#login")?.classList.add("busy");
      return getComputedStyle(document.querySelector("#submit")!, "::after").animationName;
    });
    assert.equal(animation, "none");
  }));

test("the policy blocks foreign scripts", async () => {
  await assert.rejects(
    visit({}, async ({ page }) => {
      await page.evaluate(() => {
        const script = document.createElement("script");
        script.textContent = "document.title = 'Owned'";
        document.body.append(script);
      });
      assert.equal(await page.title(), "Sign in to Annas Notizen");
    }),
    /Content Security Policy/,
  );
});

test("hostile names are shown as text", () => {
  const displayName = `</title><img src=x onerror="document.title='Owned'"><b id=owned>`;
  return visit({ server: { displayName }, viewport: NARROW }, async ({ page }) => {
    assert.equal(await page.locator("#owned, img").count(), 0);
    assert.match(await page.title(), /^Sign in to <\/title><img/);
    assert.equal(await overflow(page), 0);
  });
});
