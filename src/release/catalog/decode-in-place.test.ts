import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { decodedLength, decodeInPlace, decodePart, encodeInPlace } from "./decode-in-place.ts";

/** Lengths around the bounds of groups and of pieces. */
const LENGTHS = [1, 2, 3, 4, 49_151, 49_152, 49_153, 98_304, 147_455, 500_000];

function place(bytes: Buffer) {
  const letters = bytes.toString("base64url");
  const buffer = Buffer.from(`before "${letters}" after`);
  return { buffer, range: { start: 8, end: 8 + letters.length } };
}

test("what was decoded in place stands at the start, and is the same text again afterwards", async () => {
  for (const length of LENGTHS) {
    const bytes = randomBytes(length);
    const { buffer, range } = place(bytes);
    const before = Buffer.from(buffer);
    assert.equal(await decodeInPlace(buffer, range), length);
    assert.equal(decodedLength(range), length);
    assert.ok(buffer.subarray(range.start, range.start + length).equals(bytes), `${length}`);
    await encodeInPlace(buffer, range);
    assert.ok(buffer.equals(before), `${length}`);
  }
});

test("text that is not canonical is refused and left as it was, wherever its fault is", async () => {
  const { buffer, range } = place(randomBytes(200_000));
  for (const at of [range.start, range.start + 65_536, range.end - 1]) {
    for (const letter of ["=", "+", "/", " ", "\\", "\xff"]) {
      const broken = Buffer.from(buffer);
      broken.write(letter, at, "latin1");
      const before = Buffer.from(broken);
      assert.equal(await decodeInPlace(broken, range), null, `${letter} at ${at}`);
      assert.ok(broken.equals(before), `${letter} at ${at}`);
    }
  }
  const strayBits = Buffer.from("AB");
  assert.equal(await decodeInPlace(strayBits, { start: 0, end: 2 }), null);
  const incomplete = Buffer.from("AAAAA");
  assert.equal(await decodeInPlace(incomplete, { start: 0, end: 5 }), null);
  assert.equal(incomplete.toString(), "AAAAA");
});

test("any part can be read without the rest", () => {
  const bytes = randomBytes(100_000);
  const { buffer, range } = place(bytes);
  fc.assert(
    fc.property(
      fc.nat(bytes.length),
      fc.oneof(fc.nat(50), fc.nat(bytes.length)),
      (start, length) => {
        const part = decodePart(buffer, range, start, length);
        assert.ok(part.equals(bytes.subarray(start, start + length)));
      },
    ),
  );
});
