import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { createInstanceKey, listInstanceKeys } from "./instance-key.ts";
import {
  encodeKeyRing,
  instanceKeyId,
  newKeyRing,
  parseKeyRing,
  rotateKeyRing,
} from "./key-ring.ts";

const FIRST = newKeyRing(Uint8Array.from(randomBytes(32)), 1000);

test("a key is 32 bytes until it is rotated, and is read back as it was written", () => {
  assert.deepEqual(encodeKeyRing(FIRST), FIRST.secret);
  assert.deepEqual(parseKeyRing(FIRST.secret, 1000), FIRST);
  const rotated = rotateKeyRing(rotateKeyRing(FIRST, 2000, 2001), 3000, 3001);
  assert.deepEqual(parseKeyRing(encodeKeyRing(rotated)), rotated);
  assert.deepEqual(
    rotated.retired.map(({ createdAt, retiredAt }) => [createdAt, retiredAt]),
    [
      [2000, 3001],
      [1000, 2001],
    ],
  );
});

test("a rotation changes every derived key but that of decoys, also when old keys are dropped", () => {
  const rotated = rotateKeyRing(rotateKeyRing(FIRST, 2000, 2000), 3000, 3000);
  const dropped = parseKeyRing(encodeKeyRing({ ...rotated, retired: [] }));
  assert.ok(dropped !== null);
  const before = createInstanceKey(FIRST);
  for (const ring of [rotated, dropped]) {
    for (const key of listInstanceKeys(ring)) {
      assert.deepEqual(key.derive("identity/decoy"), before.derive("identity/decoy"));
    }
    const [current] = listInstanceKeys(ring);
    assert.notDeepEqual(current.derive("identity/seal"), before.derive("identity/seal"));
  }
  const oldest = listInstanceKeys(rotated).at(-1);
  assert.deepEqual(oldest?.derive("identity/seal"), before.derive("identity/seal"));
  assert.deepEqual(dropped.decoyKey, rotated.decoyKey);
});

test("an id tells keys apart, and has nothing of the key", () => {
  const id = instanceKeyId(FIRST.secret);
  assert.match(id, /^[0-9a-f]{12}$/);
  assert.equal(instanceKeyId(FIRST.secret), id);
  assert.notEqual(instanceKeyId(rotateKeyRing(FIRST, 1, 1).secret), id);
  assert.ok(!Buffer.from(FIRST.secret).toString("hex").includes(id));
});

test("what is no key file is not read as one", () => {
  const good = Buffer.from(encodeKeyRing(rotateKeyRing(FIRST, 2000, 2000))).toString("utf8");
  for (const text of [
    "",
    "{}",
    "null",
    good.slice(0, -5),
    good.replace('"version": 1', '"version": 2'),
    good.replace('"retired": [', '"others": ['),
    good.replace(/"key": "[^"]{4}/, '"key": "'),
    good.replace(/"decoyKey": "[^"]{4}/, '"decoyKey": "'),
    good.replace(/"retiredAt": "[^"]*"/, '"retiredAt": "yesterday"'),
  ]) {
    assert.equal(parseKeyRing(Buffer.from(text)), null, text);
  }
  assert.equal(parseKeyRing(randomBytes(31)), null);
  assert.equal(parseKeyRing(randomBytes(33)), null);
});
