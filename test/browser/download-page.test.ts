import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, suite } from "node:test";
import type { Browser, Page } from "playwright-core";
import type { Release } from "../../src/contract/release/schemas.ts";
import type { Site } from "../../src/rules/release/site/validate-site.ts";
import { buildDownloadSite } from "../../src/web/download/build-download-site.ts";
import {
  betaRelease,
  catalogReleases,
  FILES_ORIGIN,
  MEDIA_ORIGIN,
  stableRelease,
} from "../fixtures/release-catalog.ts";
import { findAccessibilityErrors, NARROW, overflow, WIDE } from "./inspect-page.ts";
import { launchChromium, ONE_RENDERER } from "./launch-chromium.ts";
import { mainPath, test } from "../groups/main-path.ts";
import { createTheme } from "../fixtures/site-theme.ts";
import { reusePages, type PageOptions, type UsePage } from "./reuse-pages.ts";
import { takeScreenshot } from "./take-screenshot.ts";
import { serveSite } from "./serve-site.ts";

const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const AGENTS = {
  windows:
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36",
  mac: "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15",
  iphone:
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
};

let browser: Browser;
let usePage: UsePage;
before(async () => {
  browser = await launchChromium(ONE_RENDERER);
  usePage = reusePages(browser);
});
after(() => browser.close());

interface VisitOptions extends PageOptions {
  readonly releases?: readonly Release[];
  readonly productName?: string;
  readonly site?: Site;
  readonly path?: string;
  readonly sendHeaders?: boolean;
}

/** Opens the page; fails on a request to another origin and on any console message. */
async function visit(options: VisitOptions, check: (page: Page) => Promise<void>): Promise<void> {
  const { releases = catalogReleases, productName = "Habits", path = "", ...rest } = options;
  const { sendHeaders = true, site = null, ...pageOptions } = rest;
  await using served = await serveSite(
    (websiteUrl) =>
      buildDownloadSite({
        productName,
        product: "habits",
        site,
        releases,
        smartDownloadUrl: "https://get.example.com",
        websiteUrl,
        apiBaseUrl: "https://releases.example.com",
        now: Date.UTC(2026, 8, 5),
        sha256: (text) => createHash("sha256").update(text).digest("base64"),
      }),
    { sendHeaders },
  );
  const messages: string[] = [];
  await usePage({ userAgent: AGENTS.windows, ...pageOptions }, async (page) => {
    page.on("console", (message) => messages.push(message.text()));
    page.on("pageerror", (error) => messages.push(error.message));
    await page.route(
      (url) => url.origin !== new URL(served.url).origin,
      (route) => {
        const address = route.request().url();
        if (address.startsWith(`${MEDIA_ORIGIN}/`)) {
          return route.fulfill({ contentType: "image/png", body: PIXEL });
        }
        messages.push(`Request to ${address}`);
        return route.abort();
      },
    );
    await page.goto(`${served.url}${path}`);
    await check(page);
  });
  assert.deepEqual(messages, []);
}

async function openAllDetails(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const details of document.querySelectorAll("details")) details.open = true;
  });
}

suite("axe-core finds no accessibility error", () => {
  // The words make no difference to it.
  test("wide and narrow, light and dark", () =>
    // Contrast cannot be measured during a colour transition.
    visit({ reducedMotion: "reduce" }, async (page) => {
      await openAllDetails(page);
      for (const viewport of [WIDE, NARROW]) {
        await page.setViewportSize(viewport);
        assert.deepEqual(await findAccessibilityErrors(page), []);
      }
      await page.emulateMedia({ colorScheme: "dark" });
      assert.deepEqual(await findAccessibilityErrors(page, ["color-contrast"]), []);
    }));

  test("with a theme of the maker, light and dark and without a presentation", () => {
    const { presentation: _, ...untold } = stableRelease;
    const theme = { site: createTheme(), productName: "Steady", releases: [untold] };
    return visit({ ...theme, reducedMotion: "reduce" }, async (page) => {
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        assert.deepEqual(await findAccessibilityErrors(page), []);
      }
      await page.setViewportSize(NARROW);
      assert.equal(await overflow(page), 0);
      const shown = await page.evaluate(() =>
        Promise.all(
          [...document.images].map(async (image) => {
            image.loading = "eager";
            await image.decode();
            return image.currentSrc.replace(/;base64,.*|.*\/(?=[^/]+\.png$)/, "");
          }),
        ),
      );
      assert.deepEqual(shown, ["data:image/svg+xml", "phone.png", "desk-dark.png"]);
    });
  });

  test("with all details closed", () =>
    visit({}, async (page) => {
      assert.deepEqual(await findAccessibilityErrors(page), []);
    }));

  test("without any release", () =>
    visit({ releases: [] }, async (page) => {
      assert.deepEqual(await findAccessibilityErrors(page), []);
    }));

  test("with a beta only", () =>
    visit({ releases: [betaRelease] }, async (page) => {
      assert.deepEqual(await findAccessibilityErrors(page), []);
    }));

  test("with a superseded beta", () =>
    visit({ releases: [stableRelease, { ...betaRelease, buildNumber: 9 }] }, async (page) => {
      assert.deepEqual(await findAccessibilityErrors(page), []);
    }));
});

