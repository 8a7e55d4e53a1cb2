/** What the release commands say when something is not as they expect. */
import assert from "node:assert/strict";
import { readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import { createCatalogFixture } from "../../fixtures/catalog.ts";
import { runInside } from "../../fixtures/run-inside.ts";

async function prepare(t: TestContext) {
  const { folder, remove } = await createCatalogFixture({ releases: 7, drafts: 1, betaEvery: 0 });
  t.after(remove);
  const home = dirname(folder);
  await writeFile(join(home, "trellis.config.json"), '{ "release": {} }');
  return {
    folder,
    run: (...words: string[]) => runInside(home, ["release", ...words]),
    edit: async (file: string, change: (text: string) => string) => {
      const path = join(folder, file);
      await writeFile(path, change(await readFile(path, "utf8")));
    },
  };
}

test("a withdrawal of an unknown release names those that are published", async (t) => {
  const { run } = await prepare(t);
  const { code, stderr } = await run("withdraw", "9.9.9", "--reason", "x", "--yes");
  assert.equal(code, 1);
  assert.equal(
    stderr,
    "There is no release 9.9.9: name a published release (1.0.7, 1.0.6, 1.0.5, 1.0.4, 1.0.3, …); `trellis release list` shows all\n",
  );
});

test("an unknown draft can be begun, and the drafts are named", async (t) => {
  const { run } = await prepare(t);
  const { stderr } = await run("publish", "9.9.9");
  assert.match(
    stderr,
    /begin it with `trellis release new 9\.9\.9 --build N`, or name a draft \(1\.0\.8\)/,
  );
});

test("check and sign say the same about a lost manifest, and what they say works", async (t) => {
  const { folder, run } = await prepare(t);
  await rm(join(folder, "manifest.json"));
  const remedy = /restore it from version control.*`trellis release sign --sequence N`/;
  const check = await run("check");
  assert.equal(check.code, 0);
  assert.match(check.stdout, remedy);
  const sign = await run("sign");
  assert.equal(sign.code, 1);
  assert.match(sign.stderr, remedy);
  assert.match((await run("status")).stdout, /^Manifest +missing$/m);
  const doctor = await runInside(dirname(folder), ["doctor"]);
  assert.match(doctor.stdout, /manifest: it is missing, although releases are published/);
  assert.doesNotMatch(doctor.stdout, /publish a release/);
  assert.equal((await run("sign", "--sequence", "9")).code, 0);
});

test('a status "published" that was set by hand leads back to publish', async (t) => {
  const { edit, run } = await prepare(t);
  const file = "releases/1.0.8.json";
  await edit(file, (text) => text.replace('"draft"', '"published"'));
  const { code, stdout } = await run("check");
  assert.equal(code, 1);
  assert.match(
    stdout,
    /^releases\/1\.0\.8\.json: status is "published".*set by hand; .*`trellis release publish 1\.0\.8`$/m,
  );
  const now = new Date().toISOString();
  await edit(file, (text) => text.replace('"publishedAt": null', `"publishedAt": "${now}"`));
  assert.match(
    (await run("check")).stdout,
    /Warning: releases\/1\.0\.8\.json says "published", but/,
  );
  // Also what a merge of two copies looks like, so that it can be signed.
  assert.match((await run("sign")).stdout, /^It now includes 1\.0\.8$/m);
  assert.doesNotMatch((await run("check")).stdout, /Warning/);
});
