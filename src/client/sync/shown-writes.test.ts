import assert from "node:assert/strict";
import { test } from "node:test";
import { createShownWrites } from "./shown-writes.ts";

test("writes that are shown in another order count when the ones before are shown too", () => {
  const shown = createShownWrites(4);
  shown.add(6);
  assert.equal(shown.last(), 4);
  shown.add(7);
  assert.equal(shown.hasGap(), true);
  shown.add(5);
  assert.equal(shown.last(), 7);
  assert.equal(shown.hasGap(), false);
  shown.add(3);
  shown.add(7);
  assert.equal(shown.last(), 7);
});
