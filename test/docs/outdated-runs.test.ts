/** A quoted run is of the present code, as git says it. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { findOutdatedRuns } from "../../scripts/outdated-runs.ts";

const BENCHMARKS = [{ name: "sync", command: ["bench:sync"], measures: ["src"] }];

test("a run of older code is named, one that a later commit leaves alone is not", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "trellis-runs-"));
  const root = folder.path;
  const git = (...words: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], {
      cwd: root,
      encoding: "utf8",
    }).trim();
  const commit = (path: string, text: string) => {
    writeFileSync(join(root, path), text);
    git("add", "-A");
    git("commit", "-qm", `change ${path}`);
    return git("rev-parse", "--short=8", "HEAD");
  };
  const record = (first: string) =>
    writeFileSync(join(root, "bench/recorded/sync.md"), `${first}\n`);
  const find = () => findOutdatedRuns(root, BENCHMARKS);

  git("init", "-q");
  mkdirSync(join(root, "src"));
  mkdirSync(join(root, "bench/recorded"), { recursive: true });
  const measured = commit("src/push.ts", "export const one = 1;");
  record("2026-11-19 · a machine");
  assert.match(find().problems.join(), /does not name the commit/);
  record(`Commit ${measured} · 2026-11-19`);
  commit("src/push.test.ts", "a test");
  commit("page.ts", "another part");
  commit("src/push.ts", "/** A comment and a type. */\nexport const one: number = 1;\n");
  assert.deepEqual(find(), { problems: [], notCompared: [] });
  commit("src/push.ts", "export const two = 2;");
  commit("src/pull.ts", "export const pull = 1;");
  assert.match(find().problems.join(), /sync\.md: src\/pull\.ts, src\/push\.ts changed since/);
  record("Commit 0123456789ab · 2026-11-19");
  assert.deepEqual(find(), { problems: [], notCompared: ["sync"] });
});
