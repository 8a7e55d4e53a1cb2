/** What a maker does with drafts: look, write notes, remove what is wrong, discard. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import { createCatalogFixture } from "../../fixtures/catalog.ts";
import { ENTER, runAtTerminal } from "../../fixtures/run-at-terminal.ts";
import { runInside } from "../../fixtures/run-inside.ts";

async function prepare(t: TestContext) {
  const settings = { targets: [], artifactHosts: [] };
  const fixture = await createCatalogFixture({ releases: 2, betaEvery: 0, settings });
  t.after(() => fixture.remove());
  const home = dirname(fixture.folder);
  await writeFile(join(home, "trellis.config.json"), '{ "release": {} }');
  const run = (...words: string[]) => runInside(home, ["release", ...words]);
  const succeed = async (...words: string[]) => {
    const ending = await run(...words);
    assert.equal(ending.code, 0, ending.stderr);
    return ending;
  };
  const fail = async (...words: string[]) => {
    const { code, stderr } = await run(...words);
    assert.equal(code, 1, stderr);
    return stderr;
  };
  const draft = join(fixture.folder, "releases/2.0.0.json");
  return {
    home,
    run,
    succeed,
    fail,
    draft,
    readDraft: async () => JSON.parse(await readFile(draft, "utf8")),
    addArtifact: async (fileName: string, ...target: string[]) => {
      const path = join(home, fileName);
      await writeFile(path, "x".repeat(12_345));
      const url = `https://downloads.example.com/2.0.0/${fileName}`;
      const [platform = "", architecture = "", ...more] = target;
      const given = ["--platform", platform, "--architecture", architecture, "--url", url];
      return succeed("add-artifact", "2.0.0", path, ...given, ...more);
    },
  };
}

test("list has every release, newest build first", async (t) => {
  const { succeed, addArtifact } = await prepare(t);
  await succeed("withdraw", "1.0.1", "--reason", "Crashes", "--yes");
  await succeed("new", "2.0.0", "--build", "10", "--channel", "beta");
  const { stdout } = await addArtifact("habits.exe", "windows", "x64");
  assert.match(
    stdout,
    /^Added habits\.exe \(windows x64\) in release 2\.0\.0: 12\.3 kB \(12,345 by/,
  );
  const [headings, ...rows] = (await succeed("list")).stdout.trimEnd().split("\n");
  assert.match(headings ?? "", /^VERSION +BUILD +CHANNEL +STATUS +PUBLISHED +PLATFORMS$/);
  assert.match(rows[0] ?? "", /^2\.0\.0 +10 +beta +draft +- +windows\/x64$/);
  assert.match(rows[1] ?? "", /^1\.0\.2 +2 +stable +published +\d{4}-\d\d-\d\d +\w+\/\w+, /);
  assert.match(rows[2] ?? "", /^1\.0\.1 +1 +stable +withdrawn +\d{4}-\d\d-\d\d +\w/);
  const { releases } = JSON.parse((await succeed("list", "--json")).stdout);
  assert.deepEqual(releases[0], {
    version: "2.0.0",
    buildNumber: 10,
    channel: "beta",
    status: "draft",
    rollout: null,
    publishedAt: null,
    scheduledFor: null,
    platforms: ["windows/x64"],
  });
});

test("a draft below the newest release of its channel is refused before files are built for it", async (t) => {
  const { succeed, fail } = await prepare(t);
  assert.match(
    await fail("new", "1.0.0", "--build", "10"),
    /1\.0\.0 is older than 1\.0\.2, the newest release of the channel "stable"/,
  );
  await succeed("new", "1.0.0", "--build", "10", "--channel", "beta");
});

test("list and show say how far a release is rolled out", async (t) => {
  const { succeed } = await prepare(t);
  await succeed("rollout", "1.0.2", "--percent", "25");
  assert.match((await succeed("list")).stdout, /^1\.0\.2 .* published \(25 %\) /m);
  assert.match((await succeed("list")).stdout, /^1\.0\.1 .* published +\d/m);
  assert.match((await succeed("show", "1.0.2")).stdout, /^Rollout +25 percent of the install/m);
  assert.doesNotMatch((await succeed("show", "1.0.1")).stdout, /Rollout/);
});

test("show has everything about a release, and what a draft lacks", async (t) => {
  const { succeed, fail, addArtifact } = await prepare(t);
  await succeed("new", "2.0.0", "--build", "10", "--note", "fixed=Reminders");
  assert.match((await succeed("show", "2.0.0")).stdout, /^Missing +an artifact$/m);
  const signature = Buffer.alloc(64, 1).toString("base64");
  const updater = ["--minimum-os", "12.0", "--ed-signature", signature];
  const kind = ["--distribution", "direct", "--signed"];
  await addArtifact("habits.apk", "android", "universal", ...kind, ...updater);
  const { stdout } = await succeed("show", "2.0.0");
  assert.match(stdout, /^Release +2\.0\.0 \(build 10\), channel stable\nStatus +draft\n/);
  assert.match(stdout, /^Notes +fixed: Reminders$/m);
  assert.match(stdout, /^Artifact +habits\.apk \(android universal, direct, code-signed\)$/m);
  assert.match(stdout, /^ +12\.3 kB \(12,345 bytes\)\n +SHA-256 [0-9a-f]{64}\n/m);
  assert.match(stdout, /^ +needs version 12\.0 of the system\n +signature for sparkle\n +https:/m);
  assert.doesNotMatch(stdout, /Missing/);
  await succeed("withdraw", "1.0.1", "--reason", "Crashes", "--replaced-by", "1.0.2", "--yes");
  const withdrawn = (await succeed("show", "1.0.1")).stdout;
  assert.match(withdrawn, /^Withdrawn +\S+: Crashes\nReplaced +by 1\.0\.2$/m);
  const { release, missing } = JSON.parse((await succeed("show", "2.0.0", "--json")).stdout);
  assert.deepEqual([release.status, missing], ["draft", []]);
  assert.match(
    await fail("show", "9.9.9"),
    /no release 9\.9\.9: name a release \(2\.0\.0, 1\.0\.2, /,
  );
});

test("an artifact is removed by its name or by what tells it from the others", async (t) => {
  const { run, succeed, fail, addArtifact, readDraft } = await prepare(t);
  await succeed("new", "2.0.0", "--build", "10");
  assert.match(await fail("remove-artifact", "2.0.0", "a.exe"), /has no artifacts/);
  await addArtifact("habits.apk", "android", "universal", "--distribution", "direct");
  await addArtifact("habits.aab", "android", "universal", "--distribution", "play");
  await addArtifact("habits.exe", "windows", "x64");
  await addArtifact("habits.msi", "windows", "x64");
  const names = async () =>
    (await readDraft()).artifacts.map(({ fileName }: { fileName: string }) => fileName);
  assert.match(
    await fail("remove-artifact", "2.0.0", "a.exe"),
    /has no such artifact: it has habits\.apk \(android universal direct\), habits\.aab/,
  );
  assert.match(
    await fail("remove-artifact", "2.0.0", "--platform", "windows"),
    /Several .* match: habits\.exe \(windows x64\), habits\.msi \(windows x64\); say which/,
  );
  assert.equal((await names()).length, 4);
  await succeed("remove-artifact", "2.0.0", "build/habits.exe");
  const { stdout } = await succeed("remove-artifact", "2.0.0", "--distribution", "play");
  assert.match(stdout, /Removed habits\.aab .*\nThe draft has 2 artifacts/);
  assert.deepEqual(await names(), ["habits.apk", "habits.msi"]);
  assert.match(await fail("remove-artifact", "1.0.2", "x"), /is published and never changes/);
  assert.equal((await run("remove-artifact", "2.0.0")).code, 2);
});

test("an artifact is also found by the real name of its file", async (t) => {
  const { home, succeed, readDraft } = await prepare(t);
  await succeed("new", "2.0.0", "--build", "10");
  const path = join(home, "My-Habits-Setup.exe");
  await writeFile(path, "the app");
  const url = "https://downloads.example.com/My%20Habits%20Setup.exe";
  const target = ["--platform", "windows", "--architecture", "x64", "--url", url];
  await succeed("add-artifact", "2.0.0", path, ...target);
  await succeed("remove-artifact", "2.0.0", "My Habits Setup.exe");
  assert.deepEqual((await readDraft()).artifacts, []);
});

test("an artifact is also found by the built file that its public name was made from", async (t) => {
  const { home, succeed, readDraft } = await prepare(t);
  await succeed("new", "2.0.0", "--build", "10");
  const add = async (name: string, url: string, ...more: string[]) => {
    await writeFile(join(home, name), name);
    const target = ["--platform", "windows", "--architecture", "x64", "--url", url, ...more];
    await succeed("add-artifact", "2.0.0", join(home, name), ...target);
  };
  const names = async () =>
    (await readDraft()).artifacts.map(({ fileName }: { fileName: string }) => fileName);
  await add("My Habits.exe", "https://downloads.example.com/My-Habits.exe");
  const url = "https://downloads.example.com/My%20Habits.exe";
  await add("other.exe", url, "--file-name", "other.exe");
  // The address that has the very name comes before a public name that was made from it.
  await succeed("remove-artifact", "2.0.0", "build/My Habits.exe");
  assert.deepEqual(await names(), ["My-Habits.exe"]);
  await succeed("remove-artifact", "2.0.0", "build/My Habits.exe");
  assert.deepEqual(await names(), []);
});

test("only a draft is discarded, and only when that is confirmed", async (t) => {
  const { home, succeed, fail, draft } = await prepare(t);
  await succeed("new", "2.0.0", "--build", "10", "--note", "added=One");
  const consequence = "This deletes the draft 2.0.0 (build 10) with 0 artifacts and 1 note";
  assert.equal(
    await fail("discard", "2.0.0"),
    `${consequence}: nothing was changed; add --yes to confirm\n`,
  );
  assert.ok((await succeed("discard", "2.0.0", "--dry-run")).stdout.startsWith(consequence));
  const words = ["release", "discard", "2.0.0"];
  const kept = await runAtTerminal(home, words, [[`${consequence}. Continue?`, ENTER]]);
  assert.equal(kept.code, 1);
  assert.ok(existsSync(draft));
  const agreed = await runAtTerminal(home, words, [[`${consequence}. Continue?`, "y"]]);
  assert.equal(agreed.code, 0, agreed.stderr);
  assert.equal(existsSync(draft), false);
  assert.match(
    await fail("discard", "1.0.2", "--yes"),
    /published.*`trellis release withdraw 1\.0/,
  );
  assert.match(await fail("discard", "2.0.0", "--yes"), /There is no release 2\.0\.0/);
  // Its version and build number are free again.
  await succeed("new", "2.0.0", "--build", "10");
});

const CHANGELOG = `# Changelog
## [2.0.0] - 2026-11-16
### Added
- Weekly overview
### Removed
- Support for Windows 7
### Thanks
- Ada
`;

test("the notes of a draft come from a changelog and from options", async (t) => {
  const { home, run, succeed, fail, readDraft } = await prepare(t);
  const path = join(home, "CHANGELOG.md");
  await writeFile(path, CHANGELOG);
  const from = ["--notes-from", path];
  const made = await succeed("new", "2.0.0", "--build", "10", ...from, "--note", "fixed= A = B");
  assert.match(
    made.stderr,
    /^Warning: The section "Thanks" of 2\.0\.0 was left out: known are Add/,
  );
  assert.doesNotMatch(made.stdout, /write the release notes/);
  const notes = {
    added: ["Weekly overview"],
    changed: ["Removed: Support for Windows 7"],
    fixed: ["A = B"],
    security: [],
  };
  assert.deepEqual((await readDraft()).notes, notes);
  await succeed("notes", "2.0.0", "--note", "added=Widgets");
  const added = ["Weekly overview", "Widgets"];
  assert.deepEqual((await readDraft()).notes, { ...notes, added });
  const { stdout } = await succeed("notes", "2.0.0", ...from);
  assert.equal(stdout, "The notes of 2.0.0: 1 added, 1 changed, 0 fixed, 0 security\n");
  assert.deepEqual((await readDraft()).notes, { ...notes, fixed: [] });
  await succeed("notes", "2.0.0", "--clear", "--note", "security=Safer");
  const none = { added: [], changed: [], fixed: [], security: [] };
  assert.deepEqual((await readDraft()).notes, { ...none, security: ["Safer"] });

  assert.match(await fail("notes", "1.0.2", "--clear"), /is published and never changes/);
  assert.match(await fail("notes", "2.0.0", "--notes-from", join(home, "x")), /There is no file/);
  assert.match(
    await fail("new", "2.1.0", "--build", "11", ...from),
    /has no section for 2\.1\.0: add "## \[2\.1\.0\]"; it has 2\.0\.0/,
  );
  assert.equal(existsSync(join(home, "catalog/releases/2.1.0.json")), false);
  for (const note of ["Widgets", "=x", "added=", "removed=x", "constructor=x"]) {
    const { code, stderr } = await run("notes", "2.0.0", "--note", note);
    assert.equal(code, 2, note);
    assert.match(stderr, /--note must be LIST=TEXT such as added="Weekly overview", where LIST is/);
  }
  assert.equal((await run("notes", "2.0.0")).code, 2);
});

test("a changelog whose notes are in no known section is refused, and the notes stay", async (t) => {
  const { home, succeed, fail, readDraft } = await prepare(t);
  await succeed("new", "2.0.0", "--build", "10", "--note", "added=One");
  const { notes } = await readDraft();
  const path = join(home, "CHANGELOG.md");
  const from = ["--notes-from", path];
  await writeFile(path, "## 2.0.0\n- Widgets\n- Faster start\n\n## 2.1.0\n### Features\n- More\n");
  assert.equal(
    await fail("notes", "2.0.0", ...from),
    [
      `No notes for 2.0.0 were found in "${path}": put them below a known heading (### Added, Changed, Deprecated, Removed, Fixed or Security)`,
      'The line "- Widgets" is below no heading',
      'The line "- Faster start" is below no heading\n',
    ].join("\n  "),
  );
  assert.deepEqual((await readDraft()).notes, notes);
  assert.match(
    await fail("new", "2.1.0", "--build", "11", ...from),
    /No notes for 2\.1\.0 were found .*\n {2}The heading "### Features" is not known\n$/,
  );
  assert.equal(existsSync(join(home, "catalog/releases/2.1.0.json")), false);
  const many = Array.from({ length: 7 }, (_, index) => `- Item ${index}`).join("\n");
  await writeFile(path, `## 2.0.0\n${many}\n`);
  assert.match(
    await fail("notes", "2.0.0", ...from),
    /"- Item 4" is below no heading\n {2}2 more lines are below no heading\n$/,
  );
});

test("a release without notes is told by check, and by publish before it is published", async (t) => {
  const { home, succeed, addArtifact, readDraft } = await prepare(t);
  await succeed("new", "2.0.0", "--build", "10");
  await addArtifact("habits.exe", "windows", "x64");
  assert.match(
    (await succeed("check")).stdout,
    /Note: releases\/2\.0\.0\.json has no notes; `trellis release notes 2\.0\.0` writes them/,
  );
  const words = ["release", "publish", "2.0.0", "--no-check-urls", "--allow-lost-coverage"];
  const question = 'to the channel "stable" without notes. Continue?';
  const kept = await runAtTerminal(home, words, [[question, ENTER]]);
  assert.equal(kept.code, 1);
  assert.match(kept.stderr, /`trellis release notes 2\.0\.0` writes them/);
  assert.equal((await readDraft()).status, "draft");
  const agreed = await runAtTerminal(home, words, [[question, "y"]]);
  assert.equal(agreed.code, 0, agreed.stderr);
  assert.equal((await readDraft()).status, "published");
  await succeed("new", "2.1.0", "--build", "11", "--note", "added=Widgets");
  assert.doesNotMatch((await succeed("check")).stdout, /no notes/);
});

test("without a terminal a release without notes is published with a warning", async (t) => {
  const { home, succeed, fail, addArtifact } = await prepare(t);
  await succeed("new", "2.0.0", "--build", "10");
  const warning =
    /^Warning: 2\.0\.0 has no notes, so people do not learn what changed, and a published release never changes: `trellis release notes 2\.0\.0` writes them\n/;
  // It comes before the step that may fail.
  assert.match(await fail("publish", "2.0.0"), warning);
  await addArtifact("habits.exe", "windows", "x64");
  const words = ["release", "publish", "2.0.0", "--no-check-urls", "--yes"];
  const agreed = await runAtTerminal(home, [...words, "--allow-lost-coverage"], []);
  assert.equal(agreed.code, 0, agreed.stderr);
  assert.match(agreed.stderr, warning);
  await succeed("new", "2.1.0", "--build", "11", "--note", "added=Widgets");
  assert.doesNotMatch(await fail("publish", "2.1.0"), /Warning/);
  assert.match(await fail("publish", "1.0.2"), /^(?!Warning)/);
});
