import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { chooseResponse, conditionalContent, matchesETag } from "./conditional.ts";
import { JSON_TYPE } from "./response.ts";

for (const field of [
  '"a"',
  ' "a" ',
  'W/"a"',
  "*",
  " * ",
  '"x", "a"',
  '"x","a","y"',
  '"x" ,\t"a"',
  'W/"x", W/"a"',
  '"x,y", "a"',
  '",", "a"',
  // RFC 9110 5.6.1.2: empty elements of a list are ignored.
  ',, "a" ,',
]) {
  test(`${field} matches "a"`, () => assert.equal(matchesETag(field, '"a"'), true));
}

for (const field of [
  "",
  ",",
  "a",
  '"b"',
  '"A"',
  '"a',
  'a"',
  'w/"a"',
  'W/ "a"',
  "W/a",
  '"a" "b"',
  '"a"b',
  'b"a"',
  '"x, "a", y"',
  '"b,"a""',
  '""',
  '"aa"',
  '" a"',
  "'a'",
  // One malformed element makes the whole list malformed.
  'x, "a"',
  '"a", x',
  '"a", "b',
  '*, "a"',
  '"a", *',
]) {
  test(`${JSON.stringify(field)} does not match "a"`, () => {
    assert.equal(matchesETag(field, '"a"'), false);
  });
}

test("a weak validator is compared weakly", () => {
  assert.equal(matchesETag('"a"', 'W/"a"'), true);
  assert.equal(matchesETag('W/"a"', 'W/"a"'), true);
});

test("a list matches exactly when the tag is in it", () => {
  const opaque = fc.string({ unit: fc.constantFrom("a", "b", ",", "/", "W", "!", "~") });
  const tag = fc.tuple(fc.boolean(), opaque);
  fc.assert(
    fc.property(fc.array(tag, { minLength: 1 }), opaque, (tags, wanted) => {
      const field = tags.map(([weak, text]) => `${weak ? "W/" : ""}"${text}"`).join(", ");
      assert.equal(
        matchesETag(field, `"${wanted}"`),
        tags.some(([, text]) => text === wanted),
      );
    }),
  );
});

test("a field made to be slow is parsed in linear time", () => {
  for (const field of [
    '"'.repeat(16_001),
    " ".repeat(16_000),
    ", ".repeat(8_000),
    '"a" '.repeat(4_000),
    'W/"'.repeat(5_000),
    `${'"x",'.repeat(4_000)}y`,
  ]) {
    const startedAt = performance.now();
    assert.equal(matchesETag(field, '"a"'), false);
    assert.ok(performance.now() - startedAt < 100);
  }
});

const jsonOf = (body: string, cacheControl: string) =>
  conditionalContent(JSON_TYPE, body, cacheControl);

test("the validator is strong and depends on the exact bytes", () => {
  const response = jsonOf('{"a":"ä"}', "no-cache");
  assert.match(response.etag, /^"[A-Za-z0-9_-]{43}"$/);
  assert.equal(jsonOf('{"a":"ä"}', "other").etag, response.etag);
  assert.notEqual(jsonOf('{"a":"a"}', "no-cache").etag, response.etag);
  assert.equal(response.full.headers["Content-Length"], "10");
});

test("a 304 has the validator and the cache rules, and neither body nor length", () => {
  const response = jsonOf("{}", "max-age=1");
  assert.deepEqual(chooseResponse(response, response.etag), {
    status: 304,
    headers: { ETag: response.etag, "Cache-Control": "max-age=1" },
    body: null,
  });
  assert.equal(chooseResponse(response, null), response.full);
  assert.equal(chooseResponse(response, '"other"'), response.full);
});
