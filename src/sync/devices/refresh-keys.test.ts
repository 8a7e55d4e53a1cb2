import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { createInstanceKey } from "../../identity/instance-key.ts";
import { newKeyRing, rotateKeyRing } from "../../identity/key-ring.ts";
import { hashSecret } from "../../identity/one-time-secrets.ts";
import {
  createRefreshToken,
  FAMILY_BYTES,
  nextRefreshToken,
} from "../../rules/sync/refresh-token.ts";
import { createRefreshKeys, isIssued } from "./refresh-keys.ts";

const FIRST = newKeyRing(Uint8Array.from(randomBytes(32)));
const SECOND = rotateKeyRing(FIRST, 1000, 1000);
const THIRD = rotateKeyRing(SECOND, 2000, 2000);
const first = createRefreshKeys(createInstanceKey(FIRST));
const second = createRefreshKeys(createInstanceKey(SECOND));
const third = createRefreshKeys(createInstanceKey(THIRD));
const family = Uint8Array.from(randomBytes(FAMILY_BYTES));

test("a token of a retired key is read until the key is dropped", () => {
  const old = createRefreshToken(family, first.current);
  assert.deepEqual(third.read(old.text), old);
  const dropped = createRefreshKeys(createInstanceKey({ ...THIRD, retired: [] }));
  assert.equal(dropped.read(old.text), null);
  const own = createRefreshToken(family, third.current);
  assert.deepEqual(third.read(own.text), own);
  assert.equal(first.read(own.text), null, "a newer key is not known");
});

test("a lost response is repeated with the key of its time", () => {
  const { text } = createRefreshToken(family, first.current);
  for (const { current } of [first, second, third]) {
    const lost = nextRefreshToken(text, current);
    assert.deepEqual(third.findSuccessor(text, hashSecret(lost.text)), lost);
  }
});

test("a token that was not issued is told apart, whichever key has made it", () => {
  const issued = createRefreshToken(family, third.current).text;
  const forged = createRefreshToken(family, first.current).text;
  assert.equal(isIssued(issued, hashSecret(issued)), true);
  assert.equal(isIssued(forged, hashSecret(issued)), false);
  const renewed = nextRefreshToken(issued, third.current).text;
  assert.equal(third.findSuccessor(forged, hashSecret(renewed)), null);
});
