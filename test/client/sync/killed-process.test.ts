import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { createSqliteStorage } from "../../../src/client/node/index.ts";

const PROGRAM = join(import.meta.dirname, "edit-until-killed.ts");

/** Kills the process after so many lines; returns all lines that it has written. */
async function editUntilKilled(path: string, lines: number): Promise<string[]> {
  const child = spawn(process.execPath, [PROGRAM, path], { stdio: ["ignore", "pipe", "inherit"] });
  const written: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    written.push(line);
    if (written.length === lines) child.kill("SIGKILL");
  }
  return written;
}

test("a process that is killed loses no edit that has settled, and uses no id twice", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "trellis-killed-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "habits.db");
  const settled: string[] = [];
  for (const lines of [1, 7, 40]) settled.push(...(await editUntilKilled(path, lines)));
  assert.ok(settled.length >= 48);
  assert.equal(new Set(settled).size, settled.length);
  const storage = createSqliteStorage(path);
  t.after(() => storage.close());
  const pending = await storage.transaction("read", (transaction) =>
    transaction.list({ from: "pending/", below: "pending0", limit: 10_000 }),
  );
  const queued = new Set(
    pending.map(([, text]) => (JSON.parse(text) as { operationId: string }).operationId),
  );
  assert.equal(queued.size, pending.length);
  for (const operationId of settled) assert.ok(queued.has(operationId), operationId);
});
