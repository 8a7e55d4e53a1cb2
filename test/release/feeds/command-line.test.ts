/** `release status` and `release check` say which feeds a release is missing from. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import { createCatalogFixture } from "../../fixtures/catalog.ts";
import { runInside } from "../../fixtures/run-inside.ts";

async function prepare(t: TestContext, forUpdaters: boolean, feeds = {}) {
  const { folder, remove } = await createCatalogFixture({ releases: 3, betaEvery: 0, forUpdaters });
  t.after(remove);
  const place = dirname(folder);
  writeFileSync(join(place, "trellis.config.json"), JSON.stringify({ release: { feeds } }));
  return async (...words: string[]) => (await runInside(place, ["release", ...words])).stdout;
}

test("status describes the feeds of the newest release", async (t) => {
  const run = await prepare(t, true);
  const text = await run("status");
  assert.match(text, /^Feeds {6}1\.0\.3 in electron: windows, mac, linux, linux-arm64$/m);
  assert.match(text, /^ {11}1\.0\.3 in squirrel: darwin x64, darwin arm64$/m);
  const { feeds } = JSON.parse(await run("status", "--json"));
  assert.deepEqual(
    feeds.map(({ feed }: { feed: string }) => feed),
    ["electron", "tauri", "sparkle", "squirrel"],
  );
});

test("status says why a release of before is missing, and leaves out what is turned off", async (t) => {
  const run = await prepare(t, false, { sparkle: false, squirrel: false });
  const text = await run("status");
  assert.match(text, /1\.0\.3 in electron: none, no file can be checked; .*no SHA-512/);
  assert.match(text, /1\.0\.3 in tauri: none, no file can be checked; .*minisign/);
  assert.doesNotMatch(text, /sparkle|squirrel/);
  // A maker who uses none of them needs no note.
  assert.doesNotMatch(await run("check"), /in electron|in tauri/);
});

test("check names the files that a feed lacks, once its key is there", async (t) => {
  const run = await prepare(t, false);
  await run("key", "new", "--kind", "minisign");
  assert.match(
    await run("check"),
    /^Note: releases\/1\.0\.3\.json in tauri: none, .*--minisign or --signature-file$/m,
  );
});
