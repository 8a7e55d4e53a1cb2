import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { compactLog } from "../../../src/sync/maintenance/compact.ts";
import type { SqlSyncStore } from "../../../src/sync/sql/open-sql-store.ts";
import { createStoreCases, type StoreHarness } from "../../../store-contract/index.ts";
import { createMemoryHarness } from "./memory-harness.ts";
import { createSqlPlace, type SqlKind } from "./sql-place.ts";

function createSqlHarness(kind: SqlKind): StoreHarness {
  return {
    createPlace: () => createSqlPlace(kind),
    isShared: true,
    compact: async (store) => void (await compactLog((store as SqlSyncStore).database)),
  };
}

const HARNESSES = {
  SQLite: createSqlHarness("SQLite"),
  PostgreSQL: createSqlHarness("PostgreSQL"),
  "a store in memory": createMemoryHarness(),
};

for (const [name, harness] of Object.entries(HARNESSES)) {
  // The last file of a run: by itself it would leave a core idle.
  describe(`${name} fulfils the store port`, { concurrency: 3 }, () => {
    for (const { name, run } of createStoreCases(harness)) test(name, run);
  });
}

test("a store that cannot be shared or compacted gets no such cases", () => {
  const { createPlace } = createMemoryHarness();
  const names = new Set(createStoreCases({ createPlace }).map(({ name }) => name));
  const all = createStoreCases(createMemoryHarness()).map(({ name }) => name);
  const left = all.filter((name) => !names.has(name));
  assert.equal(new Set(all).size, all.length, "every case has its own name");
  assert.equal(left.length, 13);
});
