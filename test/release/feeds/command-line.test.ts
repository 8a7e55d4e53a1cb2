/** `release check`, `publish`, `show` and `status` say who gets a release. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import type { PublishedSource } from "../../../src/contract/release/catalog.ts";
import type { Coverage } from "../../../src/rules/release/coverage/find-coverage.ts";
import { createCatalogFixture } from "../../fixtures/catalog.ts";
import { ENTER, runAtTerminal } from "../../fixtures/run-at-terminal.ts";
import { runInside } from "../../fixtures/run-inside.ts";

/** A catalogue of three releases, and the draft 2.0.0 with files like those of the newest one. */
async function prepare(t: TestContext, feeds = {}) {
  const fixture = await createCatalogFixture({
    releases: 3,
    betaEvery: 0,
    forUpdaters: true,
    settings: { targets: [] },
  });
  t.after(fixture.remove);
  const place = dirname(fixture.folder);
  writeFileSync(join(place, "trellis.config.json"), JSON.stringify({ release: { feeds } }));
  const newest = fixture.releases[0] as PublishedSource;
  const path = join(fixture.folder, "releases/2.0.0.json");
  const writeDraft = (artifacts: PublishedSource["artifacts"]) => {
    const draft = { ...newest, version: "2.0.0", buildNumber: 9, status: "draft" };
    const files = artifacts.map((artifact) => ({
      ...artifact,
      sha256: artifact.sha256.replace(/^..../, "2000"),
      fileName: artifact.fileName.replace("1.0.3", "2.0.0"),
      url: artifact.url.replaceAll("1.0.3", "2.0.0"),
    }));
    writeFileSync(path, JSON.stringify({ ...draft, publishedAt: null, artifacts: files }));
  };
  writeDraft(newest.artifacts);
  return {
    place,
    newest,
    writeDraft,
    run: (...words: string[]) => runInside(place, ["release", ...words]),
    status: () => (JSON.parse(readFileSync(path, "utf8")) as { status: string }).status,
  };
}

const isArchive = ({ fileName }: { fileName: string }) => fileName.endsWith(".zip");

test("check says who would get a draft, and nothing of what is published", async (t) => {
  const { run, writeDraft, newest } = await prepare(t, { sparkle: false });
  const { stdout } = await run("check");
  assert.match(stdout, /^Who gets 2\.0\.0:\nUPDATER +SYSTEM +ARCHITECTURE +PACKAGE +RESULT\n/m);
  assert.match(
    stdout,
    /^electron-updater +windows +x64 +- +gets habits-2\.0\.0-windows-x64\.exe$/m,
  );
  assert.match(stdout, /^Tauri +windows +x64 +msi +gets habits-2\.0\.0-windows-x64\.msi$/m);
  assert.match(stdout, /^update client +android +universal +apk +gets /m);
  assert.doesNotMatch(stdout, /1\.0\.3|LOST|Sparkle/);
  writeDraft(newest.artifacts.filter((artifact) => !isArchive(artifact)));
  const { coverage } = JSON.parse((await run("check", "--json")).stdout) as {
    coverage: Coverage[];
  };
  const lost = coverage[0]?.rows.filter(({ isLost }) => isLost) ?? [];
  assert.deepEqual(
    lost.map((row) => `${row.updater} ${row.system} ${row.architecture} ${row.version}`),
    [
      "client macos universal",
      ...["electron", "squirrel"].flatMap((updater) =>
        ["arm64", "x64"].map((architecture) => `${updater} macos ${architecture}`),
      ),
    ].map((row) => `${row} 1.0.3`),
  );
});

test("an updater that no release has a file for takes one line", async (t) => {
  const { folder, remove } = await createCatalogFixture({ releases: 0, drafts: 1, signed: false });
  t.after(remove);
  const place = dirname(folder);
  writeFileSync(join(place, "trellis.config.json"), '{ "release": {} }');
  const { stdout } = await runInside(place, ["release", "check"]);
  assert.match(
    stdout,
    /^Tauri +all +- +- +no update: it has no minisign signature; .*\.app\.tar\.gz\)$/m,
  );
  assert.equal(stdout.match(/^Tauri/gm)?.length, 1);
});

test("publish prints who gets the release, and a dry run changes nothing", async (t) => {
  const { run, status } = await prepare(t);
  const dry = await run("publish", "2.0.0", "--dry-run");
  assert.equal(dry.code, 0, dry.stderr);
  assert.match(dry.stdout, /^Tauri +macos +arm64 +app +gets habits-2\.0\.0-macos-universal\.app/m);
  assert.match(dry.stdout, /^This publishes 2\.0\.0 \(build 9\)[^]*nothing was changed\n$/);
  const { plan } = JSON.parse((await run("publish", "2.0.0", "--dry-run", "--json")).stdout) as {
    plan: { version: string; coverage: Coverage };
  };
  assert.deepEqual([plan.version, plan.coverage.version], ["2.0.0", "2.0.0"]);
  assert.equal(status(), "draft");
  const staged = await run("publish", "2.0.0", "--rollout", "25");
  assert.equal(staged.code, 0, staged.stderr);
  assert.match(staged.stdout, /^Tauri +linux +x64 +appimage +stays on 1\.0\.3: it is out for 25 /m);
  assert.match(staged.stdout, /^electron-updater +linux .* \(25 percent of the installations\)$/m);
  assert.equal(status(), "published");
});

test("publish asks before installations lose their updates, and --yes does not confirm it", async (t) => {
  const { place, run, status, writeDraft, newest } = await prepare(t);
  writeDraft(newest.artifacts.filter((artifact) => !isArchive(artifact)));
  for (const options of [[], ["--yes"]]) {
    const { code, stdout, stderr } = await run("publish", "2.0.0", ...options);
    assert.equal(code, 1);
    assert.match(
      stdout,
      /^electron-updater +macos +arm64 +- +LOST, stays on 1\.0\.3: .*\(\.zip\)$/m,
    );
    assert.match(
      stderr,
      /^5 kinds of installations got the last release .* --allow-lost-coverage$/m,
    );
    assert.equal(status(), "draft");
  }
  const json = await run("publish", "2.0.0", "--yes", "--json");
  assert.equal((JSON.parse(json.stdout) as { lost: unknown[] }).lost.length, 5);
  const words = ["release", "publish", "2.0.0", "--no-check-urls"];
  const question = "Squirrel.Mac macos x64). Continue?";
  const refused = await runAtTerminal(place, words, [[question, ENTER]]);
  assert.deepEqual([refused.code, status()], [1, "draft"]);
  const agreed = await runAtTerminal(place, words, [[question, "y"]]);
  assert.deepEqual([agreed.code, status()], [0, "published"]);
});

test("status counts who gets the newest release, and show has the table of any", async (t) => {
  const { run } = await prepare(t, { sparkle: false });
  assert.match(
    (await run("status")).stdout,
    /^Reaches {4}1\.0\.3: update client 8 of 8, electron-updater \d of \d, Tauri \d of \d, Squirrel/m,
  );
  assert.match((await run("show", "1.0.2")).stdout, /^Who gets 1\.0\.2:\n/m);
  const { coverage } = JSON.parse((await run("status", "--json")).stdout) as {
    coverage: Coverage[];
  };
  assert.deepEqual(
    coverage.map(({ version }) => version),
    ["1.0.3"],
  );
});
