/** From nothing to two devices with two commands: `trellis create` of the packed package, and `npm run dev`. */
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright-core";
import { launchChromium } from "../browser/launch-chromium.ts";
import { packPackage } from "../fixtures/packed-package.ts";

const run = promisify(execFile);

test("two commands make an app whose encrypted notes reach a second device", async (t) => {
  const home = await mkdtemp(join(tmpdir(), "trellis-create-"));
  t.after(() => rm(home, { recursive: true, force: true }));
  const { path } = await packPackage();
  const create = (...words: string[]) =>
    run("npx", ["--yes", "--prefer-offline", "--package", path, "trellis", "create", ...words], {
      cwd: home,
      env: { ...process.env, npm_config_prefer_offline: "true" },
    });
  const { stdout } = await create("my-app", "--template", "sealed");
  assert.match(stdout, /\n {2}cd my-app\n {2}npm run dev\n$/);
  const link = await startApp(t, join(home, "my-app"));

  const browser = await launchChromium();
  t.after(() => browser.close());
  const one = await openLink(browser, link);
  await one.getByRole("button", { name: "Make the recovery key" }).click();
  await one.getByText("Recovery key", { exact: true }).click();
  const key = await one.locator("code").filter({ hasText: /\w/ }).textContent();
  await one.getByLabel("New note").fill("Buy milk");
  await one.getByRole("button", { name: "Add" }).click();
  const other = await openLink(browser, link);
  await other.getByLabel("Recovery key of your other device").fill(key ?? "");
  await other.getByRole("button", { name: "Open my notes" }).click();
  await other.getByRole("listitem").filter({ hasText: "Buy milk" }).waitFor();

  await writeFile(join(home, "mine.txt"), "mine");
  const refused = { code: 1, stderr: /is not empty: name a new folder, nothing was changed\n$/ };
  await assert.rejects(create("."), refused);
  assert.deepEqual((await readdir(home)).sort(), ["mine.txt", "my-app"]);
});

/** The link that `npm run dev` prints. */
async function startApp(t: TestContext, folder: string): Promise<string> {
  const child = spawn("npm", ["run", "dev"], { cwd: folder, detached: true, stdio: "pipe" });
  const exit = once(child, "exit");
  t.after(async () => {
    process.kill(-(child.pid ?? Number.NaN), "SIGINT");
    await exit;
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  }
  const ended = exit.then(() => "ended");
  while (!/^ {2}http:/m.test(output) || !output.includes("The app is at ")) {
    const changes = [child.stdout, child.stderr].map((stream) => once(stream, "data"));
    if ((await Promise.race([...changes, ended])) === "ended") throw new Error(output);
  }
  return /^ {2}(http:\S+)$/m.exec(output)?.[1] ?? "";
}

/** Each browser is a new one, without cookies. */
async function openLink(browser: Browser, link: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await page.goto(link);
  return page;
}
