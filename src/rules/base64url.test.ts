import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { decodeBase64Url, encodeBase64Url } from "./base64url.ts";

test("encodes like the platform and decodes to the same bytes", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const text = encodeBase64Url(bytes);
      assert.equal(text, Buffer.from(bytes).toString("base64url"));
      assert.deepEqual(decodeBase64Url(text), Uint8Array.from(bytes));
    }),
  );
});

test("whatever decodes is the one spelling of its bytes", () => {
  const letter = fc.constantFrom(..."ABCDwxyz0189-_+/= é");
  fc.assert(
    fc.property(fc.string({ unit: letter, maxLength: 12 }), (text) => {
      const bytes = decodeBase64Url(text);
      if (bytes !== null) assert.equal(encodeBase64Url(bytes), text);
    }),
  );
});

for (const [name, text] of [
  ["padding", "AA=="],
  ["a single left-over letter", "AAAAA"],
  ["stray bits after one byte", "AB"],
  ["stray bits after two bytes", "AAB"],
  ["the letters of plain Base64", "+/+/"],
  ["white space", "AA AA"],
  ["a letter beyond ASCII", "AAAé"],
  ["a letter whose low byte is in the alphabet", "AAAŁ"],
] as const) {
  test(`refuses ${name}`, () => assert.equal(decodeBase64Url(text), null));
}

test("no text is no bytes", () => {
  assert.deepEqual(decodeBase64Url(""), new Uint8Array());
  assert.equal(encodeBase64Url(new Uint8Array()), "");
});
