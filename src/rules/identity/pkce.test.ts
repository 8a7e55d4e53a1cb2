import assert from "node:assert/strict";
import { test } from "node:test";
import { createCodeChallenge, readCodeVerifier } from "./pkce.ts";

const matchesCodeChallenge = async (verifier: string, challenge: string) =>
  (await readCodeVerifier(verifier)) === challenge;

// RFC 7636 appendix B.
const VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

test("the verifier of RFC 7636 matches its challenge", async () => {
  assert.equal(await createCodeChallenge(VERIFIER), CHALLENGE);
  assert.equal(await matchesCodeChallenge(VERIFIER, CHALLENGE), true);
});

test("verifiers of 43 to 128 characters are taken", async () => {
  for (const length of [43, 128]) {
    const verifier = "~".repeat(length);
    const challenge = await createCodeChallenge(verifier);
    assert.equal(await matchesCodeChallenge(verifier, challenge), true);
  }
});

for (const [name, verifier] of [
  ["another one", `${VERIFIER}A`],
  ["the challenge itself, as the method plain would have it", CHALLENGE],
] as const) {
  test(`a verifier does not match when it is ${name}`, async () => {
    assert.equal(await matchesCodeChallenge(verifier, CHALLENGE), false);
  });
}

for (const [name, verifier] of [
  ["too short", "a".repeat(42)],
  ["too long", "a".repeat(129)],
  ["of foreign characters", `${"a".repeat(42)}+`],
  ["followed by a line break", `${VERIFIER}\n`],
] as const) {
  test(`a verifier that is ${name} does not match even its own challenge`, async () => {
    const challenge = await createCodeChallenge(verifier);
    assert.equal(await matchesCodeChallenge(verifier, challenge), false);
  });
}

test("a challenge outside the grammar is never matched", async () => {
  for (const challenge of ["", `${CHALLENGE}=`, CHALLENGE.slice(1), `${CHALLENGE}\n`]) {
    assert.equal(await matchesCodeChallenge(VERIFIER, challenge), false);
  }
});
