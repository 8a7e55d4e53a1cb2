import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { paddedLength } from "./padding.ts";

/** Padmé as its authors define it, bit by bit. */
function padme(length: number): number {
  const exponent = Math.floor(Math.log2(length));
  const kept = Math.floor(Math.log2(exponent)) + 1;
  const mask = (1 << (exponent - kept)) - 1;
  return (length + mask) & ~mask;
}

test("a text is padded to 64 bytes or to the length of Padmé", () => {
  for (const [length, padded] of [
    [0, 64],
    [1, 64],
    [64, 64],
    [65, 72],
    [72, 72],
    [73, 80],
    [1000, 1024],
    [65_536, 65_536],
    [65_537, 67_584],
  ] as const) {
    assert.equal(paddedLength(length), padded);
  }
  fc.assert(
    fc.property(fc.integer({ min: 65, max: 200_000 }), (length) => {
      assert.equal(paddedLength(length), padme(length));
      assert.ok(paddedLength(length) <= length * 1.12);
    }),
  );
});
