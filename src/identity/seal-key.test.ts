import assert from "node:assert/strict";
import { before, test } from "node:test";
import { randomBytes } from "../rules/web-crypto.ts";
import { openSealedKey, sealKey } from "./seal-key.ts";

const secret = randomBytes(32);
/** The key is sealed once: sealing takes longer than anything else here. */
let sealed: Awaited<ReturnType<typeof sealKey>>;
before(async () => {
  sealed = await sealKey(secret, "pass phrase with é", "sync");
});

test("a sealed key opens with its passphrase alone, and for its realm", async () => {
  assert.equal(JSON.stringify(sealed).includes(Buffer.from(secret).toString("base64url")), false);
  const decomposed = "pass phrase with e\u0301";
  assert.deepEqual(await openSealedKey(sealed, decomposed, "sync"), secret);
  assert.equal(await openSealedKey(sealed, "another passphrase", "sync"), null);
  const moved = { ...sealed, salt: Buffer.from(randomBytes(16)).toString("base64url") };
  assert.equal(await openSealedKey(moved, "pass phrase with é", "sync"), null);
  assert.equal(await openSealedKey(sealed, "pass phrase with é", "events"), null);
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
    assert.equal(await openSealedKey({ ...sealed, ...damage }, "pass phrase with é", "sync"), null);
  }
  assert.notEqual(await openSealedKey(sealed, "pass phrase with é", "sync"), null);
});
