import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, suite, test } from "node:test";
import type { Browser, Page, Request } from "playwright-core";
import { deriveClientKey, deriveSaltedPassword } from "../../src/rules/identity/scram.ts";
import {
  findAccessibilityErrors,
  findSmallControls,
  NARROW,
  overflow,
  WIDE,
} from "./inspect-page.ts";
import { launchChromium } from "./launch-chromium.ts";
import { reusePages, type PageOptions, type UsePage } from "./reuse-pages.ts";
import {
  ACCOUNT,
  CODE,
  serveLogin,
  type LoginServer,
  type LoginServerOptions,
} from "./serve-login.ts";

declare global {
  interface Window {
    /** What the status said, one after another. */
    told: string[];
  }
}

const APP = "com.example.habits:/callback";

let browser: Browser;
let usePage: UsePage;
before(async () => {
  browser = await launchChromium();
  usePage = reusePages(browser);
});
after(() => browser.close());

interface PageSession extends PageOptions {
  readonly server?: LoginServerOptions;
  readonly path?: string;
  readonly lang?: "en" | "de";
  /** What the browser may complain about: it reports every status that is no success. */
  readonly mayComplain?: RegExp;
}

interface Visited {
  readonly page: Page;
  readonly server: LoginServer;
  readonly requests: Request[];
}

/** Opens the page and fails when it asks for anything foreign or complains about anything. */
async function visit(
  options: PageSession,
  look: (visited: Visited) => Promise<void>,
): Promise<void> {
  const { server: serverOptions, path = "/v1/authorize", lang = "en", ...rest } = options;
  const { mayComplain = /^$/, ...pageOptions } = rest;
  await using server = await serveLogin(serverOptions);
  const complaints: string[] = [];
  const requests: Request[] = [];
  await usePage(pageOptions, async (page) => {
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("request", (request) => {
      requests.push(request);
      const { origin } = new URL(request.url());
      if (origin !== server.origin && origin !== "null") complaints.push(`Asked for ${origin}`);
    });
    await page.goto(`${server.origin}${path}?lang=${lang}`);
    await look({ page, server, requests });
  });
  assert.deepEqual(
    complaints.filter((complaint) => !mayComplain.test(complaint)),
    [],
  );
}

async function typeAndSubmit(page: Page, password = ACCOUNT.password): Promise<void> {
  await page.locator("#username").fill(ACCOUNT.username);
  await page.locator("#password").fill(password);
  await page.keyboard.press("Enter");
}

const errorText = (page: Page) => page.locator("#problem").innerText();

async function waitForError(page: Page): Promise<string> {
  await page.locator("#problem").waitFor({ state: "visible" });
  assert.equal(await page.evaluate(() => document.activeElement?.id), "problem");
  return errorText(page);
}

test("the right password leads back to the app with a code and the unchanged state", () =>
  visit({}, async ({ page, server }) => {
    await typeAndSubmit(page);
    await page.waitForURL("**/callback?**");
    const address = new URL(page.url());
    assert.equal(address.searchParams.get("app"), "1");
    assert.equal(address.searchParams.get("code"), CODE);
    assert.equal(address.searchParams.get("state"), server.state);
    assert.ok(page.url().startsWith(`${server.redirectUri}&code=`));
    assert.equal(server.callbacks.length, 1);
  }));

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

/** The password as it could be written, its usual hashes, and every key of the exchange. */
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

test("an app's own scheme leaves the page with a way back and no form", () =>
  visit({ server: { redirectUri: APP }, mayComplain: /com\.example\.habits/ }, async (visited) => {
    const { page, server, requests } = visited;
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
  }));

test("impatient clicks sign in once", () =>
  visit({ server: { redirectUri: APP }, mayComplain: /com\.example\.habits/ }, async (visited) => {
    const { page, requests } = visited;
    await page.locator("#username").fill(ACCOUNT.username);
    await page.locator("#password").fill(ACCOUNT.password);
    await page.evaluate(() => {
      const button = document.querySelector<HTMLButtonElement>("#submit");
      for (let click = 0; click < 5; click++) button?.click();
    });
    await page.locator("#done").waitFor({ state: "visible" });
    assert.equal(requests.filter((request) => request.method() === "POST").length, 2);
  }));

