import assert from "node:assert/strict";
import { test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import {
  chooseEncoding,
  compressAtOnce,
  encodeContent,
  isCompressible,
} from "./content-encoding.ts";

test("a client gets the encoding that it weighs most, and the smallest of equals", () => {
  for (const [field, expected] of [
    ["gzip, deflate, br, zstd", "br"],
    ["gzip, deflate", "gzip"],
    ["GZIP;q=0.5", "gzip"],
    ["br;q=0.5, gzip;q=0.6", "gzip"],
    ["br;q=0.600, gzip;q=0.6", "br"],
    ["gzip;q=0.001", "gzip"],
    [" br ; q=0.9 ,\tgzip", "gzip"],
    ["br;q=0, gzip", "gzip"],
    ["*", "br"],
    ["*;q=0.2, gzip", "gzip"],
    ["br;q=0, *;q=0.1", "gzip"],
    ["gzip;q=0.5, identity;q=0.4", "gzip"],
    ["gzip;q=0.5, identity;q=0.5", "gzip"],
    ["gzip, identity;q=0", "gzip"],
    ["gzip, *;q=0", "gzip"],
    ["gzip;q=0.5, identity", "identity"],
    ["gzip;q=0.5, br;q=0.1, identity;q=0.6", "identity"],
    ["gzip;q=0, br;q=0.000", "identity"],
    ["deflate, zstd", "identity"],
    ["identity", "identity"],
    ["", "identity"],
    [null, "identity"],
    // Nothing that there is would do, and 406 is no status of a contract.
    ["identity;q=0", "identity"],
    ["*;q=0", "identity"],
    ["deflate, *;q=0", "identity"],
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

test("what is compressed at once keeps no more memory than its bytes", () => {
  const text = "Grüße ".repeat(500);
  const [br, gzip] = [compressAtOnce(text, "br"), compressAtOnce(text, "gzip")];
  assert.equal(brotliDecompressSync(br).toString(), text);
  assert.equal(gunzipSync(gzip).toString(), text);
  for (const { buffer, length } of [br, gzip]) assert.equal(buffer.byteLength, length);
});

test("texts are compressed, and images and archives are not again", () => {
  for (const type of ["text/html; charset=utf-8", "application/json", "image/svg+xml"]) {
    assert.ok(isCompressible(type), type);
  }
  for (const type of ["image/png", "application/gzip", "font/woff2", "application/jsonlines"]) {
    assert.ok(!isCompressible(type), type);
  }
});
