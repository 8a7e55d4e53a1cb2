import assert from "node:assert/strict";
import { test } from "node:test";
import { encodeCursor } from "../../sync/log/cursor.ts";
import { readCursorOffset } from "./cursor-offset.ts";

const encode = (text: string) => Buffer.from(text).toString("base64url");

test("the offset of a cursor of Trellis is read, with and without a mark", () => {
  for (const offset of [0, 1, 500, 2 ** 53 - 1]) {
    const cursor = encodeCursor({ generation: "a-B~_.9", offset, mark: "AAAAAAAAAAA" });
    assert.equal(readCursorOffset(cursor), offset);
  }
  assert.equal(readCursorOffset(encode('{"version":1,"generation":"g","offset":7}')), 7);
});

test("other cursors have no offset", () => {
  const other = [
    "Y3Vyc29yIDI",
    "g1-5",
    "5",
    "!",
    "§",
    encode("5"),
    encode('{"version":2,"generation":"g","offset":7}'),
    encode('{"version":1,"generation":"g","offset":-7}'),
    encode('{"version":1,"generation":"g","offset":7.5}'),
    encode('{"version":1,"generation":"g","offset":9007199254740993}'),
    encode('{"version":1,"offset":7,"generation":"g"}'),
  ];
  for (const cursor of other) assert.equal(readCursorOffset(cursor), null, cursor);
});
