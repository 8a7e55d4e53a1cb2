import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createStoreCases } from "../../../store-contract/index.ts";
import { BROKEN_STORES } from "./broken-stores.ts";
import { createMemoryHarness } from "./memory-harness.ts";

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
