import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test, type TestContext } from "node:test";
import { createSqliteStorage } from "../../../src/client/node/index.ts";

const PROGRAM = join(import.meta.dirname, "edit-until-killed.ts");

/** Kills the process after so many lines; returns all lines that it has written. */
async function editUntilKilled(path: string, lines: number, together = 1): Promise<string[]> {
  const child = spawn(process.execPath, [PROGRAM, path, String(together)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const written: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    written.push(line);
    if (written.length === lines) child.kill("SIGKILL");
  }
  return written;
}

/** A folder that is removed after the test. */
async function createPath(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "trellis-killed-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return join(folder, "habits.db");
}

/** The ids of the operations that wait. */
async function readQueue(t: TestContext, path: string): Promise<string[]> {
  const storage = createSqliteStorage(path);
  t.after(() => storage.close());
  const pending = await storage.transaction("read", (transaction) =>
    transaction.list({ from: "pending/", below: "pending0", limit: 100_000 }),
  );
  return pending.map(
    ([, value]) =>
      (JSON.parse(value.slice(value.indexOf("{"))) as { operationId: string }).operationId,
  );
}

test("a process that is killed loses no edit that has settled, and uses no id twice", async (t) => {
  const path = await createPath(t);
  const settled: string[] = [];
  for (const lines of [1, 7, 40]) settled.push(...(await editUntilKilled(path, lines)));
  assert.ok(settled.length >= 48);
  assert.equal(new Set(settled).size, settled.length);
  const queue = await readQueue(t, path);
  const queued = new Set(queue);
  assert.equal(queued.size, queue.length);
  for (const operationId of settled) assert.ok(queued.has(operationId), operationId);
});

test("a process that is killed while it imports has all edits of a transaction or none", async (t) => {
  const path = await createPath(t);
  const settled: string[] = [];
  for (const lines of [1, 2]) settled.push(...(await editUntilKilled(path, lines, 1000)));
  const queued = new Set(await readQueue(t, path));
  assert.equal(queued.size % 1000, 0, `${queued.size} edits`);
  for (const operationId of settled.flatMap((line) => line.split(" "))) {
    assert.ok(queued.has(operationId), operationId);
  }
});
