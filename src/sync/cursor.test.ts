import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { decodeCursor, encodeCursor, checkCursor, type Cursor } from "./cursor.ts";

const letters = "ABCXYZabcxyz0189._~-".split("");
const cursors: fc.Arbitrary<Cursor> = fc
  .tuple(
    fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 64 }),
    fc.maxSafeNat(),
  )
  .map(([generation, offset]) => ({ generation, offset }));

const base64Url = (text: string) => Buffer.from(text).toString("base64url");

test("a cursor is the Base64URL of its JSON", () => {
  assert.equal(
    encodeCursor({ generation: "g1", offset: 42 }),
    base64Url('{"version":1,"generation":"g1","offset":42}'),
  );
});

test("a cursor decodes to what was encoded", () => {
  fc.assert(
    fc.property(cursors, (cursor) => assert.deepEqual(decodeCursor(encodeCursor(cursor)), cursor)),
  );
});

test("every text that decodes is the only spelling of its cursor", () => {
  fc.assert(
    fc.property(
      cursors,
      fc.nat(),
      fc.constantFrom(...letters, "_", "=", " ", "+", "/", "%", ""),
      (cursor, at, put) => {
        const text = encodeCursor(cursor);
        const index = at % (text.length + 1);
        for (const width of [0, 1]) {
          const changed = text.slice(0, index) + put + text.slice(index + width);
          const decoded = decodeCursor(changed);
          if (decoded !== null) assert.equal(encodeCursor(decoded), changed);
        }
      },
    ),
    { numRuns: 2000 },
  );
});

for (const [name, text] of [
  ["nothing", ""],
  ["no Base64URL", "!!!!"],
  ["padding", `${base64Url('{"version":1,"generation":"g","offset":1}')}=`],
  ["white space inside", base64Url('{"version":1, "generation":"g","offset":1}')],
  ["another order", base64Url('{"generation":"g","version":1,"offset":1}')],
  ["another version", base64Url('{"version":2,"generation":"g","offset":1}')],
  ["a member more", base64Url('{"version":1,"generation":"g","offset":1,"x":1}')],
  ["an offset with a leading zero", base64Url('{"version":1,"generation":"g","offset":01}')],
  ["a negative offset", base64Url('{"version":1,"generation":"g","offset":-1}')],
  ["a fraction", base64Url('{"version":1,"generation":"g","offset":1.0}')],
  ["an exponent", base64Url('{"version":1,"generation":"g","offset":1e3}')],
  ["text for an offset", base64Url('{"version":1,"generation":"g","offset":"1"}')],
  ["an offset beyond 2^53", base64Url('{"version":1,"generation":"g","offset":9007199254740992}')],
  ["no generation", base64Url('{"version":1,"generation":"","offset":1}')],
  ["an escape", base64Url(String.raw`{"version":1,"generation":"\u0067","offset":1}`)],
  ["a line end", base64Url('{"version":1,"generation":"g","offset":1}\n')],
  ["letters beyond ASCII", base64Url('{"version":1,"generation":"é","offset":1}')],
  ["a very long text", "A".repeat(1_000_000)],
] as const) {
  test(`${name} is no cursor`, () => assert.equal(decodeCursor(text), null));
}

test("the longest cursor decodes", () => {
  const cursor = { generation: "g".repeat(64), offset: Number.MAX_SAFE_INTEGER };
  assert.deepEqual(decodeCursor(encodeCursor(cursor)), cursor);
});

test("a cursor that could not be decoded is never encoded", () => {
  for (const cursor of [
    { generation: "", offset: 0 },
    { generation: 'g"', offset: 0 },
    { generation: "g", offset: -1 },
    { generation: "g", offset: 0.5 },
    { generation: "g", offset: 2 ** 53 },
  ]) {
    assert.throws(() => encodeCursor(cursor), /Cannot make a cursor/);
  }
});

test("a cursor is checked against generation, head and floor", () => {
  const log = { generation: "now", headOffset: 20, compactionFloor: 10 };
  assert.equal(checkCursor(null, log), "none");
  assert.equal(checkCursor({ generation: "now", offset: 10 }, log), "none");
  assert.equal(checkCursor({ generation: "now", offset: 20 }, log), "none");
  assert.equal(checkCursor({ generation: "now", offset: 21 }, log), "cursor_ahead");
  assert.equal(checkCursor({ generation: "now", offset: 9 }, log), "missing_compacted_history");
  for (const offset of [9, 10, 21]) {
    assert.equal(checkCursor({ generation: "then", offset }, log), "generation_changed");
  }
});
