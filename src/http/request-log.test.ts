import assert from "node:assert/strict";
import { test } from "node:test";
import { boundMethod, boundPath } from "./request-log.ts";

test("an unknown method is logged as OTHER", () => {
  assert.equal(boundMethod("GET"), "GET");
  for (const method of ["get", "BREW", "", "X".repeat(5000), "PROPFIND"]) {
    assert.equal(boundMethod(method), "OTHER");
  }
});

test("a path is cut at 512 characters", () => {
  assert.equal(boundPath("/".repeat(512)), "/".repeat(512));
  assert.equal(boundPath("/".repeat(9000)), `${"/".repeat(512)}…`);
});
