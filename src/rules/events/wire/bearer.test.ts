import assert from "node:assert/strict";
import { test } from "node:test";
import { bearerChallenge, readBearer } from "./bearer.ts";

for (const [header, token] of [
  ["Bearer tre_at_abc-_.~+/9==", "tre_at_abc-_.~+/9=="],
  ["bearer x", "x"],
  ["BEARER   x", "x"],
  [" Bearer x ", "x"],
] as const) {
  test(`${JSON.stringify(header)} has a token`, () => {
    assert.deepEqual(readBearer(header), { kind: "token", token });
  });
}

for (const header of [null, "", "  ", "Basic dTpw", 'Digest username="x"', "Token abc", "DPoP x"]) {
  test(`${JSON.stringify(header)} is no try with a token`, () => {
    assert.deepEqual(readBearer(header), { kind: "none" });
  });
}

for (const header of [
  "Bearer",
  "Bearer ",
  "Bearer a b",
  "Bearer a, Bearer b",
  "Bearer a,b",
  'Bearer "a"',
  "Bearer\ta",
  "Bearer =",
  "Bearer a=b",
  "Bearer ü",
  "Bearer: a",
  "tre_at_abc",
  "Basic",
]) {
  test(`${JSON.stringify(header)} is malformed`, () => {
    assert.deepEqual(readBearer(header), { kind: "malformed" });
  });
}

test("the challenge without credentials has no error", () => {
  assert.equal(bearerChallenge(null), 'Bearer realm="events"');
});

test("the challenge names the error and the scope", () => {
  assert.match(
    bearerChallenge("invalid_request"),
    /^Bearer realm="events", error="invalid_request", error_description="[^"\\]+"$/,
  );
  assert.match(
    bearerChallenge("invalid_token"),
    /^Bearer realm="events", error="invalid_token", error_description="[^"\\]+"$/,
  );
  assert.match(
    bearerChallenge("insufficient_scope"),
    /^Bearer realm="events", error="insufficient_scope", scope="read:events", error_description="[^"\\]+"$/,
  );
});
