/** The two commands of the quick start for sync, as printed, and a note that arrives in a second browser. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import { setTimeout } from "node:timers/promises";
import type { Browser, Page } from "playwright-core";
import { findAccessibilityErrors, findSmallControls } from "../browser/inspect-page.ts";
import { launchChromium } from "../browser/launch-chromium.ts";
import { listenOnLocalhost } from "../fixtures/listen-on-localhost.ts";
import { packPackage } from "../fixtures/packed-package.ts";
import { livingInGroup } from "../service/children-of.ts";

const GUIDE = join(import.meta.dirname, "../../docs/quick-starts/add-sync-to-an-app.md");
const POLL_MS = 20;

test("two commands lead to a note in two browsers, and Ctrl+C leaves nothing", async (t) => {
  const shell = await createShell(t);
  const guide = await readFile(GUIDE, "utf8");
  const commands = [...guide.matchAll(/^```sh\n(.*?)^```/gms)].map(([, command = ""]) => command);
  const [install = "", start = "", ...others] = commands;
  assert.deepEqual(others, []);
  const installing = shell.run(install);
  assert.equal(await installing.ended, 0, installing.output());

  const running = shell.run(start);
  const link = await running.find(/^ {2}(http:\S+)$/m);
  const browser = await launchChromium();
  t.after(() => browser.close());
  const [one, other] = [await openLink(browser, link), await openLink(browser, link)];
  await add(one, "Buy milk");
  await other.getByRole("listitem").filter({ hasText: "Buy milk" }).waitFor();
  await add(other, "Call Ada");
  await one.getByRole("listitem").filter({ hasText: "Call Ada" }).waitFor();
  assert.deepEqual(await findAccessibilityErrors(one), []);
  assert.deepEqual(await findSmallControls(one), []);
  await one.goto(await serveCopy(t, new URL("/notes/", link)));
  await one.getByRole("button", { name: "Sign in" }).click();
  await one.getByRole("listitem").filter({ hasText: "Call Ada" }).waitFor();

  running.interrupt();
  await running.ended;
  assert.match(running.output(), /Stopped and removed the data/);
  // A process that ends closes its output a moment before it is gone.
  while ((await livingInGroup(running.group)).length > 0) await setTimeout(POLL_MS);
  await assert.rejects(fetch(link), TypeError);
  assert.deepEqual(await readdir(shell.temporary), []);
});

/** Each browser is a new one, without cookies. */
async function openLink(browser: Browser, link: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await page.goto(link);
  await page.getByRole("status").filter({ hasText: "up-to-date" }).waitFor();
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

/** The home folder of a reader who has packed the package in a checkout, and an empty folder in it. */
async function createShell(t: TestContext) {
  const home = await mkdtemp(join(tmpdir(), "trellis-quick-start-"));
  t.after(() => rm(home, { recursive: true, force: true }));
  const [work, temporary] = [join(home, "work"), join(home, "tmp")];
  for (const folder of [work, temporary, join(home, "trellis")]) await mkdir(folder);
  const { path } = await packPackage();
  await cp(path, join(home, "trellis", basename(path)));
  const env = {
    ...process.env,
    PATH: `${dirname(process.execPath)}:${process.env["PATH"]}`,
    HOME: home,
    TMPDIR: temporary,
    NODE_DISABLE_COMPILE_CACHE: "1",
    npm_config_cache: process.env["npm_config_cache"] ?? join(process.env["HOME"] ?? "", ".npm"),
    npm_config_prefer_offline: "true",
  };
  return {
    temporary,
    /** A group of processes of its own, as a terminal makes it. */
    run(command: string) {
      const child = spawn("sh", ["-c", command], { cwd: work, env, detached: true });
      const group = child.pid ?? Number.NaN;
      const interrupt = () => process.kill(-group, "SIGINT");
      t.after(async () => {
        for (const pid of await livingInGroup(group)) process.kill(pid, "SIGKILL");
      });
      let output = "";
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding("utf8").on("data", (text: string) => {
          output += text;
        });
      }
      const ended = once(child, "close").then(([code]) => code as number | null);
      return {
        group,
        interrupt,
        ended,
        output: () => output,
        async find(pattern: RegExp): Promise<string> {
          const isOver = ended.then(() => "over");
          for (;;) {
            const found = pattern.exec(output)?.[1];
            if (found !== undefined) return found;
            const next = await Promise.race([once(child.stdout, "data"), isOver]);
            if (next === "over") throw new Error(`The command ended: ${output}`);
          }
        },
      };
    },
  };
}
