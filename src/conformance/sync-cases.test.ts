import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { SYNC_CASES } from "./sync-cases.ts";

test("every file of a sync case is in the list under its own name", async () => {
  const files = await readdir(join(import.meta.dirname, "cases/sync"));
  assert.deepEqual(SYNC_CASES.map(({ id }) => `${id}.ts`).toSorted(), files.toSorted());
});

test("every case cites what requires it", () => {
  for (const { id, title, section } of SYNC_CASES) {
    assert.match(section, /^(?:sync contract|Trellis decision), ./, id);
    assert.match(title, /^[^.]*(?:\.[^. ][^.]*)*[^.]$/, id);
  }
});
