import assert from "node:assert/strict";
import { test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { chooseEncoding, encodeContent, isCompressible } from "./content-encoding.ts";

test("a client gets the smallest encoding that it takes", () => {
  for (const [field, expected] of [
    ["gzip, deflate, br, zstd", "br"],
    ["gzip, deflate", "gzip"],
    ["GZIP;q=0.5", "gzip"],
    ["br;q=0, gzip", "gzip"],
    ["*", "br"],
    ["br;q=0, *;q=0.1", "gzip"],
    ["identity", "identity"],
    ["", "identity"],
    [null, "identity"],
  ] as const) {
    assert.equal(chooseEncoding(field), expected, String(field));
  }
});

test("what is encoded is decoded to the same text", async () => {
  const text = "Grüße ".repeat(500);
  const [br, gzip] = await Promise.all([encodeContent(text, "br"), encodeContent(text, "gzip")]);
  assert.equal(brotliDecompressSync(br).toString(), text);
  assert.equal(gunzipSync(gzip).toString(), text);
  assert.ok(br.length < text.length / 10 && gzip.length < text.length / 10);
  assert.equal(await encodeContent(text, "identity"), text);
});

test("texts are compressed, and images and archives are not again", () => {
  for (const type of ["text/html; charset=utf-8", "application/json", "image/svg+xml"]) {
    assert.ok(isCompressible(type), type);
  }
  for (const type of ["image/png", "application/gzip", "font/woff2", "application/jsonlines"]) {
    assert.ok(!isCompressible(type), type);
  }
});
