import assert from "node:assert/strict";
import { test } from "node:test";
import { isEtag, isStrongEtag, parseContentRange, parseRetryAfter } from "./http-headers.ts";

test("reads a range with and without the length of the whole", () => {
  assert.deepEqual(parseContentRange("bytes 5-9/10"), { first: 5, last: 9, total: 10 });
  assert.deepEqual(parseContentRange("bytes 0-0/*"), { first: 0, last: 0, total: null });
});

for (const text of [
  null,
  "",
  "bytes */10",
  "bytes 9-5/10",
  "bytes 5-10/10",
  "bytes -5/10",
  "bytes 5-/10",
  "items 5-9/10",
  "bytes 5-9",
  "bytes 5-9/10, bytes 0-4/10",
  "bytes 0x5-9/10",
  "bytes 1-99999999999999999999/*",
]) {
  test(`${JSON.stringify(text)} is no content range`, () =>
    assert.equal(parseContentRange(text), null));
}

test("an ETag is quoted printable ASCII, and a weak one is not strong", () => {
  for (const etag of ['""', '"v1"', 'W/"v1"']) assert.ok(isEtag(etag), etag);
  for (const text of [null, "", "v1", '"a"b"', '"a b"', '"ä"', `"${"x".repeat(201)}"`]) {
    assert.ok(!isEtag(text), String(text));
  }
  assert.ok(isStrongEtag('"v1"'));
  assert.ok(!isStrongEtag('W/"v1"'));
});

test("Retry-After is seconds or a date, and no more than a day", () => {
  for (const [text, seconds] of [
    ["7", 7],
    ["0", 0],
    ["999999999", 86_400],
    ["Fri, 21 Aug 2026 00:01:30 GMT", 90],
    ["Thu, 20 Aug 2026 00:00:00 GMT", 0],
    ["soon", null],
    ["", null],
    [null, null],
  ] as const) {
    assert.equal(parseRetryAfter(text, Date.UTC(2026, 7, 21)), seconds, String(text));
  }
});
