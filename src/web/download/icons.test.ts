import assert from "node:assert/strict";
import { test } from "node:test";
import { highlightIcon } from "./icons.ts";

const shapeOf = (name: string) => /data-icon="([a-z]+)"/.exec(highlightIcon(name).markup)?.[1];

test("names are found in any spelling", () => {
  assert.equal(shapeOf("sync"), "sync");
  assert.equal(shapeOf("Dark_Mode"), "moon");
  assert.equal(shapeOf("dark-mode"), "moon");
  assert.equal(shapeOf("trending_up"), "chart");
});

test("an unknown name gets the neutral icon and is not written", () => {
  for (const name of ["🌱", "constructor", "__proto__", '"><script>', "x".repeat(10_000)]) {
    assert.equal(highlightIcon(name).markup, highlightIcon("spark").markup);
  }
});
