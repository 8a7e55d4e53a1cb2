import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { once } from "node:events";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { quickStart } from "../fixtures/quick-start.ts";
import { runTrellis, startDemo } from "./start-trellis.ts";

test("without its page the demo prints addresses that respond, and Ctrl+C removes its folder", async (t) => {
  const demo = await startDemo(t, ["--headless"]);
  const printed = demo.stdout();
  const folder = /sample data in (.+)$/m.exec(printed)?.[1] ?? "";
  assert.ok(existsSync(folder), folder);

  const addresses = [...printed.matchAll(/^ {2}\w[\w ]+? {2,}(http:\S+)$/gm)].map(
    ([, url = ""]) => url,
  );
  assert.equal(addresses.length, 8, printed);
  for (const address of addresses) {
    const response = await fetch(address, { redirect: "manual" });
    assert.ok([200, 302].includes(response.status), `${address}: ${response.status}`);
    await response.arrayBuffer();
  }
  const page = await fetch(addresses[0] ?? "");
  assert.match(page.headers.get("Content-Type") ?? "", /^text\/html/);
  const german = await fetch(addresses[0] ?? "", { headers: { "Accept-Language": "de" } });
  assert.match(german.url, /\/de\/$/);
  assert.match(await german.text(), /Kleine Gewohnheiten, die bleiben/);

  // The suggested commands work.
  const configuration = /--config (\S+)/.exec(printed)?.[1] ?? "";
  assert.equal(dirname(configuration), folder);
  const verify = runTrellis(t, [
    "release",
    "verify",
    addresses[2]?.replace(/\/api\/.*/, "") ?? "",
    "--config",
    configuration,
  ]);
  assert.equal((await verify.ended).code, 0, verify.stderr());
  const signIn = await (await fetch(addresses[5] ?? "")).text();
  assert.match(signIn, /<form[\s\S]+Demo sync|Demo sync[\s\S]+<form/);
  const status = runTrellis(t, ["sync", "status", "--config", configuration]);
  assert.equal((await status.ended).code, 0, status.stderr());
  assert.match(status.stdout(), /Account +"demo"[\s\S]+24 live/);
  const consent = await fetch(addresses[7] ?? "", { redirect: "manual" });
  assert.match(consent.headers.get("Location") ?? "", /^(http:\/\/localhost:\d+)?\/sign-in\?/);
  const eventsPage = await (await fetch(addresses[6] ?? "")).text();
  assert.ok(eventsPage.includes("Demo planner"));
  const calendar = /events import (\S+) --account demo/.exec(printed)?.[1] ?? "";
  await writeFile(
    calendar,
    (await readFile(calendar, "utf8")).replace("Klausur Mathematik", "Klausur Physik"),
  );
  const importing = `events import ${calendar} --account demo --config ${configuration}`;
  const again = runTrellis(t, importing.split(" "));
  assert.equal((await again.ended).code, 0, again.stderr());
  assert.match(again.stdout(), /0 added, 1 changed, 0 deleted/);

  demo.child.kill("SIGINT");
  assert.deepEqual(await demo.ended, { code: 0, signal: null });
  assert.equal(existsSync(folder), false);
  assert.equal(demo.stderr(), "");
});

test("under --json the demo without its page prints one object", async (t) => {
  const demo = await startDemo(t, ["--headless", "--json"]);
  const result = JSON.parse(demo.stdout()) as Record<string, string>;
  assert.deepEqual(Object.keys(result), [
    "release",
    "smartDownload",
    "website",
    "sync",
    "signIn",
    "events",
    "authorize",
    "account",
    "folder",
    "configuration",
  ]);
  assert.equal((await fetch(`${result["release"]}/health`)).status, 200);
  demo.child.kill("SIGTERM");
  assert.equal((await demo.ended).code, 0);
  assert.equal(existsSync(result["folder"] ?? ""), false);
});

const ADDRESS = /^ {2}(http:\/\/localhost:\d+\/)$/gm;

test("the demo prints one address, also after a demo that was killed, and says which port is taken", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "trellis-killed-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  // Node would keep what it compiles in the folder too.
  const options = { env: { TMPDIR: folder, ...quickStart() } };
  const first = await startDemo(t, [], options);
  assert.equal([...first.stdout().matchAll(/http:/g)].length, 1, first.stdout());
  first.child.kill("SIGKILL");
  await first.ended;

  const other = createServer().listen(4800, "127.0.0.1");
  t.after(() => other.close());
  // The demo of another test may use it now, and end before the next one starts.
  const isOurs = await once(other, "listening").then(
    () => true,
    () => false,
  );
  const second = await startDemo(t, ["--verbose"], options);
  await second.line((line) => line.startsWith("Ready."));
  const printed = second.stdout();
  const [[, url = ""] = []] = printed.matchAll(ADDRESS);
  const isMoved = !url.endsWith(":4800/");
  assert.ok(isMoved || !isOurs, url);
  assert.equal(/^Ports? 4800\b.* taken.*, so \d+/.test(printed), isMoved, printed);
  assert.match(await (await fetch(url)).text(), /<iframe\s+id="phone-frame"/);
  assert.match(printed, /Seven things to try/);
  assert.equal((await readdir(folder)).length, 2);
  second.child.kill("SIGINT");
  assert.deepEqual(await second.ended, { code: 0, signal: null });
  assert.equal((await readdir(folder)).length, 1);
  assert.equal(second.stderr(), "");
});

test("a demo whose terminal is closed leaves no folder", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "trellis-closed-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const demo = await startDemo(t, [], { env: { TMPDIR: folder, ...quickStart() } });
  demo.child.kill("SIGHUP");
  assert.equal((await demo.ended).code, 0);
  assert.deepEqual(await readdir(folder), []);
});

test("a demo that is told twice to stop ends at once, and leaves no folder", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "trellis-twice-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const demo = await startDemo(t, [], { env: { TMPDIR: folder, ...quickStart() } });
  demo.child.kill("SIGINT");
  demo.child.kill("SIGTERM");
  await demo.ended;
  assert.deepEqual(await readdir(folder), []);
});

test("the commands to try begin as the person began", async (t) => {
  for (const [script, program] of [
    ["start", "npm run -s trellis --"],
    ["npx", "npx trellis"],
  ] as const) {
    const demo = await startDemo(t, ["--headless"], { env: { npm_lifecycle_event: script } });
    assert.ok(demo.stdout().includes(`     ${program} sync status --config `), demo.stdout());
    demo.child.kill("SIGINT");
    await demo.ended;
  }
});

test("under --json the demo names its page", async (t) => {
  const demo = await startDemo(t, ["--json"]);
  const { page, release } = JSON.parse(demo.stdout()) as Record<string, string>;
  assert.equal((await fetch(page ?? "")).status, 200);
  assert.equal((await fetch(`${release}/health`)).status, 200);
  demo.child.kill("SIGTERM");
  assert.equal((await demo.ended).code, 0);
});
