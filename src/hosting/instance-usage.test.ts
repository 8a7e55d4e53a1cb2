import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { loadUsage, saveUsage } from "./instance-usage.ts";

const USAGE = {
  writtenAt: 1,
  isOpen: false,
  hasAccount: true,
  devices: 1,
  lastUsedAt: 2,
  bytes: 3,
  lags: { devices: 1, furthest: 4, behind: [1, 0, 0, 0, 0] },
  keyCheck: "value",
};

test("damaged usage is none: a list and a monitor go on without it", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "trellis-usage-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  assert.equal(await loadUsage(folder), null);
  await saveUsage(folder, USAGE);
  assert.deepEqual(await loadUsage(folder), USAGE);
  const text = JSON.stringify(USAGE);
  for (const damaged of [
    "",
    text.slice(0, -1),
    "[]",
    text.replace('"lastUsedAt":2', '"lastUsedAt":9e15'),
    text.replace('"bytes":3', '"bytes":1e400'),
    text.replace('"bytes":3', '"bytes":-3'),
    text.replace('"furthest":4', '"furthest":1e400'),
    text.replace("[1,", "[1e400,"),
    text.replace('"value"', "{}"),
  ]) {
    assert.notEqual(damaged, text);
    await writeFile(join(folder, "usage.json"), damaged);
    assert.equal(await loadUsage(folder), null, damaged);
  }
});