test("nothing is wider than a screen of 320 pixels, with details open or closed", async () => {
  for (const path of ["", "de/"]) {
    await visit({ path, viewport: NARROW }, async (page) => {
      assert.equal(await overflow(page), 0);
      await openAllDetails(page);
      assert.equal(await overflow(page), 0);
    });
  }
});

test("every control is at least 44 pixels high, except links within a sentence", () =>
  visit({ viewport: NARROW }, async (page) => {
    await openAllDetails(page);
    const small = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>("a, button, summary")]
        .filter((control) => !control.closest(".intro, .skip"))
        .filter((control) => control.getBoundingClientRect().height < 44)
        .map((control) => control.textContent.trim()),
    );
    assert.deepEqual(small, []);
  }));

mainPath("the script shows the file for the visitor's platform", () =>
  visit({}, async (page) => {
    const button = page.locator("#download-button");
    assert.match(
      await button.innerText(),
      /Download for Windows\s+Version 2\.4\.0 · 64-bit Intel and AMD · 61\.4 MB/,
    );
    assert.equal(await button.getAttribute("href"), `${FILES_ORIGIN}/2.4.0/habits-2.4.0-x64.exe`);
    await takeScreenshot(page, "download-page");
  }),
);

const ARM_LINUX = "Mozilla/5.0 (X11; Linux aarch64; rv:153.0) Gecko/20100101 Firefox/153.0";
const isForArm = ({ architecture }: { architecture: string }) => architecture === "arm64";

test("Linux on ARM gets the file for its processor, or is told that there is none", async () => {
  const button = (page: Page) => page.locator("#download-button");
  await visit({ userAgent: ARM_LINUX }, async (page) => {
    const text = await button(page).innerText();
    assert.match(text, /See all files\s+There is no file for your processor yet/);
    assert.equal(await button(page).getAttribute("href"), "#files");
  });
  const usual = stableRelease.artifacts.find(({ platform }) => platform === "linux");
  assert.ok(usual);
  const url = `${FILES_ORIGIN}/2.4.0/habits.aarch64.AppImage`;
  const own = { ...usual, architecture: "aarch64", fileName: "habits.aarch64.AppImage", url };
  const release = { ...stableRelease, artifacts: [...stableRelease.artifacts, own] };
  await visit({ userAgent: ARM_LINUX, releases: [release] }, async (page) => {
    const text = await button(page).innerText();
    assert.match(text, /Download for Linux\s+Version 2\.4\.0 · 64-bit ARM · 72\.9 MB/);
    assert.equal(await button(page).getAttribute("href"), own.url);
  });
});

test("Windows on ARM, which Chromium tells a page that asks, gets its own file or the one that it emulates", async () => {
  const { artifacts } = stableRelease;
  const emulated = { ...stableRelease, artifacts: artifacts.filter((file) => !isForArm(file)) };
  for (const [releases, text] of [
    [catalogReleases, /Download for Windows\s+Version 2\.4\.0 · 64-bit ARM · 59\.1 MB/],
    [[emulated], /Download for Windows\s+For Intel and AMD\. It also runs on Windows 11 for ARM\./],
  ] as const) {
    await visit({ releases, userAgent: `${AGENTS.windows} Test` }, async (page) => {
      const session = await page.context().newCDPSession(page);
      await session.send("Emulation.setUserAgentOverride", {
        userAgent: AGENTS.windows,
        userAgentMetadata: {
          platform: "Windows",
          platformVersion: "15.0.0",
          architecture: "arm",
          bitness: "64",
          model: "",
          mobile: false,
        },
      });
      await page.reload();
      await page.locator("#download-button", { hasText: text }).waitFor();
    });
  }
});

