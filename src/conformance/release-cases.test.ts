import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { RELEASE_CASES } from "./release-cases.ts";

test("every file of a release case is in the list under its own name", async () => {
  const files = await readdir(join(import.meta.dirname, "cases/release"));
  assert.deepEqual(RELEASE_CASES.map(({ id }) => `${id}.ts`).toSorted(), files.toSorted());
});

test("every case cites what requires it", () => {
  for (const { id, title, section } of RELEASE_CASES) {
    assert.match(section, /^(?:release contract|Trellis decision), ./, id);
    assert.match(title, /^[^.]+[^.]$/, id);
  }
});
