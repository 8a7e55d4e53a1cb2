import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { compactLog } from "../../../src/sync/maintenance/compact.ts";
import type { SqlSyncStore } from "../../../src/sync/sql/open-sql-store.ts";
import { createStoreCases, type StoreHarness } from "../../../src/sync/store-contract/index.ts";
import type { SyncStore } from "../../../src/sync/store.ts";
import { BROKEN_STORES } from "./broken-stores.ts";
import { compactMemory, createMemory, openMemoryStore, type Memory } from "./memory-store.ts";
import { createSqlPlace, type SqlKind } from "./sql-place.ts";

function createSqlHarness(kind: SqlKind): StoreHarness {
  return {
    createPlace: () => createSqlPlace(kind),
    isShared: true,
    compact: async (store) => void (await compactLog((store as SqlSyncStore).database)),
  };
}

function createMemoryHarness(
  breakStore: (store: SyncStore, opening: number) => SyncStore = (store) => store,
): StoreHarness {
  const memories = new WeakMap<SyncStore, Memory>();
  return {
    async createPlace() {
      const memory = createMemory();
      let opening = 0;
      return {
        async open() {
          const store = breakStore(openMemoryStore(memory), opening++);
          memories.set(store, memory);
          return store;
        },
        async remove() {},
      };
    },
    isShared: true,
    async compact(store) {
      compactMemory(memories.get(store) as Memory);
    },
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

describe("the suite detects a store that", () => {
  for (const { defect, detectedBy, breakStore } of BROKEN_STORES) {
    test(defect, async () => {
      const cases = createStoreCases(createMemoryHarness(breakStore));
      const named = cases.find(({ name }) => name === detectedBy);
      assert.ok(named !== undefined, `there is no case "${detectedBy}"`);
      await assert.rejects(named.run(), assert.AssertionError);
    });
  }
});

test("a store that cannot be shared or compacted gets no such cases", () => {
  const { createPlace } = createMemoryHarness();
  const names = new Set(createStoreCases({ createPlace }).map(({ name }) => name));
  const all = createStoreCases(createMemoryHarness()).map(({ name }) => name);
  const left = all.filter((name) => !names.has(name));
  assert.equal(new Set(all).size, all.length, "every case has its own name");
  assert.equal(left.length, 10);
});
