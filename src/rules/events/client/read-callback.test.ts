import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isSameText } from "../../same-text.ts";
import { readCallback, type QueryParameters } from "./read-callback.ts";

const expected = {
  state: "the-state-that-was-sent",
  isIssuer: (text: string) => text === "https://planner.example.org",
  issuerRequired: false,
};
const state = ["state", expected.state] as const;
const iss = ["iss", "https://planner.example.org"] as const;
const code = ["code", "c0de"] as const;

const read = (parameters: QueryParameters, changes: Partial<typeof expected> = {}) =>
  readCallback(parameters, { ...expected, ...changes });

test("a code with the state that was sent is taken, with an issuer or without", () => {
  for (const parameters of [
    [code, state],
    [state, iss, code, ["unknown", "1"] as const],
  ]) {
    assert.deepEqual(read(parameters), { kind: "code", code: "c0de" });
  }
});

for (const [name, parameters, kind] of [
  ["no state", [code], "state-mismatch"],
  ["an empty state", [code, ["state", ""]], "state-mismatch"],
  ["another state", [code, ["state", "the-state-that-was-sent!"]], "state-mismatch"],
  ["the state twice", [code, state, state], "state-mismatch"],
  ["an error without the state", [["error", "access_denied"]], "state-mismatch"],
  ["another issuer", [code, state, ["iss", "https://evil.example"]], "wrong-service"],
  ["an empty issuer", [code, state, ["iss", ""]], "wrong-service"],
  ["two issuers", [code, state, iss, iss], "wrong-service"],
  ["another issuer's error", [state, ["error", "x"], ["iss", "x"]], "wrong-service"],
  ["no code", [state], "missing-code"],
  ["an empty code", [state, ["code", ""]], "missing-code"],
  ["two codes", [state, code, ["code", "other"]], "missing-code"],
] satisfies [string, QueryParameters, string][]) {
  test(`${name}: ${kind}`, () => {
    assert.equal(read(parameters).kind, kind);
  });
}

test("an issuer can be required", () => {
  assert.equal(read([code, state], { issuerRequired: true }).kind, "wrong-service");
  assert.equal(read([code, state, iss], { issuerRequired: true }).kind, "code");
});

test("a refusal is named when its word is known, and its text is not repeated", () => {
  const refuse = (error: string) =>
    read([state, ["error", error], ["error_description", "<b>hello</b>"], code]);
  assert.deepEqual(refuse("access_denied"), { kind: "login-refused", code: "access_denied" });
  assert.deepEqual(refuse("<script>"), { kind: "login-refused", code: "other" });
  assert.deepEqual(refuse(""), { kind: "login-refused", code: "other" });
});

test("texts are the same only when every character is", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (a, b) => {
      assert.equal(isSameText(a, b), a === b);
      assert.ok(isSameText(a, a.slice()));
      assert.ok(!isSameText(a, `${a}x`) && !isSameText(`${a}x`, a));
    }),
  );
});
