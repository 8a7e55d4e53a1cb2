import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { countedDataKey } from "../../../test/fixtures/data-keys.ts";
import { openText, padmeLength, sealText } from "./envelope.ts";

const KEY = countedDataKey(0);
const sealedOf = (envelope: string) => Buffer.from(envelope.split(".")[2] ?? "", "base64url");

/** Padmé as its authors define it, bit by bit. */
function padme(length: number): number {
  const exponent = Math.floor(Math.log2(length));
  const kept = Math.floor(Math.log2(exponent)) + 1;
  const mask = (1 << (exponent - kept)) - 1;
  return (length + mask) & ~mask;
}

test("a text is padded to 128 bytes or to the length of Padmé", () => {
  for (const [length, padded] of [
    [0, 128],
    [127, 128],
    [128, 128],
    [129, 144],
    [1000, 1024],
    [65_537, 67_584],
  ] as const) {
    assert.equal(padmeLength(length), padded);
  }
  fc.assert(
    fc.property(fc.integer({ min: 129, max: 200_000 }), (length) => {
      assert.equal(padmeLength(length), padme(length));
      assert.ok(padmeLength(length) <= length * 1.12);
    }),
  );
});

test("one text gives the same bytes, and two texts, keys or places never one nonce", () => {
  const nonces = new Set<string>();
  const envelopes = [
    sealText(KEY, "here", "1"),
    sealText(KEY, "here", "2"),
    sealText(KEY, "there", "1"),
    sealText(countedDataKey(1), "here", "1"),
  ];
  for (const envelope of envelopes) nonces.add(sealedOf(envelope).toString("hex", 0, 24));
  assert.equal(nonces.size, envelopes.length);
  assert.equal(sealText(KEY, "here", "1"), envelopes[0]);
});

test("no changed bit, and no other place or key, opens", () => {
  const sealed = sealedOf(sealText(KEY, "here", '"Zugspitze"'));
  assert.equal(openText(KEY, "here", sealed)?.trimEnd(), '"Zugspitze"');
  assert.equal(openText(KEY, "there", sealed), null);
  assert.equal(openText(countedDataKey(1), "here", sealed), null);
  for (let index = 0; index < sealed.length; index++) {
    const changed = sealed.map((byte, at) => (at === index ? byte ^ 0x10 : byte));
    assert.equal(openText(KEY, "here", changed), null);
  }
  for (const length of [0, 23, 24, 39, 40, sealed.length - 1]) {
    assert.equal(openText(KEY, "here", sealed.subarray(0, length)), null);
  }
});
