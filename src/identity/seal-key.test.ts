import assert from "node:assert/strict";
import { test } from "node:test";
import type { SealedKey } from "../contract/sealed-key.ts";
import { randomBytes } from "../rules/web-crypto.ts";
import { openSealedKey, sealKey } from "./seal-key.ts";

const PASSPHRASE = "pass phrase with é";
const CHEAP_SECRET = new Uint8Array(32).fill(7);
/** A key says what it was sealed with, so one of low cost spares the tests most of the time of scrypt. */
const CHEAP: SealedKey = {
  kdf: "scrypt",
  cost: 16,
  blockSize: 8,
  parallelization: 1,
  salt: "MDEyMzQ1Njc4OWFiY2RlZg",
  sealed: "Af774jkf6XnURmnPPKCKHRD0vBjqspNc8WBEjIGow_NKKkqzPgT3czd0uK-Jw3YTZtCS7OEztdp8wx57qA",
};

test("a sealed key opens with its passphrase, however that is composed", async () => {
  const secret = randomBytes(32);
  const sealed = await sealKey(secret, PASSPHRASE, "sync");
  assert.equal(JSON.stringify(sealed).includes(Buffer.from(secret).toString("base64url")), false);
  assert.equal(128 * sealed.cost * sealed.blockSize, 128 * 1024 * 1024, "the memory of a guess");
  assert.deepEqual(await openSealedKey(sealed, "pass phrase with e\u0301", "sync"), secret);
});

test("a sealed key opens with no other passphrase, salt or realm", async () => {
  assert.deepEqual(await openSealedKey(CHEAP, PASSPHRASE, "sync"), CHEAP_SECRET);
  assert.equal(await openSealedKey(CHEAP, "another passphrase", "sync"), null);
  const salt = Buffer.from(randomBytes(16)).toString("base64url");
  assert.equal(await openSealedKey({ ...CHEAP, salt }, PASSPHRASE, "sync"), null);
  assert.equal(await openSealedKey(CHEAP, PASSPHRASE, "events"), null);
});

test("parameters that scrypt cannot take, or not within the memory, open nothing and throw nothing", async () => {
  for (const damage of [
    { cost: 2 ** 30 },
    { cost: 2 ** 17 + 1 },
    { cost: -1 },
    { cost: 0 },
    { blockSize: 0 },
    { blockSize: 2 ** 20 },
    { parallelization: 0 },
    { parallelization: 2 ** 20 },
  ]) {
    assert.equal(await openSealedKey({ ...CHEAP, ...damage }, PASSPHRASE, "sync"), null);
  }
  assert.deepEqual(await openSealedKey(CHEAP, PASSPHRASE, "sync"), CHEAP_SECRET);
});
