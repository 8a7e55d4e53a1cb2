import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import fc from "fast-check";
import { countCalls } from "../../../test/fixtures/count-calls.ts";
import { createSigner } from "../../../conformance/release/driver/signer.ts";
import { createPayload, EXPIRES_AT, ISSUED_AT } from "../../../test/fixtures/signed-envelope.ts";
import { decodeBase64Url, encodeBase64Url } from "../base64url.ts";
import { checkSignature, verifyManifest, type ManifestTrust } from "./verify-manifest.ts";

const active = createSigner("release-2026-01");
const standby = createSigner("release-2026-02");
const stranger = createSigner("release-2026-03");
const trust: ManifestTrust = {
  keys: { [active.keyId]: active.publicKey, [standby.keyId]: standby.publicKey },
  product: "habits",
  highestSequence: 7,
  now: ISSUED_AT,
};
const genuine = active.seal(createPayload());

const open = (envelope: unknown, changes: Partial<ManifestTrust> = {}) =>
  verifyManifest(typeof envelope === "string" ? envelope : JSON.stringify(envelope), {
    ...trust,
    ...changes,
  });

test("opens a manifest that an active key signed", async () => {
  assert.deepEqual(await open(genuine), {
    kind: "verified",
    keyId: active.keyId,
    payload: createPayload(),
  });
});

test("opens a manifest that the standby key signed", async () => {
  const result = await open(standby.seal(createPayload()));
  assert.equal(result.kind === "verified" && result.keyId, standby.keyId);
});

test("how the envelope is spaced and ordered does not matter, its payload text does", async () => {
  const reordered = Object.fromEntries(Object.entries(genuine).toReversed());
  assert.equal((await open(JSON.stringify(reordered, null, 4))).kind, "verified");
});

test("a payload written again from its parsed form is refused although it means the same", async () => {
  const spaced = active.seal(Buffer.from(JSON.stringify(createPayload(), null, 2)));
  assert.equal((await open(spaced)).kind, "verified");
  const parsed: unknown = JSON.parse(Buffer.from(spaced.payload, "base64url").toString());
  const rewritten = encodeBase64Url(Buffer.from(JSON.stringify(parsed)));
  const result = await open({ ...spaced, payload: rewritten });
  assert.deepEqual(result, { kind: "bad-signature", keyId: active.keyId });
});

for (const field of ["payload", "signature"] as const) {
  test(`no changed bit of the ${field} is ever opened`, async () => {
    const bytes = decodeBase64Url(genuine[field]);
    assert.ok(bytes);
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(7), async (index, bit) => {
        const changed = Uint8Array.from(bytes);
        changed[index] = (changed[index] ?? 0) ^ (1 << bit);
        const result = await open({ ...genuine, [field]: encodeBase64Url(changed) });
        assert.equal(result.kind, "bad-signature");
      }),
    );
  });
}

test("the payload is not parsed unless its signature is valid", async () => {
  const countDecodings = async (envelope: object) => {
    const counts = await countCalls(["rules/web-crypto.ts"], () => open(envelope));
    return counts["rules/web-crypto.ts decodeUtf8"] ?? 0;
  };
  const forged = { ...stranger.seal(createPayload()), keyId: active.keyId };
  assert.equal(await countDecodings(forged), 0);
  assert.equal(await countDecodings(genuine), 1);
});

test("a signature is verified with the key that the envelope names, and no other", async () => {
  const swapped = { ...genuine, keyId: standby.keyId };
  assert.deepEqual(await open(swapped), { kind: "bad-signature", keyId: standby.keyId });
});

test("a key that is not pinned is unknown, also when it has the name of a built-in property", async () => {
  assert.deepEqual(await open(stranger.seal(createPayload())), {
    kind: "unknown-key",
    keyId: stranger.keyId,
  });
  for (const keyId of ["constructor", "toString", "hasOwnProperty"]) {
    assert.deepEqual(await open({ ...genuine, keyId }), { kind: "unknown-key", keyId });
  }
});

test("a key that has left the ring no longer opens anything", async () => {
  const rotated = { [standby.keyId]: standby.publicKey, [stranger.keyId]: stranger.publicKey };
  assert.equal((await open(genuine, { keys: rotated })).kind, "unknown-key");
  const next = await open(stranger.seal(createPayload()), { keys: rotated });
  assert.equal(next.kind, "verified");
});

test("a pinned key that is no key opens nothing", async () => {
  assert.equal((await open(genuine, { keys: { [active.keyId]: "%%" } })).kind, "unknown-key");
  assert.equal((await open(genuine, { keys: { [active.keyId]: "AAAA" } })).kind, "bad-signature");
});

test("a runtime without Ed25519 opens nothing and says why", async () => {
  const result = await checkSignature(JSON.stringify(genuine), trust.keys, {
    verifyEd25519: () => Promise.resolve("unsupported"),
  });
  assert.deepEqual(result, { kind: "unsupported-runtime", algorithm: "ed25519" });
});

