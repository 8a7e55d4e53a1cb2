import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { dirname } from "node:path";
import { test, type TestContext } from "node:test";
import { runTrellis, type TrellisProcess } from "./start-trellis.ts";

const PORTS = [4801, 4802, 4803, 4811, 4821];
const TRIES = 20;

const isTaken = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });

/** The demo's ports are fixed, and another demo on this machine may still use them. */
async function startDemo(t: TestContext, words: readonly string[]): Promise<TrellisProcess> {
  for (let round = 0; round < TRIES; round++) {
    const taken = await Promise.all(PORTS.map(isTaken));
    if (!taken.includes(true)) {
      const demo = runTrellis(t, ["demo", ...words]);
      const started = await Promise.race([
        demo.line((line) => line.startsWith("Ready.") || line === "}").then(() => true),
        demo.ended.then(() => false),
      ]);
      if (started) return demo;
      assert.match(demo.stderr(), /another program uses that port/);
    }
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  assert.fail(
    `The ports ${PORTS.join(", ")} are taken: stop what uses them and run the test again`,
  );
}

test("the demo prints addresses that respond, and Ctrl+C removes its folder", async (t) => {
  const demo = await startDemo(t, []);
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
  assert.match(consent.headers.get("Location") ?? "", /^(http:\/\/localhost:4821)?\/sign-in\?/);
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

test("under --json the demo prints one object", async (t) => {
  const demo = await startDemo(t, ["--json"]);
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
