import assert from "node:assert/strict";
import { test } from "node:test";
import { createTextMatcher, hasState, isFiltered } from "./filter-events.ts";

test("a text matches by its words, in any case and without accents", () => {
  const texts = ["Klausur Bücher", "Mathe"];
  for (const text of ["", "klausur", "BUCHER", "mathe  klausur", "ücher", "e\u0301".slice(0, 1)]) {
    assert.equal(createTextMatcher(text)(texts), true, text);
  }
  for (const text of ["deutsch", "klausur deutsch", "%", "_"]) {
    assert.equal(createTextMatcher(text)(texts), false, text);
  }
  assert.equal(createTextMatcher("null")([null, "Mathe"]), false);
});

test("the states are those of the full order", () => {
  assert.deepEqual(
    [10, 9, null].map((dateAt) =>
      (["upcoming", "past", "undated", null] as const).map((state) => hasState(dateAt, state, 10)),
    ),
    [
      [true, false, false, true],
      [false, true, false, true],
      [false, false, true, true],
    ],
  );
  assert.equal(isFiltered({ text: " ", sourceId: null, state: null }), false);
  assert.equal(isFiltered({ text: "", sourceId: null, state: "past" }), true);
});
