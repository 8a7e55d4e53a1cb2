import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { loadFigures, saveFigures } from "./instance-figures.ts";

const FIGURES = {
  writtenAt: 1,
  isOpen: false,
  hasAccount: true,
  devices: 1,
  lastUsedAt: 2,
  bytes: 3,
  lags: { devices: 1, furthest: 4, behind: [1, 0, 0, 0, 0] },
  keyCheck: "value",
};

test("figures that are damaged are none: a list and a monitor go on without them", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "trellis-figures-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  assert.equal(await loadFigures(folder), null);
  await saveFigures(folder, FIGURES);
  assert.deepEqual(await loadFigures(folder), FIGURES);
  const text = JSON.stringify(FIGURES);
  // An older server wrote no such value.
  await writeFile(join(folder, "figures.json"), text.replace(',"keyCheck":"value"', ""));
  assert.deepEqual(await loadFigures(folder), { ...FIGURES, keyCheck: null });
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
    await writeFile(join(folder, "figures.json"), damaged);
    assert.equal(await loadFigures(folder), null, damaged);
  }
});
