import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { scanOperation, scanOperations } from "./scan-operations.ts";

const texts = (body: string) => scanOperations(body)?.map(({ text }) => text) ?? null;

test("each operation is found as it was written, whatever stands around it", () => {
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
  assert.deepEqual(
    [...scanned.payloadTexts],
    [
      ["count", "9007199254740993"],
      ["ab", "[1.0 , 2]"],
    ],
  );
  assert.equal(scanned.documentTexts.get("note"), "1e400");
  assert.equal(scanned.sequenceText, "7.0");
  assert.equal(scanned.text.at(-1), "}");
});

test("members are counted for each operation, at any depth and also when repeated", () => {
  const scanned = scanOperations(
    '{"x":{"y":1},"operations":[{"a":[{"b":1}],"a":2},7,{"document":{"payload":{"c":{"d":":"}}}}]}',
  );
  assert.deepEqual(
    scanned?.map(({ memberCount }) => memberCount),
    [3, 0, 4],
  );
});
