import assert from "node:assert/strict";
import { test } from "node:test";
import { createVisibleWrites } from "./visible-writes.ts";

test("writes that are visible in another order count when the ones before are visible too", () => {
  const visible = createVisibleWrites(4);
  visible.add(6);
  assert.equal(visible.last(), 4);
  visible.add(7);
  assert.equal(visible.hasGap(), true);
  visible.add(5);
  assert.equal(visible.last(), 7);
  assert.equal(visible.hasGap(), false);
  visible.add(3);
  visible.add(7);
  assert.equal(visible.last(), 7);
});
