/** The programs of the guide, as written, against the real service: in Chromium, React and Node. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test, type TestContext } from "node:test";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { launchChromium } from "../../browser/launch-chromium.ts";
import { skipSignInPage } from "../../browser/skip-sign-in-page.ts";
import { listenOnLocalhost } from "../../fixtures/listen-on-localhost.ts";
import { freePort } from "../../fixtures/free-port.ts";
import { approveSignIn } from "../../sync/approve-sign-in.ts";
import { serveSync, type ServedSyncOptions } from "../../sync/serve-sync.ts";
import { readGuide } from "./read-add-sync-guide.ts";

const ROOT = join(import.meta.dirname, "../../..");
const ADA = { username: "ada", password: "correct horse battery staple" };

/** The guide's addresses, and those of this run in their place. */
async function serveGuide(t: TestContext) {
  const guide = await readGuide();
  const files = new Map<string, readonly [type: string, body: string]>();
  const site = createServer(({ url = "" }, response) => {
    const [type, body] = files.get(url.split("?")[0] ?? "") ?? ["text/html", guide.page];
    response.setHeader("Content-Type", type).end(body);
  });
  const origin = await listenOnLocalhost(t, site);
  const nodeOrigin = `http://localhost:${await freePort()}`;
  const adaptSite = (source: string) =>
    source
      .replaceAll("http://localhost:5173", origin)
      .replaceAll("http://localhost:43823", nodeOrigin);
  const options = JSON.parse(adaptSite(JSON.stringify(guide.config.sync))) as ServedSyncOptions;
  const { baseUrl } = await serveSync(t, ADA, options);
  const adapt = (source: string) => adaptSite(source).replaceAll("http://localhost:4811", baseUrl);
  return { guide, files, origin, baseUrl, adapt };
}

async function bundle(contents: string, resolveDir = ROOT): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, loader: "tsx", resolveDir },
    absWorkingDir: ROOT,
    nodePaths: [join(ROOT, "node_modules")],
    bundle: true,
    format: "esm",
    write: false,
    jsx: "automatic",
    jsxImportSource: "preact",
    alias: {
      "trellis/client": join(ROOT, "src/client/index.ts"),
      "trellis/react": join(ROOT, "src/client/react/index.ts"),
      react: "preact/compat",
    },
  });
  return outputFiles[0]?.text ?? "";
}

async function createFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "trellis-guide-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test("the page and the terminal program of the guide have the same notes", async (t) => {
  const { guide, files, origin, baseUrl, adapt } = await serveGuide(t);
  files.set("/notes.js", ["text/javascript", await bundle(adapt(guide.browserProgram))]);
  const browser = await launchChromium();
  t.after(() => browser.close());
  const openPage = async () => {
    const page = await (await browser.newContext()).newPage();
    await skipSignInPage(page, baseUrl, ADA);
    await page.goto(origin);
    return page;
  };
  const [first, second] = [await openPage(), await openPage()];
  await first.getByLabel("New note").fill("From the first browser");
  await first.keyboard.press("Enter");
  await first.getByText("signed-out, 1 to send").waitFor();
  for (const page of [first, second]) {
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("up-to-date, 0 to send").waitFor();
    await page.getByText("From the first browser").waitFor();
    assert.equal(page.url(), `${origin}/`);
  }

  const folder = await createFolder(t);
  await writeFile(join(folder, "notes.mjs"), toNodeProgram(adapt(guide.nodeProgram)));
  const lines = await runNotes(t, folder, ["From the terminal"]);
  assert.deepEqual(lines.slice(1), ["From the first browser", "From the terminal"]);
  await second.getByText("From the terminal").waitFor();
  const again = await runNotes(t, folder, []);
  assert.deepEqual(again, ["From the first browser", "From the terminal"]);
});

/** With the modules of the sources in the place of the package's. */
function toNodeProgram(program: string): string {
  const source = (path: string) => JSON.stringify(pathToFileURL(join(ROOT, "src", path)).href);
  return program
    .replace('"trellis/client/node"', source("client/node/index.ts"))
    .replace('"trellis/client"', source("client/index.ts"));
}

/** The lines that the program prints; a sign-in that it asks for is approved. */
async function runNotes(
  t: TestContext,
  folder: string,
  texts: readonly string[],
): Promise<string[]> {
  const child = spawn(process.execPath, ["notes.mjs", ...texts], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
  });
  t.after(() => child.kill());
  const ended = new Promise((resolve) => child.once("close", resolve));
  const lines: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    lines.push(line);
    const [, url] = /^Open (http.*)$/.exec(line) ?? [];
    if (url !== undefined) await fetch(await approveSignIn(url, ADA));
  }
  assert.equal(await ended, 0);
  return lines;
}

test("the edits of the guide do what it says, its mistakes are refused, and its component follows", async (t) => {
  const { guide, files, origin, adapt } = await serveGuide(t);
  const folder = await createFolder(t);
  await writeFile(join(folder, "tasks.ts"), adapt(guide.tasks));
  await writeFile(join(folder, "edits.ts"), guide.edits);
  await writeFile(join(folder, "task-list.tsx"), guide.component);
  const program = `
    import { render } from "preact";
    import { tasks } from "./tasks";
    import "./edits";
    import { Tasks } from "./task-list";
    const [{ id }] = tasks.list();
    const refuse = (work) =>
      Promise.resolve().then(work).then(({ reason }) => reason, ({ name }) => name);
    const mistakes = [${guide.mistakes.map(({ code }) => `() => ${code}`).join()}];
    window.refusedWith = Promise.all(mistakes.map(refuse));
    window.add = (title) => tasks.create({ title });
    render(<Tasks />, document.body);`;
  files.set("/notes.js", ["text/javascript", await bundle(program, folder)]);
  const browser = await launchChromium();
  t.after(() => browser.close());
  const page = await browser.newPage();
  await page.addInitScript(
    "window.lines = []; console.log = (...line) => lines.push(line.join(' '));",
  );
  await page.goto(origin);
  const item = (title: string) => page.getByRole("checkbox", { name: title });
  await item("Buy oat milk").waitFor();
  assert.deepEqual(await page.evaluate("window.lines"), ["Buy milk 2", "Buy milk 2026-01-31"]);
  const listed = () => page.getByRole("listitem").allInnerTexts();
  assert.deepEqual(await listed(), ["Buy oat milk", "Sort the inbox"]);
  assert.deepEqual(
    await page.evaluate("window.refusedWith"),
    guide.mistakes.map(({ refusedWith }) => refusedWith),
  );
  await item("Sort the inbox").check();
  await page.evaluate("window.add('Buy bread')");
  await item("Buy bread").waitFor();
  assert.deepEqual(await listed(), ["Buy oat milk", "Sort the inbox", "Buy bread"]);
  await page.reload();
  assert.ok(await item("Sort the inbox").isChecked());
  await page.getByText("signed-out").waitFor();
});
