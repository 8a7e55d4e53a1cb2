import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { createPayload, createSigner, ISSUED_AT } from "../../../test/fixtures/signed-envelope.ts";
import { verifyManifest } from "./verify-manifest.ts";

const signer = createSigner("release-2026-01");
const trust = {
  keys: { [signer.keyId]: signer.publicKey },
  product: "habits",
  highestSequence: 0,
  now: ISSUED_AT,
};
const envelope = signer.seal(createPayload());
const verify = (changes: object = {}) =>
  verifyManifest(JSON.stringify({ ...envelope, ...changes }), trust);

function replaceCrypto(t: TestContext, crypto: object | undefined): void {
  const original = Object.getOwnPropertyDescriptor(globalThis, "crypto");
  assert.ok(original);
  Object.defineProperty(globalThis, "crypto", { value: crypto, configurable: true });
  t.after(() => Object.defineProperty(globalThis, "crypto", original));
}

test("verifies with WebCrypto alone", async () => {
  assert.equal((await verify()).kind, "verified");
  const other = createSigner("release-2026-01").seal(createPayload());
  assert.equal((await verify({ signature: other.signature })).kind, "bad-signature");
});

for (const [name, crypto] of [
  ["no WebCrypto", undefined],
  ["no SubtleCrypto", {}],
  [
    "WebCrypto without Ed25519",
    {
      subtle: {
        importKey: () => Promise.reject(new DOMException("Unrecognized", "NotSupportedError")),
      },
    },
  ],
] as const) {
  test(`a runtime with ${name} verifies nothing and says so`, async (t) => {
    replaceCrypto(t, crypto);
    assert.deepEqual(await verify(), { kind: "unsupported-runtime", algorithm: "ed25519" });
  });
}

test("a key that the runtime refuses is a bad signature, not a missing feature", async (t) => {
  const importKey = () => Promise.reject(new DOMException("Not a point", "DataError"));
  replaceCrypto(t, { subtle: { importKey } });
  assert.equal((await verify()).kind, "bad-signature");
});
