import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createPayload, createSigner } from "../../../test/fixtures/signed-envelope.ts";
import { NO_MANIFEST_MEMORY, verifyNextManifest } from "../../rules/release/manifest-memory.ts";
import { NO_UPDATE_STATE, readUpdateState, writeUpdateState, type UpdateState } from "./storage.ts";

const signer = createSigner("release-2026-01");
const other = createSigner("release-2026-02");
const trust = {
  keys: { [signer.keyId]: signer.publicKey, [other.keyId]: other.publicKey },
  product: "habits",
};
const envelope = JSON.stringify(signer.seal(createPayload({ sequence: 7 })));
const verified = await verifyNextManifest(envelope, {
  ...trust,
  memory: NO_MANIFEST_MEMORY,
  now: 0,
});
assert.ok(verified.kind === "verified");
const state: UpdateState = { memory: verified.memory, etag: '"abc"', envelope };

const sequenceOf = ({ memory }: UpdateState, { publicKey } = signer) =>
  memory.newest[publicKey]?.sequence;

test("what was written is read again, expired or not", async () => {
  assert.deepEqual(await readUpdateState(writeUpdateState(state), trust), state);
});

test("nothing saved is no state", async () => {
  assert.deepEqual(await readUpdateState(null, trust), NO_UPDATE_STATE);
});

test("what a client before this one saved is read: the envelope has all that counts", async () => {
  const text = JSON.stringify({ highestSequence: 7, etag: '"abc"', envelope });
  assert.deepEqual(await readUpdateState(text, trust), state);
});

test("a bare number that such a client kept for a key that is no longer pinned ends with it", async () => {
  const text = JSON.stringify({ highestSequence: 2 ** 53 - 1, etag: '"abc"', envelope });
  const keys = { [other.keyId]: other.publicKey };
  assert.deepEqual(await readUpdateState(text, { ...trust, keys }), NO_UPDATE_STATE);
});

test("a genuine envelope overrules a damaged number, low or high", async () => {
  const seen = state.memory.newest[signer.publicKey];
  for (const sequence of [0, 1, -5, 2 ** 53 - 1, "7", null]) {
    const newest = {
      [signer.publicKey]: { ...seen, sequence },
      [other.publicKey]: { ...seen, sequence },
    };
    const memory = { ...state.memory, newest };
    const read = await readUpdateState(JSON.stringify({ ...state, memory }), trust);
    assert.equal(sequenceOf(read), 7);
    assert.ok((sequenceOf(read, other) ?? 0) <= 7);
  }
});

test("the numbers still count when the envelope is damaged", async () => {
  const damaged = writeUpdateState({ ...state, envelope: envelope.slice(0, -1) });
  const expected = { ...NO_UPDATE_STATE, memory: state.memory };
  assert.deepEqual(await readUpdateState(damaged, trust), expected);
});

test("an envelope of a key that was revoked is not shown again", async () => {
  const memory = { ...state.memory, revokedBy: { [signer.publicKey]: other.publicKey } };
  const read = await readUpdateState(writeUpdateState({ ...state, memory }), trust);
  assert.deepEqual(read, { ...NO_UPDATE_STATE, memory });
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
      if (read.envelope !== null) assert.equal(sequenceOf(read), 7);
    }),
  );
});
