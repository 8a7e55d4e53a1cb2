/** Two people sign the same catalogue, and git merges what they have. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { runInside } from "../../fixtures/run-inside.ts";

/** A catalogue of which `main` has one more signature than `other`. */
async function prepare(t: TestContext, attributes?: string) {
  const home = await mkdtemp(join(tmpdir(), "trellis-merge-"));
  t.after(() => rm(home, { recursive: true, force: true }));
  writeFileSync(join(home, "trellis.config.json"), '{ "release": {} }');
  const folder = join(home, "catalog");
  const run = (...words: string[]) => runInside(home, ["release", ...words]);
  const git = (...words: string[]) =>
    execFileSync("git", ["-C", folder, "-c", "user.name=a", "-c", "user.email=a@b", ...words], {
      encoding: "utf8",
      stdio: "pipe",
    });
  const succeed = async (...words: string[]) => {
    const { code, stderr } = await run(...words);
    assert.equal(code, 0, stderr);
  };
  const sign = async (times: number) => {
    for (let time = 0; time < times; time++) await succeed("sign");
    git("add", ".");
    git("commit", "-qm", "sign");
  };
  const sequence = () => {
    const { payload } = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
    return JSON.parse(Buffer.from(payload, "base64url").toString("utf8")).sequence as number;
  };
  await succeed("init", "--product", "habits");
  await succeed("key", "new");
  await succeed("new", "1.0.0", "--build", "1");
  writeFileSync(join(home, "habits.deb"), "built");
  const place = ["--platform", "linux", "--architecture", "x64"];
  const url = ["--url", "https://downloads.example.com/habits.deb"];
  await succeed("add-artifact", "1.0.0", join(home, "habits.deb"), ...place, ...url);
  await succeed("publish", "1.0.0", "--yes");
  if (attributes === undefined) rmSync(join(folder, ".gitattributes"));
  else
    assert.equal(readFileSync(join(folder, ".gitattributes"), "utf8").includes(attributes), true);
  git("init", "-q", "-b", "main");
  await sign(0);
  git("switch", "-qc", "other");
  await sign(1);
  git("switch", "-q", "main");
  await sign(2);
  git("switch", "-q", "other");
  assert.throws(() => git("merge", "-q", "main"));
  return { run, git, sequence, folder };
}

test("a merge that left markers in the manifest is told, and the two commands mend it", async (t) => {
  const { run, git, sequence } = await prepare(t);
  for (const words of [["check"], ["status"], ["sign"]]) {
    const { code, stdout, stderr } = await run(...words);
    assert.equal(code, 1, words.join(" "));
    assert.match(
      stdout + stderr,
      /manifest\.json has the conflict markers of a merge[;:] .*`git checkout --theirs manifest\.json`.* `trellis release sign`/,
    );
  }
  git("checkout", "--theirs", "manifest.json");
  assert.equal((await run("sign")).code, 0);
  // Published with 1, signed twice here, and once more now.
  assert.equal(sequence(), 4);
  assert.equal((await run("check")).code, 0);
});

test("git does not merge the manifest of a catalogue that init made", async (t) => {
  const { run, git, sequence } = await prepare(t, "manifest.json -merge -text");
  assert.match(git("status", "--short"), /^UU manifest\.json$/m);
  for (const file of ["archive.jsonl", "archive-index.jsonl"]) {
    const attributes = git("check-attr", "merge", "text", "--", file);
    assert.equal(attributes, `${file}: merge: unset\n${file}: text: unset\n`);
  }
  const warned = await run("check");
  assert.equal(warned.code, 0);
  assert.match(
    warned.stdout,
    /has sequence 2, and the side of the merge that was not taken has 3.*`git checkout MERGE_HEAD -- manifest\.json`/,
  );
  // The other way round: what was signed last is that of main.
  git("checkout", "--theirs", "manifest.json");
  assert.doesNotMatch((await run("check")).stdout, /merge/);
  git("checkout", "--ours", "manifest.json");
  // The same once the merge is committed, until the other side is taken.
  git("add", ".");
  git("commit", "-qm", "merge");
  const { stdout } = await run("check");
  const [, words = ""] = /`git (checkout [0-9a-f]{40} -- manifest\.json)`/.exec(stdout) ?? [];
  git(...words.split(" "));
  assert.equal((await run("sign")).code, 0);
  assert.equal(sequence(), 4);
  assert.doesNotMatch((await run("check")).stdout, /merge/);
});

test("the side that was signed last is told when the other one was taken of a merge into it", async (t) => {
  const { run, git } = await prepare(t, "manifest.json -merge -text");
  git("merge", "--abort");
  git("switch", "-q", "main");
  assert.throws(() => git("merge", "-q", "other"));
  assert.doesNotMatch((await run("check")).stdout, /merge/);
  git("checkout", "--theirs", "manifest.json");
  assert.match(
    (await run("check")).stdout,
    /has sequence 2, and the side .* has 3.*`git checkout HEAD -- manifest\.json`/,
  );
});

test("check tells the lines that git lacks to leave the signed files alone", async (t) => {
  const { run, git, folder } = await prepare(t);
  git("checkout", "--theirs", "manifest.json");
  const { code, stdout } = await run("check");
  assert.equal(code, 0);
  const [, lines = ""] =
    /lines into \.gitattributes .*: (manifest\.json -merge.*)/.exec(stdout) ?? [];
  writeFileSync(join(folder, ".gitattributes"), lines.replaceAll(", ", "\n"));
  assert.doesNotMatch((await run("check")).stdout, /gitattributes/);
});

test("init leaves attributes that are there", async (t) => {
  const home = await mkdtemp(join(tmpdir(), "trellis-merge-"));
  t.after(() => rm(home, { recursive: true, force: true }));
  writeFileSync(join(home, "trellis.config.json"), '{ "release": { "catalog": "." } }');
  const file = join(home, ".gitattributes");
  writeFileSync(file, "* text\n");
  const { code, stderr } = await runInside(home, ["release", "init", "--product", "habits"]);
  assert.equal(code, 0, stderr);
  assert.equal(readFileSync(file, "utf8"), "* text\n");
  assert.ok(existsSync(join(home, "catalog.json")));
});
