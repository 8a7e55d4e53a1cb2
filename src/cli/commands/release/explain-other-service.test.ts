import assert from "node:assert/strict";
import { test } from "node:test";
import { explainOtherService } from "./explain-other-service.ts";

const expected = { keys: { "release-2026-01": "AA" }, product: "garden" };

function envelope(product: unknown, keyId: string): string {
  const payload = Buffer.from(JSON.stringify({ product })).toString("base64url");
  return JSON.stringify({
    schemaVersion: 1,
    keyId,
    algorithm: "ed25519",
    payload,
    signature: "AA",
  });
}

for (const [what, text, pattern] of [
  ["a page", "<!doctype html>", /^is no signed manifest: another service responds here$/],
  ["other JSON", '{"status":"ok"}', /^is no signed manifest: another/],
  [
    "another product",
    envelope("habits", "release-2026-01"),
    /^is of the product "habits", not "garden": another service responds here$/,
  ],
  [
    "another key ring",
    envelope("garden", "demo"),
    /^is signed with the key "demo", and the key ring has "release-2026-01": another service responds here, or the key was replaced$/,
  ],
  ["a payload that is not JSON", '{"keyId":"demo","payload":"AA"}', /^is signed with the key/],
] as const) {
  test(`${what} comes from another service`, () => {
    assert.match(explainOtherService(text, expected)?.problem ?? "", pattern);
  });
}

test("the signature decides about a manifest that names the product and a key of the ring", () => {
  assert.equal(explainOtherService(envelope("garden", "release-2026-01"), expected), null);
  const anyProduct = { ...expected, product: undefined };
  assert.equal(explainOtherService(envelope("habits", "release-2026-01"), anyProduct), null);
  assert.equal(explainOtherService(envelope("garden", "demo"), { ...expected, keys: {} }), null);
});