function replaceCrypto(t: TestContext, crypto: object | undefined): void {
  const original = Object.getOwnPropertyDescriptor(globalThis, "crypto");
  assert.ok(original);
  Object.defineProperty(globalThis, "crypto", { value: crypto, configurable: true });
  t.after(() => Object.defineProperty(globalThis, "crypto", original));
}

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
    assert.deepEqual(await open(genuine), { kind: "unsupported-runtime", algorithm: "ed25519" });
  });
}

test("a key that the runtime refuses is a bad signature, not a missing feature", async (t) => {
  const importKey = () => Promise.reject(new DOMException("Not a point", "DataError"));
  replaceCrypto(t, { subtle: { importKey } });
  assert.equal((await open(genuine)).kind, "bad-signature");
});

test("another algorithm is refused by name", async () => {
  assert.deepEqual(await open({ ...genuine, algorithm: "none" }), {
    kind: "wrong-algorithm",
    algorithm: "none",
  });
});

for (const [name, envelope] of [
  ["text that is not JSON", "<!doctype html>"],
  ["nothing", ""],
  ["a byte order mark", `\uFEFF${JSON.stringify(genuine)}`],
  ["null", null],
  ["a list", [genuine]],
  ["a text", JSON.stringify("manifest")],
  ["a field beyond the five", { ...genuine, note: "hello" }],
  ["a prototype as a field", `{"__proto__":{},${JSON.stringify(genuine).slice(1)}`],
  ["another schema version", { ...genuine, schemaVersion: 2 }],
  ["a schema version as text", { ...genuine, schemaVersion: "1" }],
  ["no algorithm", { ...genuine, algorithm: undefined }],
  ["an algorithm that cannot become text", { ...genuine, algorithm: { toString: 1, valueOf: 1 } }],
  ["no key id", { ...genuine, keyId: undefined }],
  ["a key id with a path in it", { ...genuine, keyId: "../key" }],
  ["a list of payloads", { ...genuine, payload: [genuine.payload] }],
  ["an empty payload", { ...genuine, payload: "" }],
  ["a padded signature", { ...genuine, signature: `${genuine.signature}==` }],
  ["a signature in another spelling of its bytes", withStrayBits()],
] as const) {
  test(`${name} is a malformed envelope`, async () => {
    assert.equal((await open(envelope)).kind, "malformed-envelope");
  });
}

/** 64 bytes end in a letter of which four bits count for nothing. */
function withStrayBits(): object {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const last = alphabet.indexOf(genuine.signature.at(-1) ?? "");
  return { ...genuine, signature: genuine.signature.slice(0, -1) + alphabet[last + 1] };
}

test("a signature of the wrong length never reaches the cryptography", async () => {
  const careless = { verifyEd25519: () => true };
  for (const length of [63, 65]) {
    const signature = encodeBase64Url(new Uint8Array(length));
    const text = JSON.stringify({ ...genuine, signature });
    assert.equal((await checkSignature(text, trust.keys, careless)).kind, "bad-signature");
  }
});

for (const [name, payload] of [
  ["bytes that are not UTF-8", Uint8Array.of(0x22, 0xff, 0x22)],
  ["a byte order mark", Buffer.from(`\uFEFF${JSON.stringify(createPayload())}`)],
  ["text that is not JSON", Buffer.from("{")],
  ["an object that is not a manifest", { product: "habits" }],
] as const) {
  test(`signed ${name} is a malformed payload`, async () => {
    assert.equal((await open(active.seal(payload))).kind, "malformed-payload");
  });
}

test("another product's manifest is refused although its signature is valid", async () => {
  assert.deepEqual(await open(active.seal(createPayload({ product: "notes" }))), {
    kind: "wrong-product",
    expected: "habits",
    found: "notes",
  });
});

test("a lower sequence is a rollback; the same and a higher one are not", async () => {
  assert.deepEqual(await open(active.seal(createPayload({ sequence: 6 }))), {
    kind: "rollback",
    sequence: 6,
    highestSequence: 7,
  });
  assert.equal((await open(active.seal(createPayload({ sequence: 7 })))).kind, "verified");
  assert.equal((await open(active.seal(createPayload({ sequence: 8 })))).kind, "verified");
});

test("a manifest is valid until its expiry, exclusively", async () => {
  assert.equal((await open(genuine, { now: EXPIRES_AT - 1 })).kind, "verified");
  assert.deepEqual(await open(genuine, { now: EXPIRES_AT }), {
    kind: "expired",
    expiresAt: new Date(EXPIRES_AT).toISOString(),
  });
});

test("an expiry with an offset is the instant it names", async () => {
  const sealed = active.seal(createPayload({ expiresAt: "2026-01-31T02:00:00+02:00" }));
  assert.equal((await open(sealed, { now: EXPIRES_AT - 1 })).kind, "verified");
  assert.equal((await open(sealed, { now: EXPIRES_AT })).kind, "expired");
});

test("no text makes it throw", async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.string(), fc.json()), async (text) => {
      assert.notEqual((await open(text)).kind, "verified");
    }),
  );
});
