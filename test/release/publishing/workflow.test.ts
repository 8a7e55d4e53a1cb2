/** The workflow of the publishing guide, step by step as printed, in a clean clone. */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { peFile, zipFile } from "../../fixtures/built-files.ts";
import { S3_ACCESS_KEY_ID, S3_BUCKET, S3_SECRET, serveS3 } from "../../fixtures/s3-server.ts";
import { HTTPS_AUTHORITY, serveHttps } from "../../fixtures/serve-https.ts";
import { quickStart } from "../../fixtures/quick-start.ts";
import { runInside } from "../../fixtures/run-inside.ts";
import { trellisScript } from "../../fixtures/trellis-program.ts";

const ROOT = join(import.meta.dirname, "../../..");
const PASSPHRASE = "correct horse battery staple";
const KEY_ID = "release-2026-01";
const WINDOWS_APP = peFile("x64", true);

interface Step {
  readonly run: string;
  readonly env: Readonly<Record<string, string>>;
}

/** As much of YAML as the guide uses: steps of six spaces, blocks of ten. */
function readSteps(workflow: string): Step[] {
  const [, publish = ""] = workflow.split("\n  publish:\n");
  const steps = publish.split(/^ {6}- /m).slice(1);
  return steps.flatMap((step) => {
    const block = /run: \|\n((?: {10}.*\n?)+)/.exec(step)?.[1];
    const line = /run: (.+)/.exec(step)?.[1];
    const run = block?.replaceAll(/^ {10}/gm, "") ?? line;
    if (run === undefined) {
      assert.match(step, /^uses: /);
      return [];
    }
    const variables = / {8}env:\n((?: {10}.*\n?)+)/.exec(step)?.[1] ?? "";
    const env = [...variables.matchAll(/^ {10}(\w+): (.+)$/gm)];
    assert.equal(env.length, variables.split("\n").filter(Boolean).length, variables);
    return [{ run, env: Object.fromEntries(env.map(([, name, value]) => [name, value])) }];
  });
}

async function readWorkflow(): Promise<string> {
  const guide = await readFile(join(ROOT, "docs/guides/publish-releases.md"), "utf8");
  const [, workflow = ""] = /^```yaml\n(name: Release\n.*?)^```/ms.exec(guide) ?? [];
  return workflow;
}

