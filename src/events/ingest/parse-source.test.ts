import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeText } from "./parse-source.ts";

const decode = (bytes: Uint8Array) => {
  const result = decodeText(bytes);
  return result.kind === "decoded"
    ? result.text
    : `${result.error.code}: ${result.error.detail ?? ""}`;
};

test("UTF-8 is read with and without a byte order mark", () => {
  assert.equal(decode(Buffer.from("Prüfung")), "Prüfung");
  assert.equal(decode(Buffer.from("\ufeffPrüfung")), "Prüfung");
});

test("other encodings are refused and named", () => {
  assert.match(decode(Buffer.from("Prüfung", "latin1")), /^bad-encoding: .*Latin-1/);
  assert.match(decode(Buffer.from("\ufeffPrüfung", "utf16le")), /^bad-encoding: .*UTF-16/);
  assert.match(decode(Buffer.from("Prüfung", "utf16le")), /^bad-encoding: .*UTF-16/);
  assert.match(decode(Buffer.from([0xfe, 0xff, 0, 0x41])), /^bad-encoding: .*UTF-16/);
});

test("no bytes and only spaces are empty", () => {
  for (const text of ["", " \r\n", "\ufeff"]) assert.equal(decode(Buffer.from(text)), "empty: ");
});
