import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { encodeBase64Url } from "../../rules/base64url.ts";
import {
  checkCursor,
  decodeCursor,
  encodeCursor,
  knowsLostHistory,
  type Cursor,
  type MarkedCursor,
} from "./cursor.ts";

const letters = "ABCXYZabcxyz0189._~-".split("");
const MARK = "Abcdefgh_-8";
const cursors: fc.Arbitrary<MarkedCursor> = fc
  .tuple(
    fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 64 }),
    fc.maxSafeNat(),
    fc.uint8Array({ minLength: 8, maxLength: 8 }),
  )
  .map(([generation, offset, bytes]) => ({ generation, offset, mark: encodeBase64Url(bytes) }));

const base64Url = (text: string) => Buffer.from(text).toString("base64url");

test("a cursor is the Base64URL of its JSON", () => {
  assert.equal(
    encodeCursor({ generation: "g1", offset: 42, mark: MARK }),
    base64Url('{"version":1,"generation":"g1","offset":42,"mark":"Abcdefgh_-8"}'),
  );
});

test("a cursor from before there were marks has none", () => {
  const text = base64Url('{"version":1,"generation":"g1","offset":42}');
  assert.deepEqual(decodeCursor(text), { generation: "g1", offset: 42, mark: null });
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
          if (decoded === null) continue;
          assert.equal(encodeCursor({ ...decoded, mark: decoded.mark ?? "" }), changed);
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
  [
    "a member behind",
    base64Url(`{"version":1,"generation":"g","offset":1,"mark":"${MARK}","x":1}`),
  ],
  ["the mark before", base64Url(`{"version":1,"generation":"g","mark":"${MARK}","offset":1}`)],
  ["a short mark", base64Url('{"version":1,"generation":"g","offset":1,"mark":"Abcdefgh_-"}')],
  ["a long mark", base64Url(`{"version":1,"generation":"g","offset":1,"mark":"${MARK}8"}`)],
  [
    "a mark of other letters",
    base64Url('{"version":1,"generation":"g","offset":1,"mark":"Abcdefgh+/8"}'),
  ],
  ["no text for a mark", base64Url('{"version":1,"generation":"g","offset":1,"mark":null}')],
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
  const cursor = { generation: "g".repeat(64), offset: Number.MAX_SAFE_INTEGER, mark: MARK };
  assert.deepEqual(decodeCursor(encodeCursor(cursor)), cursor);
});

test("a cursor that could not be decoded is never encoded", () => {
  for (const cursor of [
    { generation: "", offset: 0, mark: MARK },
    { generation: 'g"', offset: 0, mark: MARK },
    { generation: "g", offset: -1, mark: MARK },
    { generation: "g", offset: 0.5, mark: MARK },
    { generation: "g", offset: 2 ** 53, mark: MARK },
    { generation: "g", offset: 0, mark: "" },
    { generation: "g", offset: 0, mark: 'Abcdefgh_-"' },
  ]) {
    assert.throws(() => encodeCursor(cursor), /Cannot make a cursor/);
  }
});

test("a cursor is checked against generation, head, floor and mark", () => {
  const log = { generation: "now", headOffset: 20, compactionFloor: 10 };
  const check = (generation: string, offset: number, mark: string | null = MARK) =>
    checkCursor({ generation, offset, mark }, log, MARK);
  assert.equal(checkCursor(null, log, MARK), "none");
  assert.equal(check("now", 10), "none");
  assert.equal(check("now", 20), "none");
  assert.equal(check("now", 21), "cursor_ahead");
  assert.equal(check("now", 9), "missing_compacted_history");
  for (const offset of [9, 10, 21]) assert.equal(check("then", offset), "generation_changed");
  for (const mark of ["Abcdefgh_-9", null]) {
    assert.equal(check("now", 10, mark), "generation_changed");
    assert.equal(check("now", 21, mark), "cursor_ahead");
    assert.equal(check("now", 9, mark), "missing_compacted_history");
  }
  for (const mark of [MARK, null]) {
    const cursor = { generation: "now", offset: 20, mark };
    assert.equal(checkCursor(cursor, log, null), "generation_changed");
  }
});

test("a cursor beyond the head, or with another mark, knows a history that the store lost", () => {
  const log = { generation: "g", headOffset: 10, compactionFloor: 3 };
  const knows = (cursor: Partial<Cursor>, mark: string | null = "AAAAAAAAAAA") =>
    knowsLostHistory({ generation: "g", offset: 5, mark: "AAAAAAAAAAA", ...cursor }, log, mark);
  assert.equal(knows({}), false);
  assert.equal(knows({ offset: 11 }), true);
  assert.equal(knows({ mark: "BBBBBBBBBBB" }), true);
  assert.equal(knows({}, null), true);
  // A cursor from before there were marks proves nothing, and the others have their own reason.
  assert.equal(knows({ mark: null }), false);
  assert.equal(knows({ generation: "h", offset: 11 }), false);
  assert.equal(knows({ offset: 2, mark: "BBBBBBBBBBB" }), false);
});
