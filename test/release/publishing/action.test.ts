/** The action for other makers: its steps as they are written, in a clean clone of a maker's repository. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { parse } from "yaml";
import type { PublishedSource } from "../../../src/contract/release/catalog.ts";
import { peFile } from "../../fixtures/built-files.ts";
import { quickStart } from "../../fixtures/quick-start.ts";
import { runInside } from "../../fixtures/run-inside.ts";
import { trellisScript } from "../../fixtures/trellis-program.ts";

const ROOT = join(import.meta.dirname, "../../..");
const KEY_ID = "release-2026-01";

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

interface Step {
  readonly name?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

async function readAction(): Promise<Action> {
  return parse(await readFile(join(ROOT, "action.yml"), "utf8")) as Action;
}

test("no input of the action is part of a script, and every input is used", async () => {
  const { inputs, runs } = await readAction();
  for (const { run = "" } of runs.steps) assert.doesNotMatch(run, /\$\{\{/);
  const used = JSON.stringify(runs.steps);
  for (const name of Object.keys(inputs)) assert.ok(used.includes(`inputs.${name} `), name);
});

/** A repository with a catalogue and a key, and a clean clone of it as a build job gets it. */
async function prepareClone(home: string) {
  const [maker, clone] = [join(home, "maker"), join(home, "job")];
  const git = (cwd: string, ...words: string[]) => {
    const identity = ["-c", "user.name=Maker", "-c", "user.email=maker@example.com"];
    const { status, stderr } = spawnSync("git", [...identity, ...words], { cwd, encoding: "utf8" });
    assert.equal(status, 0, stderr);
  };
  await mkdir(maker);
  git(maker, "init", "-q", "-b", "main");
  await writeFile(join(maker, "trellis.config.json"), '{ "release": {} }');
  await writeFile(
    join(maker, "CHANGELOG.md"),
    "## 1.5.0-beta.2\n\n### Added\n\n- Weekly overview\n",
  );
  for (const words of ["init --product habits", `key new --id ${KEY_ID}`]) {
    const { code, stderr } = await runInside(maker, ["release", ...words.split(" ")]);
    assert.equal(code, 0, stderr);
  }
  git(maker, "add", ".");
  git(maker, "commit", "-q", "-m", "Begin");
  git(home, "clone", "-q", maker, clone);
  await mkdir(join(clone, "build"));
  await writeFile(join(clone, "build/Habits Setup.exe"), peFile("x64", true));
  await writeFile(join(clone, "build/habits.bin"), "the linux app");
  return { clone, key: await readFile(join(maker, `data/keys/${KEY_ID}.pem`), "utf8") };
}

/** The program of this run in place of `node FILE`, and an `npm` that only notes what it is asked for. */
async function prepareTools(home: string): Promise<string> {
  const tools = join(home, "bin");
  await mkdir(tools);
  const scripts = {
    "trellis-of-this-run": trellisScript(),
    node: `#!/bin/sh\nshift\nexec "${tools}/trellis-of-this-run" "$@"\n`,
    npm: `#!/bin/sh\necho "$@" >> "${home}/npm.log"\n`,
  };
  for (const [name, script] of Object.entries(scripts)) {
    await writeFile(join(tools, name), script, { mode: 0o755 });
  }
  return tools;
}

test("the steps of the action publish a release and export it, and no key is left", async (t) => {
  const home = await mkdtemp(join(tmpdir(), "trellis-action-"));
  t.after(() => rm(home, { recursive: true, force: true }));
  const { clone, key } = await prepareClone(home);
  const tools = await prepareTools(home);
  const { inputs, runs } = await readAction();
  const given: Readonly<Record<string, string>> = {
    version: "1.4.0",
    build: "17",
    channel: "beta",
    "app-version": "1.5.0-beta.2",
    "url-base": "https://downloads.example.com/1.4.0",
    "add-options": "--signed --as habits.bin=linux/x64",
    "publish-options": "--rollout 25 --allow-version-mismatch",
    "key-id": KEY_ID,
    "signing-key": key.trimEnd(),
    "export-to": "public",
    site: "Habits; $(touch injected)",
  };
  const fill = (text: string) =>
    text
      .replaceAll("${{ github.action_path }}", ROOT)
      .replaceAll(
        /\$\{\{ inputs\.([\w-]+) \}\}/g,
        (_all, name: string) => given[name] ?? inputs[name]?.default ?? "",
      );
  for (const { name, run, env = {} } of runs.steps) {
    if (run === undefined) continue;
    const filled = Object.entries(env).map(([variable, value]) => [variable, fill(value)]);
    const { status, stdout, stderr } = spawnSync("bash", ["-e", "-o", "pipefail", "-c", run], {
      cwd: clone,
      encoding: "utf8",
      env: {
        ...quickStart(),
        PATH: `${tools}:${process.env["PATH"]}`,
        HOME: home,
        ...Object.fromEntries(filled),
      },
    });
    assert.equal(status, 0, `${name}: ${stdout}${stderr}`);
  }
  assert.match(await readFile(join(home, "npm.log"), "utf8"), /^ci --omit=dev --ignore-scripts/);
  const released = await readFile(join(clone, "catalog/releases/1.4.0.json"), "utf8");
  const { status, buildNumber, channel, appVersion, notes, artifacts } = JSON.parse(
    released,
  ) as PublishedSource;
  assert.deepEqual([status, buildNumber, channel], ["published", 17, "beta"]);
  assert.equal(appVersion, "1.5.0-beta.2");
  const { rollouts } = JSON.parse(await readFile(join(clone, "catalog/catalog.json"), "utf8"));
  assert.deepEqual(rollouts, [{ version: "1.4.0", percent: 25 }]);
  assert.deepEqual(notes.added, ["Weekly overview"]);
  assert.deepEqual(
    artifacts.map(({ platform, architecture, signed, url }) => [
      `${platform}/${architecture}`,
      signed,
      url,
    ]),
    [
      ["windows/x64", true, "https://downloads.example.com/1.4.0/Habits%20Setup.exe"],
      ["linux/x64", false, "https://downloads.example.com/1.4.0/habits.bin"],
    ],
  );
  assert.ok(existsSync(join(clone, "public/current/public/api/v1/manifest/index.json")));
  assert.equal(existsSync(join(clone, "data/keys")), false);
  assert.equal(existsSync(join(clone, "injected")), false);
});
