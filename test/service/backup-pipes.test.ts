/** `backup -`, `verify -` and `restore -`. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer, text } from "node:stream/consumers";
import { test, type TestContext } from "node:test";
import { readBackupState } from "../../src/server/backup-state.ts";
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
  assert.match(stderr, /^The program that reads the backup ended before it had all of it/);
  assert.equal((await readBackupState(dataDir, "sync")).last, null);
  assert.deepEqual(await readdir(temporary), []);
});
