/** A store and its instance key belong to each other: services do not start with another one. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { runInside } from "../fixtures/run-inside.ts";
import { createAccount } from "./create-account.ts";
import { runTrellis } from "./start-trellis.ts";

const PASSWORD = "correct horse battery";
const SERVICES = {
  sync: { list: "devices list", change: "account password" },
  events: { list: "account list", change: "account password --username ada" },
} as const;

async function createInstance(t: TestContext, service: keyof typeof SERVICES) {
  const folder = await mkdtemp(join(tmpdir(), "trellis-keys-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const configuration = { [service]: { listen: { port: 0 } } };
  await writeFile(join(folder, "trellis.config.json"), JSON.stringify(configuration));
  const run = (words: string, input = "") =>
    runInside(folder, [service, ...words.split(" ")], { input });
  await createAccount(folder, service, { username: "ada", password: PASSWORD });
  return { folder, run, key: join(folder, "data/instance.key") };
}

const isReady = (line: string) => line.startsWith('{"event":"ready"');

function serve(t: TestContext, folder: string, service: string, ...words: string[]) {
  const config = join(folder, "trellis.config.json");
  return runTrellis(t, ["serve", service, "--config", config, ...words]);
}

for (const service of ["sync", "events"] as const) {
  test(`git ignores the key that ${service} makes for a configuration written by hand`, async (t) => {
    const folder = await mkdtemp(join(tmpdir(), "trellis-keys-"));
    t.after(() => rm(folder, { recursive: true, force: true }));
    const git = (...words: string[]) =>
      execFileSync("git", words, { cwd: folder, encoding: "utf8" });
    git("init", "--quiet");
    await writeFile(join(folder, "trellis.config.json"), JSON.stringify({ [service]: {} }));
    const create = `${service} account create --username ada --password-stdin`.split(" ");
    const { code, stderr } = await runInside(folder, create, { input: PASSWORD });
    assert.equal(code, 0, stderr);
    git("add", "--all");
    assert.deepEqual(git("ls-files").trim().split("\n"), [
      "data/.gitignore",
      "trellis.config.json",
    ]);
  });
}

for (const [service, { list, change }] of Object.entries(SERVICES)) {
  test(`${service} does not start with a lost or foreign key, and creates nothing`, async (t) => {
    const { folder, run, key } = await createInstance(t, service as keyof typeof SERVICES);
    const kept = join(folder, "kept.key");
    await rename(key, kept);
    const files = await readdir(join(folder, "data"));
    const refuse = (stderr: string, reason: RegExp) => {
      assert.match(stderr, reason);
      assert.ok(stderr.includes(key), stderr);
      assert.match(stderr, /account password --new-instance-key/);
      assert.doesNotMatch(stderr, /\n\s+at /, "no stack");
    };
    const refuseToServe = async (reason: RegExp, ...words: string[]) => {
      const server = serve(t, folder, service, ...words);
      await assert.rejects(server.line(isReady), /ended with code 1/);
      refuse(server.stderr(), reason);
    };
    const refuseToRun = async (words: string, reason: RegExp) => {
      const { code, stderr } = await run(words, PASSWORD);
      assert.equal(code, 1);
      refuse(stderr, reason);
    };
    await refuseToServe(/There is no instance key at/);
    await refuseToRun(list, /There is no instance key at .+: put back your copy/);
    await refuseToRun("backup one.backup", /There is no instance key at/);
    const diagnosed = await runInside(folder, ["doctor"]);
    assert.match(
      diagnosed.stdout,
      /the key file .* is missing, and the store needs it.*--new-instance-key/s,
    );
    assert.equal(existsSync(key), false);
    assert.deepEqual(await readdir(join(folder, "data")), files);

    await writeFile(key, randomBytes(32), { mode: 0o600 });
    await refuseToServe(/is not the one that the .* store belongs to/);
    await refuseToServe(/is not the one/, "--workers", "2");
    await refuseToRun(list, /is not the one/);
    await refuseToRun("backup one.backup", /is not the one/);
    assert.equal(existsSync(join(folder, "one.backup")), false);
    await refuseToRun(`${change} --password-stdin`, /is not the one/);

    await rename(kept, key);
    await serve(t, folder, service).line(isReady);
    assert.equal((await run(list)).code, 0);
  });

  test(`${service} goes on with a new key when the old one is lost for good`, async (t) => {
    const { folder, run, key } = await createInstance(t, service as keyof typeof SERVICES);
    await rm(key);
    const changed = await run(`${change} --new-instance-key --password-stdin`, PASSWORD);
    assert.equal(changed.code, 0, changed.stderr);
    const backup = await run(`backup ${join(folder, "one.backup")}`);
    assert.equal(backup.code, 0, backup.stderr);
    await serve(t, folder, service).line(isReady);
    const diagnosed = await runInside(folder, ["doctor"]);
    assert.doesNotMatch(diagnosed.stdout, /another key/);
  });
}
