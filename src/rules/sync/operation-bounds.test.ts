import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { anyCodePoint } from "../../../test/fixtures/any-code-point.ts";
import { hasMoreBytes, hasMoreCharacters, utf8Length } from "./operation-bounds.ts";

// The last and the first of each length, and halves of a pair.
const EDGES = ["\u007f", "\u0080", "\u07ff", "\u0800", "\uffff", "\ud800", "\udc00"];

const texts = fc.oneof(
  fc.string({ unit: anyCodePoint }),
  fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units)),
  fc.array(fc.constantFrom("a", "é", "€", "😀", ...EDGES)).map((list) => list.join("")),
);

test("bytes are counted like TextEncoder does", () => {
  fc.assert(
    fc.property(texts, (text) => {
      const bytes = new TextEncoder().encode(text).length;
      assert.equal(utf8Length(text), bytes);
      assert.ok(!hasMoreBytes(text, bytes));
      if (bytes > 0) assert.ok(hasMoreBytes(text, bytes - 1));
    }),
    { numRuns: 1000 },
  );
});

test("characters are code points", () => {
  fc.assert(
    fc.property(texts, (text) => {
      const characters = Array.from(text).length;
      assert.ok(!hasMoreCharacters(text, characters));
      if (characters > 0) assert.ok(hasMoreCharacters(text, characters - 1));
    }),
    { numRuns: 1000 },
  );
});
