/** The quick start for sync, as printed, from an empty folder to a note on two devices, beside a running demo. */
import assert from "node:assert/strict";
import { cp, mkdir, readdir } from "node:fs/promises";
import { createServer } from "node:http";
import { basename, join } from "node:path";
import { test, type TestContext } from "node:test";
import type { Browser, Page } from "playwright-core";
import { findAccessibilityErrors, findSmallControls } from "../browser/inspect-page.ts";
import { launchChromium } from "../browser/launch-chromium.ts";
import { listenOnLocalhost } from "../fixtures/listen-on-localhost.ts";
import { packPackage } from "../fixtures/packed-package.ts";
import { runGuide } from "../fixtures/run-guide.ts";
import { startDemo } from "../service/start-trellis.ts";

test("the printed commands lead to a note on two devices, and Ctrl+C leaves nothing", async (t) => {
  await startDemo(t, ["--headless"]);
  let [temporary, link] = ["", ""];
  const { output } = await runGuide(t, {
    page: "quick-starts/add-sync-to-an-app.md",
    // The reader has packed the package in a checkout.
    async prepare(home) {
      temporary = join(home, "tmp");
      for (const name of ["tmp", "trellis"]) await mkdir(join(home, name));
      const { path } = await packPackage();
      await cp(path, join(home, "trellis", basename(path)));
      return { TMPDIR: temporary };
    },
    env: {
      NODE_DISABLE_COMPILE_CACHE: "1",
      npm_config_cache: process.env["npm_config_cache"] ?? join(process.env["HOME"] ?? "", ".npm"),
      npm_config_prefer_offline: "true",
    },
    async beforeStop(printed) {
      link = /^ {2}(http:\S+)$/m.exec(printed)?.[1] ?? "";
      await writeNotes(t, link);
    },
  });
  assert.match(output, /Stopped and removed the data/);
  await assert.rejects(fetch(link), TypeError);
  assert.deepEqual(await readdir(temporary), []);
});

async function writeNotes(t: TestContext, link: string): Promise<void> {
  const browser = await launchChromium();
  t.after(() => browser.close());
  const one = await openLink(browser, link);
  await add(one, "Buy milk");
  const other = await openLink(browser, link);
  await other.getByRole("listitem").filter({ hasText: "Buy milk" }).waitFor();
  await add(other, "Call Ada");
  await one.getByRole("listitem").filter({ hasText: "Call Ada" }).waitFor();
  assert.deepEqual(await findAccessibilityErrors(one), []);
  assert.deepEqual(await findSmallControls(one), []);
  await one.goto(await serveCopy(t, new URL("/notes/", link)));
  await one.getByRole("button", { name: "Sign in" }).click();
  await one.getByRole("listitem").filter({ hasText: "Call Ada" }).waitFor();
}

/** Each browser is a new one, without cookies. */
async function openLink(browser: Browser, link: string): Promise<Page> {
  const context = await browser.newContext({ reducedMotion: "reduce" });
  const page = await context.newPage();
  await page.goto(link);
  await page.getByRole("status").filter({ hasText: "All your devices have these notes" }).waitFor();
  assert.equal(await page.getByRole("button", { name: "Sign in" }).isVisible(), false);
  assert.equal(new URL(page.url()).hash, "");
  return page;
}

/** The page as a reader copies it to an app of their own, which may lie anywhere; its address. */
async function serveCopy(t: TestContext, notes: URL): Promise<string> {
  const original = await (await fetch(notes)).text();
  const copy = original.replace("baseUrl: location.origin", `baseUrl: "${notes.origin}"`);
  assert.notEqual(copy, original);
  const client = await (await fetch(new URL("client.js", notes))).text();
  const files: Readonly<Record<string, readonly [type: string, body: string]>> = {
    "/apps/notes.html": ["text/html", copy],
    "/apps/client.js": ["text/javascript", client],
  };
  const site = createServer(({ url = "" }, response) => {
    const [type, body] = files[url.split("?")[0] ?? ""] ?? ["text/plain", "Not found"];
    response.setHeader("Content-Type", type).end(body);
  });
  return `${await listenOnLocalhost(t, site)}/apps/notes.html`;
}

async function add(page: Page, text: string): Promise<void> {
  await page.getByLabel("New note").fill(text);
  await page.getByRole("button", { name: "Add" }).click();
}
