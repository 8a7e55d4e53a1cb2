import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createOperation } from "../../../test/fixtures/sync-operation.ts";
import { canonicalContent, isSameContent, orderedContent } from "./content-identity.ts";

test("order, white space and escapes do not matter", () => {
  const respell = (value: unknown): string => {
    if (typeof value === "string") {
      const escape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
      return `"${value.split("").map(escape).join("")}"`;
    }
    if (typeof value !== "object" || value === null) return JSON.stringify(value);
    if (Array.isArray(value)) return `[ ${value.map(respell).join("\n,")} ]`;
    const members = Object.entries(value).map((pair) => pair.map(respell).join(" : "));
    return `{${members.toReversed().join(" ,\t")}}`;
  };
  fc.assert(
    fc.property(fc.jsonValue({ depthSize: "medium" }), (value) => {
      assert.ok(isSameContent(JSON.stringify(value), respell(value)));
    }),
  );
});

test("different values are different contents", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      const [left, right] = [JSON.stringify(a), JSON.stringify(b)];
      assert.equal(isSameContent(left, right), isDeepEqual(JSON.parse(left), JSON.parse(right)));
    }),
  );
});

test("numbers of equal value are the same", () => {
  for (const same of [
    ["1", "1.0", "1.00", "10e-1", "1E0", "1e+0", "0.1e1", "0.0001E4"],
    ["100", "1e2", "100.0", "1E+2", "0.1e3"],
    ["0", "-0", "0.0", "-0.000", "0e5", "0E-99999999999999999999"],
    ["-12.5", "-1.25e1", "-125E-1"],
    ["1e100000000000000000001", "10e100000000000000000000"],
  ]) {
    for (const spelling of same)
      assert.equal(canonicalContent(spelling), canonicalContent(same[0] ?? ""));
  }
});

test("numbers that floating point cannot tell apart are different", () => {
  for (const [a, b] of [
    ["9007199254740993", "9007199254740992"],
    ["1e400", "1e401"],
    ["1e400", "null"],
    ["1e-400", "0"],
    ["0.10000000000000000001", "0.1"],
    ["-1", "1"],
    ["1", '"1"'],
    ["1e100000000000000000000", "1e100000000000000000001"],
  ] as const) {
    assert.equal(isSameContent(a, b), false, `${a} and ${b}`);
  }
});

test("an operation spelled in another way is the same content", () => {
  const operation = createOperation({ metadata: { note: "é", tags: ["b", "a"] } });
  const { document, ...rest } = operation;
  const { payload, ...metadata } = document;
  const text = JSON.stringify(operation);
  const respelled = JSON.stringify(
    {
      document: {
        payload: Object.fromEntries(Object.entries(payload ?? {}).reverse()),
        ...metadata,
      },
      ...rest,
    },
    null,
    2,
  )
    .replace('"targetCount": 8', '"targetCount": 0.80e1')
    .replace("é", String.raw`\u00e9`);
  assert.notEqual(respelled, text);
  assert.ok(isSameContent(respelled, text));
});

// The ledger of every store holds digests of it.
test("the canonical text of an operation never changes between versions", () => {
  const options = { entityId: "note/1", payload: { 'q"': 1, "a b": "x", a: [10, { c: 1, b: 2 }] } };
  const text = JSON.stringify(createOperation({ ...options, metadata: { m: null, "10": 2 } }));
  const rest = String.raw`"document":{"10":2,"deleted":false,"entityId":"note/1","m":null,"payload":{"a b":"x","a":[1e1,{"b":2,"c":1}],"q\"":1},"schemaVersion":1},"kind":"create","operationId":"operation/phone/1","protocolVersion":1,"revision":{"deviceId":"phone","sequence":1}}`;
  assert.equal(
    canonicalContent(text),
    String.raw`{"changedFields":["a b","a","q\""],"changedMetadataFields":["10","m"],${rest}`,
  );
  assert.equal(
    orderedContent(text),
    String.raw`{"changedFields":["q\"","a b","a"],"changedMetadataFields":["10","m"],${rest}`,
  );
});

test("the names of changed fields may come in any order, other lists may not", () => {
  const options = { entityId: "note/1", payload: { a: [1, 2], b: { changedFields: ["x", "y"] } } };
  const operation = createOperation({ ...options, metadata: { m: 1, n: [1, 2] } });
  const { changedFields, changedMetadataFields, document } = operation;
  const text = JSON.stringify(operation);
  const isSame = (changes: object) =>
    isSameContent(JSON.stringify({ ...operation, ...changes }), text);
  assert.ok(isSame({ changedFields: changedFields.toReversed() }));
  assert.ok(isSame({ changedMetadataFields: changedMetadataFields.toReversed() }));
  assert.equal(isSame({ changedFields: ["a"] }), false);
  assert.equal(isSame({ changedFields: ["a", "c"] }), false);
  assert.equal(isSame({ document: { ...document, n: [2, 1] } }), false);
  for (const change of [{ a: [2, 1] }, { b: { changedFields: ["y", "x"] } }]) {
    const payload = { ...document.payload, ...change };
    assert.equal(isSame({ document: { ...document, payload } }), false);
  }
});

test("operations that differ anywhere have different contents", () => {
  const base = { payload: { value: 1, other: 2 }, metadata: { note: "a" }, entityId: "note/1" };
  const contents = [
    base,
    { ...base, sequence: 2 },
    { ...base, deviceId: "tablet" },
    { ...base, entityId: "note/2" },
    { ...base, kind: "restore" as const },
    { ...base, kind: "patch" as const },
    { ...base, kind: "patch" as const, changedFields: ["value"] },
    { ...base, kind: "patch" as const, changedMetadataFields: [] },
    { ...base, payload: { value: 1, other: "2" } },
    { ...base, payload: { value: 1, more: 2 } },
    { ...base, metadata: { note: "b" } },
    { ...base, metadata: {} },
    { ...base, kind: "delete" as const },
  ].map((options) => canonicalContent(JSON.stringify(createOperation(options))));
  assert.equal(new Set(contents).size, contents.length);
});

test("half a surrogate pair is itself, and not the replacement character", () => {
  assert.ok(isSameContent(String.raw`"\ud800"`, '"\ud800"'));
  assert.ok(canonicalContent('"\ud800"').isWellFormed());
  assert.equal(isSameContent(String.raw`"\ud800"`, '"\ufffd"'), false);
});

// With a quadratic algorithm, these digits would take hours, and the test would never end.
test("a number of two million digits is read in linear time", () => {
  const digits = `1${"0".repeat(2_000_000)}1`;
  assert.ok(canonicalContent(`${digits}0`) === `${digits}e1`);
});

function isDeepEqual(a: unknown, b: unknown): boolean {
  try {
    assert.deepEqual(a, b);
    return true;
  } catch {
    return false;
  }
}
