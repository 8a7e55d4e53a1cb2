/** `trellis doctor` and private keys that git tracks, or would take. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { openInstanceKey } from "../../src/identity/instance-key.ts";
import { runInside } from "../fixtures/run-inside.ts";

interface Finding {
  readonly level: string;
  readonly subject: string;
  readonly message: string;
  readonly remedy?: string;
}

async function createRepository(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), "trellis-tracked-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const configuration = { release: {}, sync: { baseUrl: "http://localhost:1" } };
  await writeFile(join(folder, "trellis.config.json"), JSON.stringify(configuration));
  await runInside(folder, ["release", "init", "--product", "habits"]);
  const { code } = await runInside(folder, ["release", "key", "new"]);
  assert.equal(code, 0);
  openInstanceKey(join(folder, "data/instance.key"));
  const git = (...words: string[]) => execFileSync("git", words, { cwd: folder, encoding: "utf8" });
  git("init", "-q");
  return { folder, git };
}

async function diagnose(folder: string): Promise<Finding[]> {
  const { stdout } = await runInside(folder, ["doctor", "--json"]);
  const { findings } = JSON.parse(stdout) as { findings: Finding[] };
  return findings.filter(({ subject }) => subject === "version control");
}

test("nothing private is added by git add, and doctor finds nothing", async (t) => {
  const { folder, git } = await createRepository(t);
  git("add", ".");
  assert.doesNotMatch(git("ls-files"), /data/);
  assert.match(git("ls-files"), /catalog\/keys\.json/);
  assert.deepEqual(await diagnose(folder), []);
});

test("every private key that git tracks is an error", async (t) => {
  const { folder, git } = await createRepository(t);
  git("add", "--force", "data");
  const findings = await diagnose(folder);
  assert.deepEqual(
    findings.map(({ level }) => level),
    ["error", "error", "error"],
  );
  const text = JSON.stringify(findings);
  for (const name of ["release-2026-01.pem", "release-2026-02.pem", "instance.key"]) {
    assert.ok(text.includes(name.replace("2026", String(new Date().getUTCFullYear()))), name);
  }
  assert.match(findings[0]?.remedy ?? "", /git rm --cached .*trellis release key revoke/);
  const instanceKey = findings.find(({ message }) => message.includes("instance.key"));
  assert.match(
    instanceKey?.remedy ?? "",
    /git rm --cached .*`trellis sync key rotate`.*`trellis sync key drop ID`/,
  );
});

test("a private key that git would take is a warning, also one of several instances", async (t) => {
  const { folder, git } = await createRepository(t);
  const add = async (name: string) => {
    await mkdir(join(folder, "data/instances", name), { recursive: true });
    openInstanceKey(join(folder, "data/instances", name, "instance.key"));
  };
  await add("ada");
  await rm(join(folder, "data/.gitignore"), { force: true });
  await rm(join(folder, "data/instances/ada/.gitignore"), { force: true });
  const exposed = await diagnose(folder);
  assert.deepEqual([...new Set(exposed.map(({ level }) => level))], ["warning"]);
  const text = JSON.stringify(exposed);
  for (const name of ["data/instance.key", "data/instances/ada/instance.key"]) {
    assert.ok(text.includes(name), `${name} in ${text}`);
  }
  await writeFile(join(folder, ".gitignore"), "data/\n");
  assert.deepEqual(await diagnose(folder), []);
  git("add", "--force", "data/instances/ada/instance.key");
  const [tracked, ...others] = await diagnose(folder);
  assert.equal(tracked?.level, "error");
  assert.match(tracked.message, /ada/);
  assert.match(tracked.remedy ?? "", /`trellis sync key rotate --instance ada`/);
  assert.deepEqual(others, []);
});
