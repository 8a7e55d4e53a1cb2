import assert from "node:assert/strict";
import { test } from "node:test";
import { parseContentRange } from "./content-range.ts";

test("reads a range with and without the length of the whole", () => {
  assert.deepEqual(parseContentRange("bytes 5-9/10"), { first: 5, last: 9, total: 10 });
  assert.deepEqual(parseContentRange("bytes 0-0/*"), { first: 0, last: 0, total: null });
});

for (const text of [
  null,
  "",
  "bytes */10",
  "bytes 9-5/10",
  "bytes 5-10/10",
  "bytes -5/10",
  "bytes 5-/10",
  "items 5-9/10",
  "bytes 5-9",
  "bytes 5-9/10, bytes 0-4/10",
  "bytes 0x5-9/10",
  "bytes 1-99999999999999999999/*",
]) {
  test(`${JSON.stringify(text)} is no range`, () => assert.equal(parseContentRange(text), null));
}
