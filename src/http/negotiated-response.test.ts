import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import {
  chooseNegotiated,
  MIN_COMPRESSED_BYTES,
  negotiatedJson,
  negotiatedLongJson,
} from "./negotiated-response.ts";
import type { HttpResponse } from "./response.ts";

const TEXT = JSON.stringify({ text: "Grüße ".repeat(300) });
const RESPONSE = negotiatedJson(TEXT, "max-age=1");
const SHORT = negotiatedJson("{}", "max-age=1");

const send = (headers: Readonly<Record<string, string>>, response = RESPONSE) =>
  chooseNegotiated(response, { header: (name) => headers[name] ?? null });
const bytes = ({ body }: HttpResponse) => body as Uint8Array;
const form = (encoding: "br" | "gzip") => RESPONSE.encoded.get(encoding) ?? assert.fail();
const TAGS = [RESPONSE.etag, form("br").etag, form("gzip").etag];

test("a long body gets the same forms while other requests go on", async () => {
  const response = negotiatedLongJson(TEXT, "max-age=1");
  assert.ok(response instanceof Promise);
  assert.deepEqual(await response, RESPONSE);
  assert.deepEqual(await negotiatedLongJson("{}", "max-age=1"), SHORT);
});

test("each form has the same content, its own length and its own strong validator", () => {
  assert.equal(send({}).body, TEXT);
  const br = send({ "accept-encoding": "br" });
  const gzip = send({ "accept-encoding": "gzip" });
  assert.equal(brotliDecompressSync(bytes(br)).toString(), TEXT);
  assert.equal(gunzipSync(bytes(gzip)).toString(), TEXT);
  for (const { headers, body } of [br, gzip]) {
    assert.equal(headers["Content-Length"], String((body as Uint8Array).length));
    assert.equal(headers["Content-Type"], "application/json; charset=utf-8");
  }
  assert.equal(br.headers["Content-Encoding"], "br");
  assert.equal(gzip.headers["Content-Encoding"], "gzip");
  assert.equal(send({}).headers["Content-Encoding"], undefined);
  assert.equal(new Set(TAGS).size, 3);
  const digest = createHash("sha256").update(TEXT).digest("base64url");
  for (const tag of TAGS) assert.ok(new RegExp(`^"${digest}[\\w-]*"$`).test(tag), tag);
});

test("every response says what it varies by, the short and the unchanged ones too", () => {
  for (const response of [
    send({}),
    send({ "accept-encoding": "br" }),
    send({ "if-none-match": "*" }),
    send({ "accept-encoding": "gzip", "if-none-match": "*" }),
    send({ "accept-encoding": "br" }, SHORT),
  ]) {
    assert.equal(response.headers["Vary"], "Accept-Encoding");
  }
});

test("the validator of any form gets a 304 that has it", () => {
  for (const encoding of ["", "gzip", "br", "identity"]) {
    for (const tag of TAGS) {
      for (const field of [tag, `W/${tag}`, `"other", ${tag}`]) {
        const response = send({ "accept-encoding": encoding, "if-none-match": field });
        assert.deepEqual(response, {
          status: 304,
          headers: { ETag: tag, "Cache-Control": "max-age=1", Vary: "Accept-Encoding" },
          body: null,
        });
      }
    }
  }
});

test("of several validators that match, the 304 has that of the chosen form", () => {
  const all = TAGS.toReversed().join(", ");
  for (const field of [all, "*"]) {
    const etag = (encoding: string) =>
      send({ "accept-encoding": encoding, "if-none-match": field }).headers["ETag"];
    assert.deepEqual([etag(""), etag("br"), etag("gzip")], TAGS);
  }
});

test("another validator, or a malformed list, gets the chosen form", () => {
  for (const field of ['"other"', "", `${TAGS[0]}x`, `${TAGS[0]}, "`]) {
    assert.equal(send({ "accept-encoding": "br", "if-none-match": field }), form("br").full);
  }
});

test("a body below 1 KiB has one form", () => {
  const json = (length: number) => `"${"x".repeat(length - 2)}"`;
  assert.equal(negotiatedJson(json(MIN_COMPRESSED_BYTES - 1), "").encoded.size, 0);
  assert.equal(negotiatedJson(json(MIN_COMPRESSED_BYTES), "").encoded.size, 2);
  // Bytes count, not characters.
  assert.equal(negotiatedJson(`"${"ü".repeat(511)}"`, "").encoded.size, 2);
  assert.equal(send({ "accept-encoding": "br" }, SHORT), SHORT.full);
});
