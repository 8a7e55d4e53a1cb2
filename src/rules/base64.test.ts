import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { decodeBase64 } from "./base64.ts";

test("what Buffer encodes is decoded", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      assert.deepEqual(decodeBase64(Buffer.from(bytes).toString("base64")), new Uint8Array(bytes));
    }),
  );
});

test("missing padding, other letters, line ends and spare bits are refused", () => {
  for (const text of [
    "QQ",
    "QQ=",
    "QUI",
    "Q-==",
    "Q_==",
    "QR==",
    "QUJ=",
    "QQ==\n",
    " QQ==",
    "=",
    "====",
    "QUJDRA===",
    "Q=Q=",
  ]) {
    assert.equal(decodeBase64(text), null, text);
  }
});
