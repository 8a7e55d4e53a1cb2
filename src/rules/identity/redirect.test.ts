import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { appendToRedirect } from "./redirect.ts";

const values = { code: "c-1", state: "s 1&x=2#%" };
const TEXT = "code=c-1&state=s%201%26x%3D2%23%25";

for (const [uri, target] of [
  ["http://localhost:43823/callback", `http://localhost:43823/callback?${TEXT}`],
  ["http://localhost:43823", `http://localhost:43823?${TEXT}`],
  ["https://app.example/cb?tenant=1", `https://app.example/cb?tenant=1&${TEXT}`],
  ["https://app.example/cb?", `https://app.example/cb?${TEXT}`],
  ["https://app.example/cb?a&", `https://app.example/cb?a&${TEXT}`],
  ["com.example.habits:/callback", `com.example.habits:/callback?${TEXT}`],
  ["trellis-demo://auth/callback", `trellis-demo://auth/callback?${TEXT}`],
] as const) {
  test(`appends to the query of ${uri}`, () => {
    assert.equal(appendToRedirect(uri, values, "query"), target);
  });
}

test("a fragment is delivered behind whatever query there is", () => {
  assert.equal(
    appendToRedirect("https://app.example/cb?tenant=1", values, "fragment"),
    `https://app.example/cb?tenant=1#${TEXT}`,
  );
});

test("the app reads back every state unchanged", () => {
  const visible = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));
  fc.assert(
    fc.property(fc.string({ unit: visible, minLength: 16, maxLength: 64 }), (state) => {
      const target = new URL(appendToRedirect("https://app.example/cb", { state }, "query"));
      assert.equal(target.searchParams.get("state"), state);
    }),
  );
});
