import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { moveFolds } from "./move-folds.ts";

const FOLDS = ["\r\n ", "\n\t", "\r "];

test("a fold is moved behind the character that it splits", () => {
  for (const fold of FOLDS) {
    const split = Buffer.concat([Buffer.of(0xc3), Buffer.from(fold), Buffer.of(0xbc)]);
    assert.equal(Buffer.from(moveFolds(split)).toString(), `\u00fc${fold}`);
  }
});

test("text without split characters stays as it is, other bytes stay invalid", () => {
  for (const bytes of [
    Buffer.from("A:\u00fc\r\n \u00fc\r\nB\n \n"),
    Buffer.from([0x41, 0x0d, 0x0a]),
    Buffer.from([0x41, 0x80]),
  ]) {
    assert.deepEqual(Buffer.from(moveFolds(bytes)), bytes);
  }
});

test("however bytes are folded, the text and the number of lines stay", () => {
  const anyFolds = fc.array(fc.tuple(fc.nat({ max: 200 }), fc.constantFrom(...FOLDS)));
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 40 }), anyFolds, (source, folds) => {
      const text = source.replaceAll(/\s/g, "_");
      const foldsByPlace = new Map(folds);
      const folded = [...Buffer.from(text)].flatMap((byte, index) => [
        ...Buffer.from(index === 0 ? "" : (foldsByPlace.get(index) ?? "")),
        byte,
      ]);
      const moved = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
        moveFolds(Uint8Array.from(folded)),
      );
      assert.equal(moved.replaceAll(/(?:\r\n|\n|\r)[ \t]/g, ""), text);
      assert.equal(Buffer.from(moved).length, folded.length);
    }),
  );
});
