import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { EVENTS_CASES } from "./events-cases.ts";

test("every file of an events case is in the list under its own name", async () => {
  const files = await readdir(join(import.meta.dirname, "cases/events"));
  assert.deepEqual(EVENTS_CASES.map(({ id }) => `${id}.ts`).toSorted(), files.toSorted());
});

test("every case cites what requires it: the contract for its level, a decision for the other", () => {
  for (const { id, title, section, level } of EVENTS_CASES) {
    const source = level === "contract" ? "events contract" : "Trellis decision";
    assert.ok(section.startsWith(`${source}, `), id);
    assert.match(title, /^[^.]*(?:\.[^. ][^.]*)*[^.]$/, id);
  }
});
