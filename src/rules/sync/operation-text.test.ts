import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { scanOperation, scanOperations, type Field } from "./operation-text.ts";

const scan = (body: string) => {
  const { operations } = JSON.parse(body) as { operations?: unknown };
  return scanOperations(body, Array.isArray(operations) ? operations : []);
};
const texts = (body: string) => scan(body)?.map(({ text }) => text) ?? null;

test("each operation is found as it was written, whatever else the body has", () => {
  fc.assert(
    fc.property(fc.array(fc.json()), fc.json(), fc.json(), (elements, before, after) => {
      const body = `{"first": ${before},\n "operations" : [${elements.join(" ,\t")}] ,"last":${after} }`;
      JSON.parse(body);
      assert.deepEqual(texts(body), elements);
    }),
  );
});

test("the name of the list may be escaped", () => {
  assert.deepEqual(texts(String.raw`{"\u006fperations":[1,{"a":2}]}`), ["1", '{"a":2}']);
});

for (const [name, body] of [
  ["is given twice", '{"operations":[1],"operations":[2]}'],
  ["is given twice, once with an escape", String.raw`{"operations":[1],"operation\u0073":[2]}`],
  ["is given twice, once as no list", '{"operations":[1],"operations":3}'],
  ["is no list", '{"operations":{"operations":[1]}}'],
  ["is missing", "{}"],
  ["is only deeper inside", '{"other":{"operations":[1]}}'],
  ["has no object around it", "[1,2]"],
] as const) {
  test(`there are no operations when the list ${name}`, () => assert.equal(texts(body), null));
}

test("fields keep the text of their values, however large a number is", () => {
  const scanned = scanOperation(
    ' {"document": {"note" : 1e400,"payload":{"count": 9007199254740993, "a\\u0062":[1.0 , 2]}},"revision":{"sequence":7.0}} ',
  );
  assert.deepEqual(scanned.payload, [
    { name: "count", json: "9007199254740993" },
    { name: "ab", json: "[1.0 , 2]" },
  ]);
  assert.deepEqual(scanned.metadata, [{ name: "note", json: "1e400" }]);
  assert.equal(scanned.sequenceText, "7.0");
  assert.equal(scanned.text.at(-1), "}");
});

test("members are counted for each operation, at any depth and also when repeated", () => {
  const scanned = scan(
    '{"x":{"y":1},"operations":[{"a":[{"b":1}],"a":2 },7,{"document":{"payload":{"c":{"d":":"}}}}]}',
  );
  assert.deepEqual(
    scanned?.map(({ memberCount }) => memberCount),
    [3, 0, 4],
  );
});

const members = fc.dictionary(
  fc.oneof(fc.constantFrom("payload", "entityId", "note", "__proto__", "1", "0"), fc.string()),
  fc.jsonValue(),
  { maxKeys: 4 },
);
const operations = fc.record(
  {
    kind: fc.jsonValue(),
    revision: fc.oneof(fc.record({ sequence: fc.jsonValue() }), fc.jsonValue()),
    document: fc.oneof(
      members,
      fc.tuple(members, members).map(([document, payload]) => ({ ...document, payload })),
      fc.jsonValue(),
    ),
  },
  { requiredKeys: [] },
);

test("an operation has the same fields in every spelling", () => {
  fc.assert(
    fc.property(operations, (operation) => {
      const compact = scanOperation(JSON.stringify(operation));
      const spaced = scanOperation(JSON.stringify(operation, null, 1));
      const respell = ({ name, json }: Field) => [name, JSON.stringify(JSON.parse(json))];
      for (const part of ["payload", "metadata"] as const) {
        assert.deepEqual(spaced[part].map(respell), compact[part].map(respell));
      }
      assert.equal(spaced.memberCount, compact.memberCount);
      assert.deepEqual(spaced.value, compact.value);
    }),
  );
});

test("a name that is given twice is counted twice", () => {
  const [first, second] = scan('{"operations":[{"a":1},{"a":1,"a":1}]}') ?? [];
  assert.equal(first?.memberCount, 1);
  assert.equal(second?.memberCount, 2);
});

test("an operation that is nested too deep for JSON.stringify is still found", () => {
  const deep = `{"a":${"[".repeat(50_000)}${"]".repeat(50_000)}}`;
  assert.deepEqual(texts(`{"operations":[${deep}]}`), [deep]);
});
