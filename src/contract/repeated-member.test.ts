import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { hasRepeatedMember } from "./repeated-member.ts";

const repeats = (text: string) => hasRepeatedMember(text, JSON.parse(text));

test("a name that one object has twice is found at any depth, in any spelling", () => {
  for (const text of [
    '{"a":1,"a":1}',
    '{"a":1,"b":{},"a":2}',
    '{"a":1,"\\u0061":2}',
    '[{"b":[{"a":{"c":1,"c":1}}]}]',
    '{"__proto__":1,"__proto__":2}',
    '{"":1,"":2}',
    '{"1":0,"1":0}',
    ' {"a" : {"x":1 , "x":1} }',
    // The value that replaces another one has fewer members, or more.
    '{"a":{"b":1,"c":2},"a":{}}',
    '{"a":{},"a":{"b":1,"c":2}}',
  ]) {
    assert.equal(repeats(text), true, text);
  }
});

test("a name that several objects have is not repeated", () => {
  for (const text of [
    "1",
    '"{\\"a\\":1,\\"a\\":1}"',
    "{}",
    "[]",
    '{"a":{"a":{"a":":"}},"b":[{"a":1},{"a":1}]}',
    '{"__proto__":{"__proto__":1},"constructor":1,"toString":2}',
  ]) {
    assert.equal(repeats(text), false, text);
  }
});

test("what a parser prints again never repeats a name, and one more member always does", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), (members) => {
      const text = JSON.stringify(members);
      assert.equal(repeats(text), false);
      const [name = ""] = Object.keys(members);
      assert.equal(repeats(`${text.slice(0, -1)},${JSON.stringify(name)}:null}`), true);
    }),
  );
});

test("no depth exhausts the stack", () => {
  const deep = (inner: string) => `${'{"a":['.repeat(40_000)}${inner}${"]}".repeat(40_000)}`;
  assert.equal(repeats(deep('{"a":1}')), false);
  assert.equal(repeats(deep('{"a":1,"a":1}')), true);
});
