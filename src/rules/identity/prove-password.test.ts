import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeBase64Url, encodeBase64Url } from "../base64url.ts";
import { createAuthMessage } from "./auth-message.ts";
import { provePassword, type PasswordLogin } from "./prove-password.ts";
import { createServerSignature, createVerifier, recoverStoredKey } from "./scram.ts";

const password = "correct horse battery";

async function prepare(changes: Partial<PasswordLogin["challenge"]> = {}) {
  const verifier = await createVerifier(password, 100_000);
  const challenge = {
    challengeId: "challenge",
    salt: encodeBase64Url(verifier.salt),
    iterations: 100_000,
    serverNonce: "nonce",
    ...changes,
  };
  const login = {
    purpose: "trellis-sync-login",
    username: "anna",
    attempt: { state: "0123456789abcdef" },
    challenge,
  };
  return { verifier, login };
}

test("a proof convinces the server, whose signature then convinces the client", async () => {
  const { verifier, login } = await prepare();
  const result = await provePassword({ ...login, password });
  assert.ok(result.kind === "proved");
  const message = createAuthMessage({ ...login, clientNonce: result.clientNonce });
  const proof = decodeBase64Url(result.proof)!;
  const recovered = await recoverStoredKey(verifier.storedKey, message, proof);
  assert.deepEqual(recovered, verifier.storedKey);
  const signature = await createServerSignature(verifier.serverKey, message);
  assert.equal(result.expectedServerSignature, encodeBase64Url(signature));
});

test("two proofs for one challenge differ, for the client's nonce does", async () => {
  const { login } = await prepare();
  const one = await provePassword({ ...login, password });
  const two = await provePassword({ ...login, password });
  assert.ok(one.kind === "proved" && two.kind === "proved");
  assert.notEqual(one.clientNonce, two.clientNonce);
  assert.notEqual(one.proof, two.proof);
});

for (const iterations of [0, 1, 4096, 99_999, 10_000_001, 100_000.5, Number.NaN, 2 ** 40]) {
  test(`${iterations} iterations are refused before anything is derived`, async () => {
    const { login } = await prepare({ iterations });
    const never = () => assert.fail("derived");
    const result = await provePassword({ ...login, password }, never);
    assert.deepEqual(result, { kind: "iterations-refused", iterations });
  });
}

for (const iterations of [100_000, 10_000_000]) {
  test(`${iterations} iterations are accepted`, async () => {
    const { login } = await prepare({ iterations });
    const derive = async () => new Uint8Array(32);
    assert.equal((await provePassword({ ...login, password }, derive)).kind, "proved");
  });
}

for (const salt of ["", "AAAA", "not+base64", "A".repeat(20)]) {
  test(`the salt ${JSON.stringify(salt)} is refused`, async () => {
    const { login } = await prepare({ salt });
    assert.deepEqual(await provePassword({ ...login, password }), {
      kind: "salt-refused",
    });
  });
}
