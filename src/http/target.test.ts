import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { decodeSegments, splitTarget } from "./target.ts";

for (const [target, path, search] of [
  ["/a/b?x=1", "/a/b", "x=1"],
  ["/a", "/a", ""],
  ["/a?", "/a", ""],
  ["/a?b?c", "/a", "b?c"],
  ["/a/../b/./c", "/a/../b/./c", ""],
  ["//evil.example/a", "//evil.example/a", ""],
  ["http://evil.example/a?x", "/a", "x"],
  ["HTTPS://evil.example:8443/a", "/a", ""],
  ["http://evil.example", "/", ""],
  ["http://evil.example?x=1", "/", "x=1"],
  ["http:///a", "/a", ""],
  ["*", "*", ""],
  ["", "", ""],
  ["evil.example:443", "evil.example:443", ""],
  ["ftp://evil.example/a", "ftp://evil.example/a", ""],
] as const) {
  test(`the target ${JSON.stringify(target)} is the path ${JSON.stringify(path)}`, () => {
    assert.deepEqual(splitTarget(target), { path, search });
  });
}

test("a target in origin form is split and not changed", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (rest, search) => {
      const path = `/${rest.replaceAll("?", "")}`;
      assert.deepEqual(splitTarget(`${path}?${search}`), { path, search });
    }),
  );
});

for (const [path, segments] of [
  ["/a/b", ["a", "b"]],
  ["/a%2Fb/c", ["a/b", "c"]],
  ["/a%252Fb", ["a%2Fb"]],
  ["/a+b", ["a+b"]],
  ["/%C3%A4", ["ä"]],
  ["/...", ["..."]],
  ["/%00", ["\0"]],
] as const) {
  test(`${path} has the segments ${JSON.stringify(segments)}`, () => {
    assert.deepEqual(decodeSegments(path), segments);
  });
}

for (const path of [
  "*",
  "a",
  "/",
  "//",
  "/a/",
  "//a",
  "/a//b",
  "/.",
  "/a/..",
  "/%2e%2E/a",
  "/%2e",
]) {
  test(`${JSON.stringify(path)} has no valid segments`, () =>
    assert.equal(decodeSegments(path), null));
}

for (const path of ["/%", "/%4", "/%zz", "/a/%ff", "/%c0%af", "/%ed%a0%80", "/a%"]) {
  test(`${path} is malformed`, () => assert.equal(decodeSegments(path), "malformed"));
}

test("each segment is decoded exactly once", () => {
  const segment = fc
    .string({ unit: "grapheme", minLength: 1 })
    .filter((s) => s !== "." && s !== "..");
  fc.assert(
    fc.property(fc.array(segment, { minLength: 1 }), (segments) => {
      const path = segments.map((item) => `/${encodeURIComponent(item)}`).join("");
      assert.deepEqual(decodeSegments(path), segments);
    }),
  );
});
