import assert from "node:assert/strict";
import { test } from "node:test";
import { joinInParts } from "./join-in-parts.ts";

test("the parts together are the joined texts, and none is long", () => {
  const texts = ["", "ä", "x".repeat(20_000), "😀".repeat(10_000), "", "y".repeat(20_000), "end"];
  const parts = joinInParts(texts, ",");
  assert.equal(parts.join(""), texts.join(","));
  assert.equal(parts.length, 2);
  assert.ok(parts.every((part) => part.length < 64 * 1024));
});

test("short texts are one part, however many there are", () => {
  for (const texts of [[], [""], ["", ""], ["a", "", "b"], new Array<string>(100).fill("abc")]) {
    assert.deepEqual(joinInParts(texts, ","), [texts.join(",")]);
  }
});
