import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createPayload, createSigner } from "../../../test/fixtures/signed-envelope.ts";
import { NO_UPDATE_STATE, readUpdateState, writeUpdateState } from "./storage.ts";

const signer = createSigner("release-2026-01");
const trust = { keys: { [signer.keyId]: signer.publicKey }, product: "habits" };
const envelope = JSON.stringify(signer.seal(createPayload({ sequence: 7 })));
const state = { highestSequence: 7, etag: '"abc"', envelope };

test("what was written is read again, expired or not", async () => {
  assert.deepEqual(await readUpdateState(writeUpdateState(state), trust), state);
});

test("nothing saved is no state", async () => {
  assert.deepEqual(await readUpdateState(null, trust), NO_UPDATE_STATE);
});

test("a genuine envelope overrules a damaged number, low or high", async () => {
  for (const highestSequence of [0, 1, -5, 2 ** 53, "7", null]) {
    const text = JSON.stringify({ ...state, highestSequence });
    assert.equal((await readUpdateState(text, trust)).highestSequence, 7);
  }
});

test("the number still counts when the envelope cannot be verified any more", async () => {
  const otherKeys = { ...trust, keys: { other: createSigner("other").publicKey } };
  const expected = { highestSequence: 7, etag: null, envelope: null };
  assert.deepEqual(await readUpdateState(writeUpdateState(state), otherKeys), expected);
  const damaged = writeUpdateState({ ...state, envelope: envelope.slice(0, -1) });
  assert.deepEqual(await readUpdateState(damaged, trust), expected);
});

test("an ETag that is not safe in a header is forgotten", async () => {
  for (const etag of ['"a"\r\nX-Evil: 1', "abc", `"${"a".repeat(300)}"`, '"é"', 5]) {
    const read = await readUpdateState(JSON.stringify({ ...state, etag }), trust);
    assert.deepEqual(read, { ...state, etag: null });
  }
});

test("no damage to the stored text makes it throw, raise the floor or keep a forged envelope", async () => {
  const text = writeUpdateState(state);
  const cut = fc.nat(text.length).map((length) => text.slice(0, length));
  const flipped = fc
    .tuple(fc.nat(text.length - 1), fc.string({ minLength: 1, maxLength: 1 }))
    .map(([at, letter]) => text.slice(0, at) + letter + text.slice(at + 1));
  await fc.assert(
    fc.asyncProperty(fc.oneof(cut, flipped, fc.string(), fc.json()), async (damaged) => {
      const read = await readUpdateState(damaged, trust);
      if (read.envelope !== null) assert.equal(read.highestSequence, 7);
    }),
  );
});
