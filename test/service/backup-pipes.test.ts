/** `backup -`, `verify -` and `restore -`, pipes with a name, and what they leave when they are broken off. */
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer, text } from "node:stream/consumers";
import { test, type TestContext } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { readBackupState } from "../../src/backup/backup-state.ts";
import { quickStart } from "../fixtures/quick-start.ts";
import { nodeProgram } from "../fixtures/trellis-program.ts";
import { createAccount } from "./create-account.ts";

const [PROGRAM, ...PROGRAM_WORDS] = nodeProgram();

async function createInstance(t: TestContext, service: "sync" | "events") {
  const folder = await mkdtemp(join(tmpdir(), "trellis-pipe-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const temporary = await mkdtemp(join(folder, "tmp-"));
  await writeFile(join(folder, "trellis.config.json"), JSON.stringify({ [service]: {} }));
  const start = (words: string) =>
    spawn(PROGRAM, [...PROGRAM_WORDS, service, ...words.split(" ")], {
      cwd: folder,
      env: { PATH: process.env["PATH"], ...quickStart(), TMPDIR: temporary },
      stdio: ["pipe", "pipe", "pipe"],
    });
  return {
    folder,
    start,
    temporary,
    dataDir: join(folder, "data"),
    createAccount: () =>
      createAccount(folder, service, { username: "ada", password: "a long enough password" }),
    async run(words: string, input: Uint8Array | string = "") {
      const child = start(words);
      child.stdin.on("error", () => {});
      child.stdin.end(input);
      const [[code], stdout, stderr] = await Promise.all([
        once(child, "close") as Promise<[number]>,
        buffer(child.stdout),
        text(child.stderr),
      ]);
      return { code, stdout, stderr };
    },
  };
}

for (const service of ["sync", "events"] as const) {
  // The commands are the same: what follows the first two is tried with one.
  test(`${service}: a backup goes through a pipe, and its messages beside it`, async (t) => {
    const { run, createAccount, dataDir, temporary } = await createInstance(t, service);
    await createAccount();
    const backup = await run("backup -");
    assert.equal(backup.code, 0, backup.stderr);
    assert.match(backup.stderr, /^Wrote and verified standard output\n/);
    assert.deepEqual([...backup.stdout.subarray(0, 2)], [0x1f, 0x8b]);
    assert.equal((await readBackupState(dataDir, service)).last?.place, "standard output");
    const verified = await run("verify -", backup.stdout);
    assert.match(verified.stdout.toString(), /^standard input is complete and authentic/);
    assert.deepEqual(await readdir(temporary), []);
    if (service === "events") return;
    const cut = await run("verify -", backup.stdout.subarray(0, backup.stdout.length - 20));
    assert.equal(cut.code, 1);
    assert.match(cut.stderr, /The backup is not valid/);
    const restored = await run("restore - --yes", backup.stdout);
    assert.equal(restored.code, 0, restored.stderr);
    const both = await run("restore - --with-key --passphrase-stdin", backup.stdout);
    assert.equal(both.code, 2);
    assert.match(both.stderr, /cannot both come from standard input/);
    assert.deepEqual(await readdir(temporary), []);
  });
}

test("a reader that ends early fails the backup, which is not remembered", async (t) => {
  const { createAccount, start, dataDir, temporary } = await createInstance(t, "sync");
  await createAccount();
  const child = start("backup -");
  child.stdout.destroy();
  const [stderr, [code]] = await Promise.all([
    text(child.stderr),
    once(child, "close") as Promise<[number]>,
  ]);
  assert.equal(code, 1);
  assert.match(stderr, /^The program that reads the backup ended too early/);
  assert.equal((await readBackupState(dataDir, "sync")).last, null);
  assert.deepEqual(await readdir(temporary), []);
});

test("a pipe with a name is read once, like standard input", async (t) => {
  const { createAccount, folder, run, temporary } = await createInstance(t, "sync");
  await createAccount();
  await run("backup one.backup");
  const [pipe, file] = [join(folder, "pipe"), join(folder, "one.backup")];
  execFileSync("mkfifo", [pipe]);
  for (const words of [`verify ${pipe}`, `restore ${pipe} --yes`]) {
    const writer = spawn("sh", ["-c", `exec cat "${file}" > "${pipe}"`]);
    t.after(() => writer.kill());
    const { code, stderr } = await run(words);
    assert.equal(code, 0, stderr);
  }
  assert.deepEqual(await readdir(temporary), []);
});

const scratchIn = async (folder: string) =>
  (await readdir(folder)).filter((name) => name.endsWith(".scratch"));

/** Starts a process that holds the backup open. */
async function holdOpen(t: TestContext, file: string) {
  const script = join(import.meta.dirname, "hold-backup.ts");
  const child = spawn(process.execPath, [script, file], { stdio: ["ignore", "pipe", "inherit"] });
  t.after(() => child.kill("SIGKILL"));
  const ended = once(child, "close");
  await Promise.race([once(child.stdout, "data"), ended]);
  return {
    async end(signal: NodeJS.Signals) {
      child.kill(signal);
      const [, endedBy] = (await ended) as [number | null, NodeJS.Signals | null];
      assert.equal(endedBy, signal);
    },
  };
}

test("a signal leaves no scratch store behind, and the next run removes that of a crash", async (t) => {
  const { createAccount, folder, run } = await createInstance(t, "sync");
  await createAccount();
  await run("backup one.backup");
  const file = join(folder, "one.backup");
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    const held = await holdOpen(t, file);
    assert.equal((await scratchIn(folder)).length, 1);
    await held.end(signal);
    assert.deepEqual(await scratchIn(folder), []);
  }
  const crashed = await holdOpen(t, file);
  const [left = ""] = await scratchIn(folder);
  await crashed.end("SIGKILL");
  assert.deepEqual(await scratchIn(folder), [left]);
  // Neither what another process uses, nor a link, nor what belongs to another file is touched.
  const living = await holdOpen(t, file);
  const [used = "", ...more] = await scratchIn(folder);
  assert.deepEqual([used !== left, more], [true, []]);
  const others = ["one.backup.0123456789ab.scratch", "two.backup.0123456789ab.scratch"];
  for (const name of others) await symlink(folder, join(folder, name));
  assert.equal((await run(`verify ${file}`)).code, 0);
  assert.deepEqual(await scratchIn(folder), [...others, used].sort());
  await living.end("SIGTERM");
});

test("a signal leaves nothing of what came through a pipe", async (t) => {
  const { start, temporary } = await createInstance(t, "sync");
  const child = start("verify -");
  const ended = once(child, "close");
  t.after(() => child.kill("SIGKILL"));
  child.stdin.write("the begin");
  // The folder is there once the process has begun to read.
  while ((await scratchIn(temporary)).length === 0) await wait(10);
  child.kill("SIGINT");
  assert.equal((await ended)[1], "SIGINT");
  assert.deepEqual(await readdir(temporary), []);
});