test("the script uses the language of the page", () =>
  visit({ path: "de/", userAgent: AGENTS.mac }, async (page) => {
    const text = await page.locator("#download-button").innerText();
    assert.match(text, /Für macOS herunterladen\s+Version 2\.4\.0 · 88,1 MB/);
    await takeScreenshot(page, "download-page-de");
  }));

const APPLE_DEVICES = [{ userAgent: AGENTS.iphone }, { userAgent: AGENTS.mac, hasTouch: true }];

test("owners of an iPhone or iPad are told that there is no app, and see the files", async () => {
  for (const device of APPLE_DEVICES) {
    await visit(device, async (page) => {
      const note = page.getByText("Habits is not available for iPhone and iPad yet");
      assert.ok(await note.isVisible());
      const button = page.locator("#download-button");
      assert.equal(await button.innerText(), "See all files");
      await button.click();
      assert.equal(new URL(page.url()).hash, "#files");
    });
  }
});

test("owners of an iPhone are offered the store, others are told nothing about it", async () => {
  const site = createTheme();
  await visit({ userAgent: AGENTS.iphone, site }, async (page) => {
    const button = page.locator("#download-button");
    assert.match(await button.innerText(), /App Store\s+The app for iPhone and iPad/);
    assert.equal(await button.getAttribute("href"), "https://apps.apple.com/app/id1");
  });
  await visit({}, async (page) => {
    assert.equal(await page.locator("#ios-note").isVisible(), false);
  });
});

test("a checksum and a command can be copied, and the page says that they were", () =>
  visit({ permissions: ["clipboard-read", "clipboard-write"] }, async (page) => {
    const name = "habits-2.4.0.dmg";
    const { sha256 } = stableRelease.artifacts.find(({ fileName }) => fileName === name)!;
    const pasted = () => page.evaluate(() => navigator.clipboard.readText());
    await page.getByRole("button", { name: `Copy the checksum of ${name}`, exact: true }).click();
    await page.getByText("Copied", { exact: true }).first().waitFor();
    assert.equal(await pasted(), sha256);
    assert.equal(await page.getByRole("status").innerText(), "Copied");
    await page.getByRole("button", { name: `Copy the command for ${name}` }).click();
    assert.equal(await pasted(), `shasum -a 256 ${name}`);
  }));

test("a visitor who prefers German is led there once, and can choose English", () =>
  visit({ locale: "de-DE", path: "?utm=1#files" }, async (page) => {
    await page.waitForURL(/\/de\/\?utm=1#files$/);
    assert.equal(await page.locator("html").getAttribute("lang"), "de");
    await page.getByRole("link", { name: "English" }).click();
    await page.waitForURL(/\/\?lang=en$/);
    assert.equal(await page.locator("html").getAttribute("lang"), "en");
    await page.reload();
    assert.equal(await page.locator("html").getAttribute("lang"), "en");
  }));

mainPath("without JavaScript the page is complete and the button links to the smart download", () =>
  visit({ javaScriptEnabled: false }, async (page) => {
    const button = page.locator("#download-button");
    assert.match(await button.innerText(), /Download for your system/);
    assert.equal(await button.getAttribute("href"), "https://get.example.com/");
    const files = stableRelease.artifacts.filter(({ distribution }) => distribution !== "play");
    assert.equal(await page.locator("#files code").count(), files.length + 4);
    assert.equal(await page.locator(".copy:visible").count(), 0);
    assert.ok(await page.getByText("There is no version for iPhone and iPad yet").isVisible());
    await page.getByText("2.3.0", { exact: true }).click();
    assert.ok(await page.getByText("habits-2.3.0.dmg", { exact: true }).isVisible());
  }),
);

test("the policy in the page allows its style, script and pictures", () =>
  // `visit` fails on the console message of a violation.
  visit({ sendHeaders: false }, async (page) => {
    assert.match(await page.locator("#download-button").innerText(), /Windows/);
    const picture = page.locator(".pictured img").first();
    await picture.scrollIntoViewIfNeeded();
    await picture.evaluate((image: HTMLImageElement) => image.decode());
    const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    assert.notEqual(background, "rgba(0, 0, 0, 0)");
  }));

test("the policy in the page blocks foreign scripts", async () => {
  await assert.rejects(
    visit({ sendHeaders: false }, async (page) => {
      await page.evaluate(() => {
        const script = document.createElement("script");
        script.textContent = "document.title = 'Owned'";
        document.body.append(script);
      });
      assert.notEqual(await page.title(), "Owned");
    }),
    /Content Security Policy/,
  );
});

test("the keyboard reaches every control in reading order, and focus is visible", () =>
  visit({}, async (page) => {
    const expected = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>("a, button, summary")]
        .filter((control) => control.checkVisibility())
        .map((control) => control.textContent.trim()),
    );
    const reached: string[] = [];
    for (const _ of expected) {
      await page.keyboard.press("Tab");
      const [text, outline] = await page.evaluate(() => {
        const focused = document.activeElement ?? document.body;
        return [focused.textContent.trim(), getComputedStyle(focused).outlineWidth] as const;
      });
      assert.equal(outline, "3px", text);
      reached.push(text);
    }
    assert.deepEqual(reached, expected);
  }));

