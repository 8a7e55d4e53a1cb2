import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { createInstanceKey } from "../identity/instance-key.ts";
import { newKeyRing, rotateKeyRing } from "../identity/key-ring.ts";
import { createRefreshToken, FAMILY_BYTES } from "../rules/sync/refresh-token.ts";
import { createRefreshKeys, mayHaveIssued, RETIRED_KEY_LIFETIME_MS } from "./refresh-keys.ts";

const FIRST = newKeyRing(Uint8Array.from(randomBytes(32)));
const SECOND = rotateKeyRing(FIRST, 1000, 1000);
const THIRD = rotateKeyRing(SECOND, 2000, 2000);
const first = createRefreshKeys(createInstanceKey(FIRST));
const second = createRefreshKeys(createInstanceKey(SECOND));
const third = createRefreshKeys(createInstanceKey(THIRD));
const family = Uint8Array.from(randomBytes(FAMILY_BYTES));

test("a token of a retired key is read for 60 days, and then no more", () => {
  const { text } = createRefreshToken(family, first.current.mac);
  assert.equal(third.read(text, 3000)?.key.retiredAt, 1000);
  assert.ok(third.read(text, 1000 + RETIRED_KEY_LIFETIME_MS - 1) !== null);
  assert.equal(third.read(text, 1000 + RETIRED_KEY_LIFETIME_MS), null);
  assert.equal(RETIRED_KEY_LIFETIME_MS, 60 * 86_400_000);
  const own = createRefreshToken(family, third.current.mac);
  assert.equal(third.read(own.text, 1e15)?.key, third.current);
  assert.equal(first.read(own.text, 3000), null, "a newer key is not known");
});

test("the key of a time is the one that issued tokens then", () => {
  for (const [time, key] of [
    [999, first],
    [1000, second],
    [1999, second],
    [2000, third],
  ] as const) {
    const { text } = createRefreshToken(family, third.inForceAt(time).mac);
    assert.equal(text, createRefreshToken(family, key.current.mac).text, String(time));
  }
});

test("a retired key has issued nothing since it was replaced", () => {
  const old = third.inForceAt(0);
  assert.equal(mayHaveIssued(old, 999), true);
  assert.equal(mayHaveIssued(old, 1000), false);
  assert.equal(mayHaveIssued(third.current, 1e15), true);
});
