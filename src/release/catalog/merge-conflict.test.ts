import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { explainMergeConflict } from "./merge-conflict.ts";

const envelope = (sequence: number) => {
  const payload = Buffer.from(JSON.stringify({ sequence })).toString("base64url");
  return `${JSON.stringify({ schemaVersion: 1, payload, signature: `s${sequence}` }, null, 2)}\n`;
};

/** The file after git has merged two manifests that were signed from a third one. */
function merge(t: TestContext, ours: string, theirs: string, ...options: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "trellis-merge-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "manifest.json");
  const git = (...words: string[]) =>
    execFileSync("git", ["-C", folder, "-c", "user.name=a", "-c", "user.email=a@b", ...words], {
      stdio: "pipe",
    });
  const commit = (text: string) => {
    writeFileSync(file, text);
    git("add", ".");
    git("commit", "-qm", "sign");
  };
  git("init", "-q", "-b", "main");
  commit(envelope(5));
  git("switch", "-qc", "other");
  commit(theirs);
  git("switch", "-q", "main");
  commit(ours);
  assert.throws(() => git(...options, "merge", "-q", "other"));
  return readFileSync(file, "utf8");
}

test("the markers of a merge name the two commands that mend it, by the manifest signed last", (t) => {
  for (const [ours, theirs, side] of [
    [6, 8, "theirs"],
    [8, 6, "ours"],
    [7, 7, "ours"],
  ] as const) {
    for (const style of ["merge", "diff3", "zdiff3"]) {
      const text = merge(
        t,
        envelope(ours),
        envelope(theirs).replace("s7", "other"),
        "-c",
        `merge.conflictStyle=${style}`,
      );
      const { problem, remedy } = explainMergeConflict(text, false) ?? assert.fail(text);
      assert.equal(problem, "has the conflict markers of a merge");
      assert.match(
        remedy,
        new RegExp(`\`git checkout --${side} manifest\\.json\`.* \`trellis release sign\`$`),
      );
    }
  }
});

test("a damaged side is no reason to take it", (t) => {
  const text = merge(t, "no manifest\n", envelope(6));
  assert.match(explainMergeConflict(text, false)?.remedy ?? "", /--theirs/);
});

test("a manifest without markers, whatever is in it, is none of a merge", () => {
  for (const text of [
    envelope(1),
    "",
    "=======\n",
    "<<<<<<< HEAD\n",
    "x <<<<<<< a\n=======\n>>>>>>> b\n",
  ]) {
    assert.equal(explainMergeConflict(text, false), null);
  }
});

test("the archive is taken from the same side as its manifest", (t) => {
  const text = merge(t, envelope(6), envelope(8));
  assert.match(
    explainMergeConflict(text, true)?.remedy ?? "",
    /`git checkout --theirs manifest\.json archive\.jsonl archive-index\.jsonl`/,
  );
});
