/** The docs in a real browser: every kind of page, light, dark, wide and narrow, and the search. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { renderDocs } from "../../site/render-docs.ts";
import { findAccessibilityErrors, NARROW, overflow, WIDE } from "./inspect-page.ts";
import { launchChromium, ONE_RENDERER } from "./launch-chromium.ts";
import { serveSite, type ServedSite } from "./serve-site.ts";

let browser: Browser;
let served: ServedSite;
before(async () => {
  [served, browser] = await Promise.all([
    serveSite(() => renderDocs(join(import.meta.dirname, "../.."))),
    launchChromium(ONE_RENDERER),
  ]);
});
after(async () => {
  await browser.close();
  await served[Symbol.asyncDispose]();
});

/** Closes the page, and fails when its console has an error, such as one of its policy. */
async function visit(
  path: string,
  look: (page: Page) => Promise<void>,
  options: { readonly javaScriptEnabled?: boolean } = {},
): Promise<void> {
  // Colours that fade to those of the other scheme would be measured on their way.
  const still = { reducedMotion: "reduce" } as const;
  const context = await browser.newContext({ viewport: WIDE, ...still, ...options });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(error.message));
  await page.goto(`${served.url}${path}`);
  await look(page);
  await context.close();
  assert.deepEqual(problems, [], path);
}

const KINDS = [
  "index.html",
  "docs/operate/backups.html",
  "docs/reference/configuration/release.html",
  "docs/reference/commands/store.html",
  "docs/quick-starts/de/publish-releases.html",
];

test("every kind of page is accessible, light and dark, and fits a phone", async () => {
  for (const path of KINDS) {
    await visit(path, async (page) => {
      assert.deepEqual(await findAccessibilityErrors(page), [], path);
      await page.emulateMedia({ colorScheme: "dark" });
      assert.deepEqual(await findAccessibilityErrors(page, ["color-contrast"]), [], path);
      await page.setViewportSize(NARROW);
      assert.equal(await overflow(page), 0, path);
      const rules = ["color-contrast", "scrollable-region-focusable", "target-size"];
      assert.deepEqual(await findAccessibilityErrors(page, rules), [], `${path}, narrow`);
    });
  }
});

test("a table of many columns is whole on a laptop, and a list that names its cells on a phone", async () => {
  await visit("docs/guides/add-sync-to-your-app.html", async (page) => {
    const scrolling = () =>
      page
        .locator(".table")
        .evaluateAll((all) => all.filter((table) => table.scrollWidth > table.clientWidth).length);
    assert.equal(await scrolling(), 0);
    await page.setViewportSize({ width: 390, height: 844 });
    assert.equal(await scrolling(), 0);
    const cell = page.locator("td[data-label='All rows, ms']").first();
    const label = await cell.evaluate((element) => getComputedStyle(element, "::before").content);
    assert.match(label, /All rows, ms/);
  });
});

test("the search opens with a key, finds the guide first and goes there by keyboard", async () => {
  await visit("docs/reference/configuration.html", async (page) => {
    assert.equal(await page.locator('script[src*="index"]').count(), 0);
    await page.keyboard.press("/");
    await page.getByRole("searchbox").fill("restore a backup");
    const results = page.locator("#search-results a");
    await results.first().waitFor();
    assert.deepEqual(await findAccessibilityErrors(page), []);
    await page.emulateMedia({ colorScheme: "dark" });
    assert.deepEqual(await findAccessibilityErrors(page, ["color-contrast"]), []);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    assert.equal(await results.nth(1).evaluate((link) => link === document.activeElement), true);
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/docs/operate/backups.html");
    await page.keyboard.press("Control+k");
    await page.getByRole("searchbox").fill("zzzzzz");
    await page.getByText("Nothing was found").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("searchbox").waitFor({ state: "hidden" });
  });
});

test("samples name their language, and a button copies them", async () => {
  await visit("docs/operate/backups.html", async (page) => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const sample = page.locator(".code").first();
    assert.equal(await sample.locator(".code-bar > span").textContent(), "JSON");
    await sample.getByRole("button", { name: "Copy" }).click();
    await sample.getByText("Copied").waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.equal(copied, await sample.locator("pre").textContent());
  });
});

test("the theme button goes from the system to light, dark and back, and every page keeps the choice", async () => {
  await visit("index.html", async (page) => {
    await page.emulateMedia({ colorScheme: "dark" });
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await background();
    const button = page.locator("#theme");
    await page.getByRole("button", { name: "Theme: as the system" }).click();
    await page.getByRole("button", { name: "Theme: light" }).waitFor();
    const light = await background();
    assert.notEqual(light, dark);
    await page.goto(`${served.url}docs/operate/backups.html`);
    assert.equal(await button.getAttribute("aria-label"), "Theme: light");
    assert.equal(await background(), light);
    assert.deepEqual(await findAccessibilityErrors(page, ["color-contrast"]), []);
    await button.click();
    assert.equal(await background(), dark);
    await button.click();
    await page.emulateMedia({ colorScheme: "light" });
    assert.equal(await background(), light);
  });
});

test("without a script, pages fold on a phone and have no search", async () => {
  const look = async (page: Page) => {
    assert.equal(await page.locator("#search-button").isVisible(), false);
    assert.equal(await page.locator(".contents a[aria-current]").isVisible(), true);
    await page.setViewportSize(NARROW);
    assert.equal(await page.locator(".contents a[aria-current]").isVisible(), false);
    await page.locator(".contents > summary").click();
    assert.equal(await page.locator(".contents a[aria-current]").isVisible(), true);
  };
  await visit("docs/operate/backups.html", look, { javaScriptEnabled: false });
});
