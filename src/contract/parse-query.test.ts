import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseQuery } from "./parse-query.ts";

for (const [search, expected] of [
  ["", {}],
  ["&&", {}],
  ["a=1&b=2", { a: ["1"], b: ["2"] }],
  ["a=1&a=2", { a: ["1", "2"] }],
  ["a", { a: [""] }],
  ["a=", { a: [""] }],
  ["=a", { "": ["a"] }],
  ["a=b=c", { a: ["b=c"] }],
  ["a=x+y&b%20c=z", { a: ["x y"], "b c": ["z"] }],
  ["a=%2B", { a: ["+"] }],
  ["%61=1&a=2", { a: ["1", "2"] }],
  ["a=%", { a: [null] }],
  ["a=%ff&a=1", { a: [null, "1"] }],
  ["a=1#x", { a: ["1#x"] }],
] as const) {
  test(`the query ${JSON.stringify(search)} is ${JSON.stringify(expected)}`, () => {
    assert.deepEqual(Object.fromEntries(parseQuery(search)), expected);
  });
}

test("a name with a broken encoding hides no other parameter", () => {
  const query = parseQuery("%zz=1&channel=beta");
  assert.deepEqual(query.get("channel"), ["beta"]);
  assert.equal(query.size, 2);
});

test("names that every JavaScript object has are names like others", () => {
  const query = parseQuery("__proto__=1&constructor=2");
  assert.deepEqual([...query.keys()], ["__proto__", "constructor"]);
});

test("a valid query is parsed as URLSearchParams parses it", () => {
  const pairs = fc.array(fc.tuple(fc.string(), fc.string({ unit: "grapheme" })));
  fc.assert(
    fc.property(pairs, (entries) => {
      const search = new URLSearchParams(entries).toString();
      const read = [...parseQuery(search)].flatMap(([name, values]) =>
        values.map((value) => [name, value]),
      );
      const expected = [...Map.groupBy(new URLSearchParams(search), ([name]) => name)].flatMap(
        ([, group]) => group,
      );
      assert.deepEqual(read, expected);
    }),
  );
});
