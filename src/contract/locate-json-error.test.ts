import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { locateJsonError } from "./locate-json-error.ts";

for (const [text, line, column] of [
  ["", 1, 1],
  ["  ", 1, 3],
  ["hunter2", 1, 1],
  ['{"a":\n  hunter2}', 2, 3],
  ['{"a": 1\n "b": 2}', 2, 2],
  ['{"a": 1,}', 1, 9],
  ['{"a": 1', 1, 8],
  ['{"a" 1}', 1, 6],
  ["{'a': 1}", 1, 2],
  ["[1, 2,, 3]", 1, 7],
  ["[1 2]", 1, 4],
  ["[1, 2}", 1, 6],
  ['{"a": "open}\n}', 1, 7],
  ['["tab\there"]', 1, 2],
  ['["\\x"]', 1, 2],
  ["[01]", 1, 3],
  ["[1] 2", 1, 5],
  ["[tru]", 1, 2],
  ['{"a": 1} // why', 1, 10],
  ["[NaN]", 1, 2],
] as const) {
  test(`${JSON.stringify(text)} is invalid at ${line}:${column}`, () => {
    assert.deepEqual(locateJsonError(text), { line, column });
  });
}

test("an illegal character is located, or the string that contains it", () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), (json, seed) => {
      const at = seed % (json.length + 1);
      const text = `${json.slice(0, at)}\u0001${json.slice(at)}`;
      assert.throws(() => JSON.parse(text) as unknown);
      const { line, column } = locateJsonError(text);
      assert.equal(line, 1);
      assert.ok(column <= at + 1);
      const rest = text.slice(column - 1, at);
      assert.ok(rest === "" || /^["\w.+-]/.test(rest), JSON.stringify({ text, rest }));
    }),
  );
});

test("a text that was cut off is invalid at its end, or at the token that was cut", () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), (json, seed) => {
      const text = `[${json}`.slice(0, 1 + (seed % (json.length + 1)));
      const { column } = locateJsonError(text);
      const rest = text.slice(column - 1);
      assert.ok(rest === "" || /^["\w.+-]/.test(rest), JSON.stringify({ text, rest }));
    }),
  );
});

test("deep nesting does not overflow the stack", () => {
  assert.deepEqual(locateJsonError("[".repeat(200_000)), { line: 1, column: 200_001 });
});
