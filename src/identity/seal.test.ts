import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { createSecretSealer, type SealContext } from "./seal.ts";

const random = (length: number) => Uint8Array.from(randomBytes(length));
const key = random(32);
const sealer = createSecretSealer(key, random);
const context: SealContext = { realm: "sync", account: "a1", purpose: "password-verifier" };
const anyBytes = fc.uint8Array({ maxLength: 300 }).map((bytes) => Uint8Array.from(bytes));

test("what is sealed opens to the same bytes", () => {
  fc.assert(
    fc.property(anyBytes, (bytes) => {
      assert.deepEqual(sealer.open(sealer.seal(bytes, context), context), {
        kind: "opened",
        bytes,
      });
    }),
  );
});

test("sealed bytes with one changed bit do not open", () => {
  fc.assert(
    fc.property(anyBytes, fc.nat(), fc.integer({ min: 0, max: 7 }), (bytes, place, bit) => {
      const sealed = sealer.seal(bytes, context);
      const at = place % sealed.length;
      sealed[at] = sealed[at]! ^ (1 << bit);
      assert.equal(sealer.open(sealed, context).kind, at === 0 ? "not-a-seal" : "not-genuine");
    }),
  );
});

test("truncated sealed bytes do not open", () => {
  const sealed = sealer.seal(random(40), context);
  for (let length = 0; length < sealed.length; length++) {
    const kind = length < 29 ? "not-a-seal" : "not-genuine";
    assert.equal(sealer.open(sealed.subarray(0, length), context).kind, kind);
  }
});

test("another key does not open it", () => {
  const sealed = sealer.seal(random(40), context);
  assert.equal(createSecretSealer(random(32), random).open(sealed, context).kind, "not-genuine");
});

test("it opens only for the realm, the account and the purpose it was sealed for", () => {
  const sealed = sealer.seal(random(40), context);
  for (const other of [
    { ...context, realm: "events" },
    { ...context, account: "a2" },
    { ...context, purpose: "feed-address" },
    { realm: "sync", account: "a1,password-verifier", purpose: "" },
  ]) {
    assert.equal(sealer.open(sealed, other).kind, "not-genuine");
  }
});

test("the same bytes are never sealed the same way twice", () => {
  const bytes = random(40);
  const sealed = Array.from({ length: 100 }, () =>
    Buffer.from(sealer.seal(bytes, context)).toString("hex"),
  );
  assert.equal(new Set(sealed).size, sealed.length);
});