test("while it works the page says so, and the button keeps its focus", () =>
  visit({ server: { redirectUri: APP }, mayComplain: /com\.example\.habits/ }, async ({ page }) => {
    await page.evaluate(() => {
      const status = document.querySelector("[role=status]")!;
      window.told = [];
      new MutationObserver(() => window.told.push(status.textContent)).observe(status, {
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
    assert.deepEqual(await page.evaluate(() => window.told), [
      "Contacting the server …",
      "Preparing the proof on this device. This takes a moment …",
      "Sending the proof …",
    ]);
  }));

test("a wrong password and an unknown name read the same, and the name stays", () =>
  visit({ mayComplain: /401/ }, async ({ page }) => {
    await typeAndSubmit(page, "not the password");
    const wrong = await waitForError(page);
    assert.match(wrong, /user name or the password is not right/);
    assert.equal(await page.locator("#username").inputValue(), ACCOUNT.username);
    assert.equal(await page.locator("#password").inputValue(), "");
    await page.locator("#username").fill("nobody");
    await page.locator("#password").fill(ACCOUNT.password);
    await page.locator("#submit").click();
    await page.locator("#submit:not([aria-disabled])").waitFor();
    assert.equal(await waitForError(page), wrong);
    await typeAndSubmit(page);
    await page.waitForURL("**/callback?**");
  }));

test("spaces at the ends of a password belong to it", () =>
  visit({ mayComplain: /401/ }, async ({ page }) => {
    await typeAndSubmit(page, ` ${ACCOUNT.password} `);
    assert.match(await waitForError(page), /not right/);
  }));

test("an empty form is not sent, and the first empty field says what it wants", () =>
  visit({}, async ({ page, requests }) => {
    await page.locator("#submit").click();
    const username = page.locator("#username");
    assert.equal(await username.getAttribute("aria-invalid"), "true");
    assert.equal(await page.evaluate(() => document.activeElement?.id), "username");
    assert.equal(
      await page.locator("#username-problem").innerText(),
      "Please enter your user name.",
    );
    assert.deepEqual(await findAccessibilityErrors(page), []);
    await username.fill("anna");
    await page.locator("#submit").click();
    assert.equal(await username.getAttribute("aria-invalid"), null);
    assert.equal(await page.evaluate(() => document.activeElement?.id), "password");
    assert.equal(requests.length, 1);
  }));

test("after too many failures the page counts down, then lets the person try again", () => {
  let blocked = true;
  const spoil: LoginServerOptions["spoil"] = (_, answer) =>
    blocked ? { status: 429, headers: { "Retry-After": "3" }, body: {} } : answer;
  return visit({ server: { spoil }, mayComplain: /429/ }, async ({ page, requests }) => {
    await typeAndSubmit(page);
    const text = await waitForError(page);
    assert.match(text, /Too many failed attempts/);
    assert.match(text, /You can try again in 3 seconds\./);
    const submit = page.locator("#submit");
    assert.equal(await submit.getAttribute("aria-disabled"), "true");
    await submit.click({ force: true });
    assert.equal(requests.filter((request) => request.method() === "POST").length, 1);
    // Seconds are shown but not read out: what ticks stands outside of the alert.
    assert.equal(await page.locator("[role=alert] #countdown").count(), 0);
    await page.getByText("in 2 seconds").waitFor();
    blocked = false;
    await page.getByText("You can try again now.").waitFor();
    assert.equal(await page.locator("#problem").isVisible(), false);
    assert.equal(await page.evaluate(() => document.activeElement?.id), "submit");
    await submit.click();
    await page.waitForURL("**/callback?**");
  });
});

test("the real throttle pauses the page after five failures", () =>
  visit({ mayComplain: /401|429/ }, async ({ page }) => {
    for (let failure = 0; failure < 5; failure++) {
      await typeAndSubmit(page, `wrong password ${failure}`);
      await page.locator("#submit:not([aria-disabled])").waitFor();
      assert.match(await waitForError(page), /not right/);
    }
    await typeAndSubmit(page);
    await page.locator("#countdown").waitFor({ state: "visible" });
    assert.match(await waitForError(page), /You can try again in 1[0-5] seconds\./);
  }));

test("an answer that comes too late is explained as such", () => {
  const spoil: LoginServerOptions["spoil"] = (action, answer) => {
    const expiresAt = new Date(Date.now() - 2000).toISOString();
    if (action === "begin") return { ...answer, body: { ...answer.body, expiresAt } };
    return { status: 401, body: { error: "authentication_failed" } };
  };
  return visit({ server: { spoil }, mayComplain: /401/ }, async ({ page }) => {
    await typeAndSubmit(page);
    assert.match(await waitForError(page), /That took too long/);
  });
});

test("a server that cannot sign is not trusted, and the browser stays", () => {
  const spoil: LoginServerOptions["spoil"] = (action, answer) =>
    action === "begin"
      ? answer
      : { ...answer, body: { ...answer.body, serverSignature: "A".repeat(43) } };
  return visit({ server: { spoil } }, async ({ page, server }) => {
    await typeAndSubmit(page);
    assert.match(await waitForError(page), /could not prove that it knows your account/);
    assert.equal(server.callbacks.length, 0);
  });
});

for (const iterations of [4096, 99_999, 10_000_001, "600000"]) {
  test(`a challenge of ${JSON.stringify(iterations)} iterations gets no proof`, () => {
    const spoil: LoginServerOptions["spoil"] = (_, answer) => ({
      ...answer,
      body: { ...answer.body, iterations },
    });
    return visit({ server: { spoil } }, async ({ page, requests }) => {
      await typeAndSubmit(page);
      const expected = typeof iterations === "string" ? /could not handle/ : /unsafe way/;
      assert.match(await waitForError(page), expected);
      assert.equal(requests.filter((request) => request.method() === "POST").length, 1);
    });
  });
}

for (const action of ["begin", "complete"]) {
  test(`a connection lost at ${action} is told, and trying again works`, () => {
    let lost = true;
    const spoil: LoginServerOptions["spoil"] = (at, answer) =>
      lost && at === action ? null : answer;
    return visit({ server: { spoil }, mayComplain: /ERR_/ }, async ({ page }) => {
      await typeAndSubmit(page);
      assert.match(await waitForError(page), /cannot be reached/);
      lost = false;
      await typeAndSubmit(page);
      await page.waitForURL("**/callback?**");
    });
  });
}

test("a server in trouble gives a number for whoever runs it", () => {
  const spoil: LoginServerOptions["spoil"] = () => ({ status: 503, body: {} });
  return visit({ server: { spoil }, mayComplain: /503/ }, async ({ page }) => {
    await typeAndSubmit(page);
    assert.match(await waitForError(page), /could not handle this[^]*503 · req-1234/);
  });
});

test("without a secure context the page explains itself and sends nothing", async () => {
  await using server = await serveLogin();
  await using context = await browser.newContext();
  const page = await context.newPage();
  const requests: string[] = [];
  // Any address but loopback is no secure context without HTTPS.
  await page.route("http://sync.example/**", async (route) => {
    requests.push(route.request().method());
    await route.fulfill({ response: await page.request.get(`${server.origin}/v1/authorize`) });
  });
  await page.goto("http://sync.example/v1/authorize");
  await page.getByRole("heading", { name: "This connection is not safe" }).waitFor();
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
    await page.getByRole("link", { name: "Deutsch" }).click();
    assert.equal(await page.locator("html").getAttribute("lang"), "de");
    await page.getByRole("heading", { name: "Anmelden" }).waitFor();
    await page.getByRole("link", { name: "English" }).click();
    assert.equal(await page.locator("html").getAttribute("lang"), "en");
  }));

test("the German page speaks German, problems and waits included", () => {
  const spoil: LoginServerOptions["spoil"] = () => ({
    status: 429,
    headers: { "Retry-After": "75" },
    body: {},
  });
  return visit({ lang: "de", server: { spoil }, mayComplain: /429/ }, async ({ page }) => {
    await typeAndSubmit(page);
    await page.getByText("Du kannst es in 1 Minute 14 Sekunden wieder versuchen.").waitFor();
  });
});

suite("the pages have no accessibility fault axe-core can find", () => {
  for (const lang of ["en", "de"] as const) {
    test(`${lang}, wide and narrow, light and dark`, () => {
      const spoil: LoginServerOptions["spoil"] = () => ({
        status: 429,
        headers: { "Retry-After": "300" },
        body: {},
      });
      // Colours that are still on their way to the other scheme have no contrast to speak of.
      const settings = { lang, reducedMotion: "reduce", server: { spoil } } as const;
      return visit({ ...settings, mayComplain: /429/ }, async ({ page, server }) => {
        const check = async (what: string) => {
          for (const viewport of [WIDE, NARROW]) {
            await page.setViewportSize(viewport);
            assert.deepEqual(await findAccessibilityErrors(page), [], what);
            assert.equal(await overflow(page), 0, what);
          }
          await page.emulateMedia({ colorScheme: "dark" });
          assert.deepEqual(await findAccessibilityErrors(page, ["color-contrast"]), [], what);
          await page.emulateMedia({ colorScheme: "light" });
        };
        await check("the form");
        await typeAndSubmit(page);
        await page.locator("#countdown").waitFor({ state: "visible" });
        await check("a problem");
        await page.goto(`${server.origin}/problem?lang=${lang}`);
        await check("a wrong request");
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

test("text at twice its size still fits, and so does a window zoomed to 400 %", async () => {
  await visit({ viewport: { width: 320, height: 256 } }, async ({ page }) => {
    assert.equal(await overflow(page), 0);
    await page.evaluate(() => {
      document.documentElement.style.fontSize = "200%";
    });
    assert.equal(await overflow(page), 0);
  });
});

test("who wants less motion gets none", () =>
  visit({ reducedMotion: "reduce" }, async ({ page }) => {
    const animation = await page.evaluate(() => {
      document.querySelector("#login")?.classList.add("busy");
      return getComputedStyle(document.querySelector("#submit")!, "::after").animationName;
    });
    assert.equal(animation, "none");
  }));

test("the policy stops what does not belong to the page", async () => {
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

test("hostile names are shown as text and run nothing", () => {
  const displayName = `</title><img src=x onerror="document.title='Owned'"><b id=owned>`;
  return visit({ server: { displayName }, viewport: NARROW }, async ({ page }) => {
    assert.equal(await page.locator("#owned, img").count(), 0);
    assert.match(await page.title(), /^Sign in to <\/title><img/);
    assert.equal(await overflow(page), 0);
  });
});
