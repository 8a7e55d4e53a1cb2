import assert from "node:assert/strict";
import { test } from "node:test";
import { createAuthMessage } from "./auth-message.ts";

const parts = {
  purpose: "trellis-sync-login",
  username: "Zoe\u0308",
  attempt: {
    codeChallenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    state: 'opaque"state-1234',
    redirectUri: "http://localhost:43823/callback",
    attemptId: "attempt-1",
    deviceId: "phone",
  },
  challenge: { challengeId: "c1", salt: "AAAA", iterations: 600_000, serverNonce: "s1" },
  clientNonce: "n1",
};

test("the message of a sync login is this text, to the letter", () => {
  assert.equal(
    createAuthMessage(parts),
    '{"attemptId":"attempt-1","challengeId":"c1","clientNonce":"n1",' +
      '"codeChallenge":"E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM","deviceId":"phone",' +
      '"iterations":600000,"purpose":"trellis-sync-login",' +
      '"redirectUri":"http://localhost:43823/callback","salt":"AAAA","serverNonce":"s1",' +
      '"state":"opaque\\"state-1234","username":"Zo\u00eb","version":1}',
  );
});

test("an attempt cannot override the challenge, the purpose or the name", () => {
  for (const name of ["version", "purpose", "salt", "iterations", "username", "clientNonce"]) {
    const attempt = { ...parts.attempt, [name]: "other" };
    assert.throws(() => createAuthMessage({ ...parts, attempt }), new RegExp(`"${name}"`));
  }
});
