import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseParameters } from "./parse-parameters.ts";

function read(text: string) {
  const { values, repeated, malformed, empty } = parseParameters(text);
  return {
    values: Object.fromEntries(values),
    repeated: [...repeated],
    malformed: [...malformed],
    empty: [...empty],
  };
}
const nothing = { values: {}, repeated: [], malformed: [], empty: [] };
const cases: [string, Partial<ReturnType<typeof read>>][] = [
  ["", {}],
  ["&&", {}],
  ["a=1&b=2", { values: { a: "1", b: "2" } }],
  ["a=x+y%20z%2B", { values: { a: "x y z+" } }],
  ["a=b=c", { values: { a: "b=c" } }],
  ["a=&b&c=1", { values: { c: "1" }, empty: ["a", "b"] }],
  ["a=1&a=1", { repeated: ["a"] }],
  ["a=1&%61=2", { repeated: ["a"] }],
  ["a=&a=1", { repeated: ["a"] }],
  ["a=%ff&a=1", { repeated: ["a"] }],
  ["a=%ff&b=1", { values: { b: "1" }, malformed: ["a"] }],
  ["a=%", { malformed: ["a"] }],
  ["a=%4", { malformed: ["a"] }],
  ["a=%zz", { malformed: ["a"] }],
  ["a=%c0%af", { malformed: ["a"] }],
  ["a=%ed%a0%80", { malformed: ["a"] }],
  ["%zz=1&a=1", { values: { a: "1" }, malformed: ["%zz=1"] }],
  ["a=%00%0d%0a", { values: { a: "\0\r\n" } }],
  ["__proto__=1&constructor=2", { values: { ["__proto__"]: "1", constructor: "2" } }],
];
for (const [text, expected] of cases) {
  test(`${JSON.stringify(text)} says ${JSON.stringify(expected)}`, () => {
    assert.deepEqual(read(text), { ...nothing, ...expected });
  });
}

test("a byte that is not escaped is not guessed at", () => {
  assert.deepEqual(read("a=\u00ff&b=ü&c=😀&d=1"), {
    ...nothing,
    values: { d: "1" },
    malformed: ["a", "b", "c"],
  });
});

test("every text comes through, however it was escaped", () => {
  const escapers = [
    encodeURIComponent,
    (text: string) => new URLSearchParams([["", text]]).toString().slice(1),
    (text: string) => Buffer.from(text).toString("hex").replaceAll(/../g, "%$&"),
  ];
  const text = fc.string({ unit: "grapheme", minLength: 1 }).filter((s) => s.isWellFormed());
  fc.assert(
    fc.property(text, fc.constantFrom(...escapers), (value, escape) => {
      assert.equal(parseParameters(`x=1&state=${escape(value)}`).values.get("state"), value);
    }),
  );
});

test("each name is in one list exactly, and nothing throws", () => {
  const letter = fc.constantFrom("a", "b", "=", "&", "%", "+", "f", "6", "1", "ü", "\0");
  fc.assert(
    fc.property(fc.string({ unit: letter }), (text) => {
      const { values, repeated, malformed, empty } = parseParameters(text);
      const names = [...values.keys(), ...repeated, ...malformed, ...empty];
      assert.equal(new Set(names).size, names.length);
      assert.equal(names.length === 0, /^&*$/.test(text));
    }),
  );
});
