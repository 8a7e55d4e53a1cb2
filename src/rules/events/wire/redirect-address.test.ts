import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseParameters } from "./parse-parameters.ts";
import { codeAddress, errorAddress } from "./redirect-address.ts";

const issuer = "https://events.example.com";
const ISS = "iss=https%3A%2F%2Fevents.example.com";

for (const [redirectUri, address] of [
  ["http://localhost:43823/callback", `http://localhost:43823/callback?code=c-1&state=s-1&${ISS}`],
  ["trellis-demo://auth/callback", `trellis-demo://auth/callback?code=c-1&state=s-1&${ISS}`],
  ["com.example.app:/cb", `com.example.app:/cb?code=c-1&state=s-1&${ISS}`],
  ["https://app.example/cb?a=%20b", `https://app.example/cb?a=%20b&code=c-1&state=s-1&${ISS}`],
] as const) {
  test(`a code goes to ${redirectUri}, which stays as it is`, () => {
    assert.equal(codeAddress({ redirectUri, code: "c-1", state: "s-1", issuer }), address);
  });
}

test("an error goes there with its text, and without a state when there was none", () => {
  const redirectUri = "trellis-demo://auth/callback";
  const fault = { error: "access_denied", description: "The person said no" } as const;
  const text = "error=access_denied&error_description=The%20person%20said%20no";
  assert.equal(
    errorAddress({ redirectUri, ...fault, state: "s 1&code=evil", issuer }),
    `${redirectUri}?${text}&state=s%201%26code%3Devil&${ISS}`,
  );
  assert.equal(
    errorAddress({ redirectUri, ...fault, state: null, issuer }),
    `${redirectUri}?${text}&${ISS}`,
  );
});

test("what the app reads as its state is, byte for byte, what it sent", () => {
  const text = fc.string({ unit: "grapheme", minLength: 1 }).filter((s) => s.isWellFormed());
  const uris = fc.constantFrom("trellis-demo://auth/callback", "https://app.example/cb?x=1");
  fc.assert(
    fc.property(text, uris, (sent, redirectUri) => {
      const search = new URLSearchParams({ state: sent }).toString();
      const state = parseParameters(search).values.get("state") ?? null;
      const address = codeAddress({ redirectUri, code: "c-1", state, issuer });
      assert.match(address, /^[\x21-\x7e]+$/);
      const read = new URL(address).searchParams;
      assert.deepEqual(read.getAll("state"), [sent]);
      assert.deepEqual(read.getAll("code"), ["c-1"]);
      assert.deepEqual(read.getAll("iss"), [issuer]);
    }),
  );
});
