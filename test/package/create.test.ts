/** From nothing to two devices with two commands: `trellis create` of the packed package, and `npm run dev`. */
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test, type TestContext } from "node:test";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright-core";
import { launchChromium } from "../browser/launch-chromium.ts";
import { packPackage } from "../fixtures/packed-package.ts";

const run = promisify(execFile);

let home: string;
let browser: Browser;
/** What the first command prints, which has no installed package yet. */
let printed: string;
before(async () => {
  home = await mkdtemp(join(tmpdir(), "trellis-create-"));
  browser = await launchChromium();
  const { path } = await packPackage();
  const words = ["--yes", "--prefer-offline", "--package", path, "trellis", "create", "my-notes"];
  ({ stdout: printed } = await run("npx", words, { cwd: home, env: ENV }));
});
after(async () => {
  await browser.close();
  await rm(home, { recursive: true, force: true });
});

const ENV = { ...process.env, npm_config_prefer_offline: "true" };

/** By the package in the app that the first command has made. */
async function create(...words: string[]): Promise<void> {
  const program = join(home, "my-notes/node_modules/.bin/trellis");
  await run(program, ["create", ...words], { cwd: home, env: ENV });
}

test("two commands make an app whose notes reach a second device", async (t) => {
  assert.match(printed, /\n {2}cd my-notes\n {2}npm run dev\n$/);
  const link = await startApp(t, join(home, "my-notes"));
  const one = await openNotes(t, link);
  await add(one, "New note", "Buy milk");
  const other = await openNotes(t, link);
  await other.getByRole("listitem").filter({ hasText: "Buy milk" }).waitFor();
});

async function openNotes(t: TestContext, link: string): Promise<Page> {
  const page = await openLink(t, link);
  await page.getByRole("status").filter({ hasText: "All your devices have" }).waitFor();
  return page;
}

test("the template of tasks has types that the packed package fulfils, and its tasks sync", async (t) => {
  await create("my-tasks", "--template", "tasks");
  const folder = join(home, "my-tasks");
  await run("npm", ["run", "types"], { cwd: folder });
  const link = await startApp(t, folder);
  const one = await openLink(t, link);
  await one.locator('[role="status"][data-kind="up-to-date"]').waitFor();
  await one.getByLabel("Project").fill("Home");
  await add(one, "New task", "Buy milk");
  const other = await openLink(t, link);
  await other.getByRole("link", { name: "Buy milk" }).waitFor();
});

test("the encrypted notes reach a second device that gets the recovery key", async (t) => {
  await create("my-app", "--template", "sealed");
  const link = await startApp(t, join(home, "my-app"));
  const one = await openLink(t, link);
  await one.getByRole("button", { name: "Make the recovery key" }).click();
  await one.getByText("Recovery key", { exact: true }).click();
  const key = await one.locator("code").filter({ hasText: /\w/ }).textContent();
  await add(one, "New note", "Buy milk");
  const other = await openLink(t, link);
  await other.getByLabel("Recovery key of your other device").fill(key ?? "");
  await other.getByRole("button", { name: "Open my notes" }).click();
  await other.getByRole("listitem").filter({ hasText: "Buy milk" }).waitFor();
});

test("a folder that is not empty is refused, and stays as it is", async () => {
  const before = await readdir(home);
  await writeFile(join(home, "mine.txt"), "mine");
  const refused = { code: 1, stderr: /is not empty: name a new folder, nothing was changed\n$/ };
  await assert.rejects(create("."), refused);
  assert.deepEqual((await readdir(home)).sort(), [...before, "mine.txt"].sort());
});

/** The link that `npm run dev` prints. */
async function startApp(t: TestContext, folder: string): Promise<string> {
  const child = spawn("npm", ["run", "dev"], { cwd: folder, detached: true, stdio: "pipe" });
  const exit = once(child, "exit");
  t.after(async () => {
    process.kill(-(child.pid ?? Number.NaN), "SIGINT");
    await exit;
  });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      const [, link] = /^ {2}(http:\S+)$/m.exec(output) ?? [];
      if (link !== undefined && output.includes("The app is at ")) resolve(link);
    });
  }
  void exit.then(() => reject(new Error(output)));
  return promise;
}

/** Each device is a new context, without cookies. */
async function openLink(t: TestContext, link: string): Promise<Page> {
  const context = await browser.newContext({ locale: "en-GB" });
  t.after(() => context.close());
  const page = await context.newPage();
  await page.goto(link);
  return page;
}

async function add(page: Page, label: string, text: string): Promise<void> {
  await page.getByLabel(label).fill(text);
  await page.getByRole("button", { name: "Add", exact: true }).click();
}
