import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { explainLockFailure, lockCatalog } from "./lock-catalog.ts";

function folderFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "trellis-lock-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test("a second process waits until the first is done, and `onWait` is called once", async (t) => {
  const folder = folderFor(t);
  const first = await lockCatalog(folder, { waitMs: 0 });
  assert.ok(first);
  let told = 0;
  let isDone = false;
  const second = lockCatalog(folder, { waitMs: 5000, onWait: () => void told++ });
  setTimeout(() => {
    isDone = true;
    first.release();
  }, 150);
  const lock = await second;
  assert.ok(lock);
  assert.equal(isDone, true);
  assert.equal(told, 1);
  lock.release();
});

test("the lock is not waited for longer than waitMs", async (t) => {
  const folder = folderFor(t);
  const first = await lockCatalog(folder, { waitMs: 0 });
  assert.equal(await lockCatalog(folder, { waitMs: 100 }), null);
  first?.release();
});

test("a killed process leaves no lock", async (t) => {
  const folder = folderFor(t);
  const module = new URL("./lock-catalog.ts", import.meta.url).href;
  const code = `import { explainLockFailure, lockCatalog } from ${JSON.stringify(module)};
    await lockCatalog(${JSON.stringify(folder)}, { waitMs: 0 });
    process.stdout.write("held");
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", code]);
  t.after(() => child.kill("SIGKILL"));
  await once(child.stdout, "data");
  assert.equal(await lockCatalog(folder, { waitMs: 50 }), null);
  child.kill("SIGKILL");
  await once(child, "close");
  const lock = await lockCatalog(folder, { waitMs: 0 });
  assert.ok(lock);
  lock.release();
});

test("a lock file that is no database is an error, not a lock", async (t) => {
  const folder = folderFor(t);
  writeFileSync(join(folder, ".lock"), "this is no lock, it is a text of some length".repeat(50));
  await assert.rejects(lockCatalog(folder, { waitMs: 0 }));
  await assert.rejects(lockCatalog(join(folder, "absent"), { waitMs: 0 }));
});

test("a full disk is told as that, and anything else as a folder that cannot be written", () => {
  const full = Object.assign(new Error("database or disk is full"), { errcode: 13 });
  assert.match(
    explainLockFailure("/a", full),
    /^Cannot lock "\/a" .*: there is no space left: free/,
  );
  const denied = Object.assign(new Error("unable to open database file"), { errcode: 14 });
  assert.match(
    explainLockFailure("/a", denied),
    /unable to open database file: make the folder wr/,
  );
});