test("the workflow may write, has a Node that is new enough, and no secret in a command", async () => {
  const workflow = await readWorkflow();
  assert.match(workflow, /^ {4}permissions:\n {6}contents: write/m);
  assert.match(workflow, /^permissions:\n {2}contents: read$/m);
  const { engines } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8")) as {
    engines: { node: string };
  };
  const [, major] = /node-version: (\d+)/.exec(workflow) ?? [];
  assert.equal(engines.node.startsWith(`>=${major}.`), true);
  // What people type must not become a part of a script.
  for (const { run } of readSteps(workflow)) assert.doesNotMatch(run, /\$\{\{/);
});

test("a key without a passphrase needs no secret for one", async () => {
  const step = readSteps(await readWorkflow()).find(({ run }) => run.includes("release publish"));
  const { run, env } = step ?? assert.fail();
  const [before = ""] = run.split("trellis release");
  // The value of a secret that was never set is empty, and an empty variable is refused.
  const unset = Object.fromEntries(Object.keys(env).map((name) => [name, ""]));
  const check = 'test -z "${TRELLIS_RELEASE_KEY_PASSPHRASE+set}"';
  await runStep(ROOT, `${before}\n${check}`, { PATH: process.env["PATH"] ?? "", ...unset });
});

/** The repository of a maker, and a clean clone of it as a build job gets it. */
async function prepareRepository(home: string, downloadHost: string) {
  const [origin, maker, clone] = [join(home, "origin.git"), join(home, "maker"), join(home, "job")];
  const git = (cwd: string, ...words: string[]) => {
    const identity = ["-c", "user.name=Maker", "-c", "user.email=maker@example.com"];
    const { status, stdout, stderr } = spawnSync("git", [...identity, ...words], {
      cwd,
      encoding: "utf8",
      env: { PATH: process.env["PATH"], HOME: home },
    });
    assert.equal(status, 0, stderr);
    return stdout;
  };
  await mkdir(maker);
  git(home, "init", "-q", "--bare", "-b", "main", origin);
  git(home, "init", "-q", "-b", "main", maker);
  await writeFile(join(maker, "trellis.config.json"), '{ "release": {} }');
  await writeFile(
    join(maker, "CHANGELOG.md"),
    "# Changelog\n\n## [1.4.0] - 2026-11-01\n\n### Added\n\n- Weekly overview\n",
  );
  for (const [words, input] of [
    [`init --product habits --target android/universal --host ${downloadHost}`, ""],
    [`key new --id ${KEY_ID} --passphrase-stdin`, `${PASSPHRASE}\n`],
  ] as const) {
    const { code, stderr } = await runInside(maker, ["release", ...words.split(" ")], { input });
    assert.equal(code, 0, stderr);
  }
  const commit = (message: string) => {
    git(maker, "add", ".");
    git(maker, "commit", "-q", "-m", message);
    git(maker, "push", "-q", origin, "main");
  };
  commit("Begin");
  git(home, "clone", "-q", origin, clone);
  const signingKey = await readFile(join(maker, `data/keys/${KEY_ID}.pem`), "utf8");
  return { maker, clone, origin, git, commit, signingKey: signingKey.trimEnd() };
}

/** `trellis` is this checkout, and `npm` only notes what it is asked for. */
async function prepareTools(home: string): Promise<string> {
  const tools = join(home, "bin");
  await mkdir(tools);
  const scripts = {
    trellis: trellisScript(),
    npm: `#!/bin/sh\necho "$@" >> "${join(home, "npm.log")}"\n`,
  };
  for (const [name, script] of Object.entries(scripts)) {
    await writeFile(join(tools, name), script, { mode: 0o755 });
  }
  return tools;
}

/** As a build service does: `bash -e`, and nothing on standard input. */
async function runStep(cwd: string, script: string, env: Readonly<Record<string, string>>) {
  const child = spawn("bash", ["-e", "-c", script], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  assert.equal(await ended, 0, `${script}\n${stdout}\n${stderr}`);
}

const missing = ["bash", "git"].filter(
  (tool) => spawnSync(tool, ["--version"]).error !== undefined,
);

test(
  "every step succeeds, and the release is uploaded, published, committed and pushed",
  { skip: missing.length > 0 && `needs ${missing.join(", ")}` },
  async (t) => {
    const home = await mkdtemp(join(tmpdir(), "trellis-workflow-"));
    t.after(() => rm(home, { recursive: true, force: true }));
    const s3 = await serveS3(t);
    const downloads = await serveHttps(t, async ({ url = "" }, response) => {
      const found = await s3.read(url.slice(1));
      const body = Buffer.from(await found.arrayBuffer());
      response.writeHead(found.status, { "Content-Length": body.length }).end(body);
    });
    const repository = await prepareRepository(home, new URL(downloads).host);
    const { maker, clone, origin, git, commit, signingKey } = repository;
    await writeFile(join(home, "authority.pem"), HTTPS_AUTHORITY);
    await mkdir(join(clone, "build"));
    await writeFile(join(clone, "build/habits.apk"), zipFile({ "AndroidManifest.xml": "" }));
    await writeFile(join(clone, "build/habits.exe"), WINDOWS_APP);
    const secrets: Readonly<Record<string, string>> = {
      SIGNING_KEY: signingKey,
      KEY_PASSPHRASE: PASSPHRASE,
      AWS_ACCESS_KEY_ID: S3_ACCESS_KEY_ID,
      AWS_SECRET_ACCESS_KEY: S3_SECRET,
    };
    const shared = {
      PATH: `${await prepareTools(home)}:${dirname(process.execPath)}:${process.env["PATH"]}`,
      HOME: home,
      ...quickStart(),
      VERSION: "1.4.0",
      GITHUB_RUN_NUMBER: "17",
      NODE_EXTRA_CA_CERTS: join(home, "authority.pem"),
      AWS_ENDPOINT_URL_S3: s3.endpoint,
    };
    const fill = (value: string) =>
      value
        .replaceAll(/\$\{\{ secrets\.(\w+) \}\}/g, (_, name: string) => secrets[name] ?? "")
        .replace("https://downloads.example.com", downloads);
    const steps = readSteps(await readWorkflow());
    assert.equal(steps.length, 5);
    for (const { run, env } of steps) {
      // The maker goes on working while the job runs.
      if (run.includes("git push")) {
        await writeFile(join(maker, "README.md"), "Habits\n");
        commit("Write a readme");
      }
      const values = Object.entries(env).map(([name, value]) => [name, fill(value)]);
      const script = run.replace("s3://habits-downloads", `s3://${S3_BUCKET}`);
      await runStep(clone, script, { ...shared, ...Object.fromEntries(values) });
    }
    assert.equal(
      await readFile(join(home, "npm.log"), "utf8"),
      "install --global ./tools/trellis-*.tgz\n",
    );
    await expectPublished(home, origin, git);
    assert.deepEqual(
      await (await s3.read("1.4.0/habits.exe")).bytes(),
      new Uint8Array(WINDOWS_APP),
    );
    assert.equal((await readdir(join(clone, "data"))).includes("keys"), false);
  },
);

async function expectPublished(
  home: string,
  origin: string,
  git: (cwd: string, ...words: string[]) => string,
): Promise<void> {
  const result = join(home, "result");
  git(home, "clone", "-q", origin, result);
  const { code, stdout, stderr } = await runInside(result, ["release", "verify", "--json"]);
  assert.equal(code, 0, stderr);
  assert.deepEqual((JSON.parse(stdout) as { releases: string[] }).releases, ["1.4.0"]);
  const release = JSON.parse(
    await readFile(join(result, "catalog/releases/1.4.0.json"), "utf8"),
  ) as { buildNumber: number; notes: { added: string[] } };
  assert.equal(release.buildNumber, 17);
  assert.deepEqual(release.notes.added, ["Weekly overview"]);
  assert.equal(
    git(result, "log", "-1", "--format=%an %ae %s"),
    "github-actions[bot] 41898282+github-actions[bot]@users.noreply.github.com Publish 1.4.0\n",
  );
  assert.equal(/\.pem|build\//.test(git(result, "ls-files")), false);
}