test("a link to an earlier release opens it", () =>
  visit({ path: "#release-2.2.0" }, async (page) => {
    await page.getByText("habits-2.2.0.dmg", { exact: true }).waitFor({ state: "visible" });
    assert.equal(await page.getByText("habits-2.3.0.dmg", { exact: true }).isVisible(), false);
  }));

test("the language switch leads to the other page and back", () =>
  visit({}, async (page) => {
    await page.getByRole("link", { name: "Deutsch" }).click();
    assert.equal(await page.locator("html").getAttribute("lang"), "de");
    await page.getByRole("link", { name: "English" }).click();
    assert.equal(await page.locator("html").getAttribute("lang"), "en");
  }));

test("the feeds are well-formed and have what Atom requires (RFC 4287 4.1)", () =>
  visit({}, async (page) => {
    for (const path of ["feed.atom", "de/feed.atom"]) {
      const response = await page.request.get(new URL(path, page.url()).href);
      const feed = await page.evaluate(
        (text) => {
          const root = new DOMParser().parseFromString(text, "application/xml").documentElement;
          const names = (element: Element) =>
            [...element.children].map(({ localName }) => localName);
          const entries = [...root.children].filter(({ localName }) => localName === "entry");
          const ids = entries.map((entry) => entry.querySelector("id")?.textContent);
          return {
            root: `${root.namespaceURI} ${root.localName}`,
            children: names(root).filter((name) => name !== "entry"),
            entries: entries.map(names),
            distinctIds: new Set(ids).size,
          };
        },
        await response.text(),
      );
      const members = ["id", "title", "published", "updated", "link", "summary", "content"];
      assert.deepEqual(feed, {
        root: "http://www.w3.org/2005/Atom feed",
        children: ["id", "title", "updated", "author", "link", "link"],
        entries: [members, members, members, members.filter((name) => name !== "summary")],
        distinctIds: 4,
      });
    }
  }));

test("the markup is valid: no element moves when parsed, and every id is unique", async () => {
  for (const releases of [catalogReleases, [betaRelease], []]) {
    await visit({ releases }, async (page) => {
      const source = await (await page.request.get(page.url())).text();
      const written = source
        .replace(/(<(style|script)>)[^]*?(<\/\2>)/g, "$1$3")
        .matchAll(/<([a-z][a-z0-9]*)/g);
      // The parser moves or doubles an element in an invalid place.
      const parsed = await page.evaluate(() => ({
        names: [...document.querySelectorAll("*")].map(({ localName }) => localName),
        ids: [...document.querySelectorAll("[id]")].map(({ id }) => id),
      }));
      assert.deepEqual(
        parsed.names,
        [...written].map(([, name]) => name),
      );
      assert.equal(new Set(parsed.ids).size, parsed.ids.length);
    });
  }
});

test("hostile text is shown as text and breaks no layout", () => {
  const hostile = `</style></title><img src=x onerror="document.title='Owned'"><b id=owned>\u202e`;
  const presentation = stableRelease.presentation!.en;
  const highlight = {
    ...presentation.highlights[0]!,
    title: hostile,
    description: "W".repeat(900),
  };
  const hostilePresentation = {
    ...presentation,
    headline: "X".repeat(400),
    summary: hostile,
    highlights: [highlight],
  };
  const release = {
    ...stableRelease,
    presentation: { en: hostilePresentation, de: hostilePresentation },
  };
  return visit({ releases: [release], productName: hostile, viewport: NARROW }, async (page) => {
    assert.equal(await page.locator("#owned").count(), 0);
    assert.equal(await page.locator("img[src=x]").count(), 0);
    assert.match(await page.title(), /<\/style><\/title><img/);
    assert.equal(await page.locator(".summary").first().innerText(), hostile.slice(0, -1));
    assert.equal(await overflow(page), 0);
  });
});
