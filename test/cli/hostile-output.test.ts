/** What strangers wrote never moves the cursor of a terminal, in whatever command it is printed. */
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import { gzipSync } from "node:zlib";
import { signManifest } from "../../src/release/publishing/sign-manifest.ts";
import { SYNC_STORE } from "../../src/sync/sql/open-store.ts";
import { createOperated } from "../events/operations/instance.ts";
import { createPlace } from "../events/store/on-both-stores.ts";
import { createCatalogFixture } from "../fixtures/catalog.ts";
import { listenOnLocalhost } from "../fixtures/listen-on-localhost.ts";
import { runInside } from "../fixtures/run-inside.ts";
import type { Ending } from "../fixtures/run-trellis.ts";

/** Sets the title of the window, in both spellings, turns the direction of writing, and begins a line. */
const HOSTILE = "\u001b]0;owned\u0007\u009b31m\u202eevil\nVerified\t\u{e0041}";
const ESCAPED = "\\u001b]0;owned\\u0007\\u009b31m\\u202eevil";
/** A line that looks like one of ours. */
const FORGED = /^Verified/m;

function expectSafe(
  { stdout, stderr }: Ending,
  place: "stdout" | "stderr",
  expected = ESCAPED,
): void {
  assert.doesNotMatch(stdout + stderr, /(?!\n)[\p{Cc}\p{Bidi_Control}\u{e0000}-\u{e007f}]/u);
  assert.doesNotMatch(stdout + stderr, FORGED);
  assert.ok({ stdout, stderr }[place].includes(expected), stdout + stderr);
}

async function prepareCatalog(t: TestContext) {
  const catalog = await createCatalogFixture({ releases: 1, drafts: 1, betaEvery: 0 });
  t.after(catalog.remove);
  const home = dirname(catalog.folder);
  await writeFile(join(home, "trellis.config.json"), '{ "release": {}, "sync": {} }');
  return { ...catalog, run: (...words: string[]) => runInside(home, words), home };
}

test("release verify URL", async (t) => {
  const { run, settings, keys, releases, privateKey } = await prepareCatalog(t);
  const key = { keyId: settings.signing.active, privateKey };
  const hostile = { settings: { ...settings, product: HOSTILE }, keys, releases };
  const { envelope } = signManifest(hostile, null, key, Date.now());
  const origin = await listenOnLocalhost(
    t,
    createServer((_, response) => response.end(envelope)),
  );
  expectSafe(await run("release", "verify", `${origin}/manifest.json`), "stderr");
  expectSafe(await run("release", "verify", `${origin}/manifest.json`, "--json"), "stdout");
});

test("release show", async (t) => {
  const { run, folder } = await prepareCatalog(t);
  const path = join(folder, "releases/1.0.2.json");
  const draft = JSON.parse(await readFile(path, "utf8"));
  draft.notes.added = [HOSTILE];
  await writeFile(path, JSON.stringify(draft));
  for (const json of [[], ["--json"]]) {
    expectSafe(await run("release", "show", "1.0.2", ...json), "stdout");
  }
});

for (const command of ["verify", "restore"]) {
  test(`sync ${command}, before the authenticity of the backup is known`, async (t) => {
    const { run, home } = await prepareCatalog(t);
    const { name, version } = SYNC_STORE.examiner.format;
    const header = { format: name, version: version + 1, product: HOSTILE };
    const file = join(home, "hostile.backup");
    await writeFile(file, gzipSync(`${JSON.stringify(header)}\n`));
    expectSafe(await run("sync", command, file), "stderr");
    expectSafe(await run("sync", command, file, "--json"), "stdout");
  });
}

test("events import", async (t) => {
  const instance = await createOperated(t, await createPlace(t, "SQLite"));
  await instance.addAccount({ username: "ada", password: "correct horse battery" });
  const entry = ["BEGIN:VEVENT", `UID:${HOSTILE}`, `DTSTART:${HOSTILE}`, "END:VEVENT"];
  const calendar = ["BEGIN:VCALENDAR", ...entry, "END:VCALENDAR", ""];
  await instance.file("a.ics", calendar.join("\r\n"));
  for (const json of ["", " --json"]) {
    // The import itself removes C0 and C1.
    expectSafe(await instance.run(`import a.ics --account ada${json}`), "stdout", "\\u202eevil");
  }
});
