import assert from "node:assert/strict";
import { test } from "node:test";
import { MAX_ACCOUNT_KEYS, MAX_KEY_LIST_CHARACTERS } from "../../contract/sync/account-keys.ts";
import { sampleAccountKey, sampleKeyProof } from "../../../store-contract/samples.ts";
import { planKey } from "./plan-key.ts";

const proof = sampleKeyProof("last");
const keys = {
  current: proof,
  has: (keyId: string) => keyId === proof.keyId,
  same: undefined,
  characters: 0,
};
const next = sampleAccountKey("next", "last");

test("a full list takes no more keys, and knows what it has", () => {
  const length = MAX_ACCOUNT_KEYS;
  assert.deepEqual(planKey(next, proof, { ...keys, length: length - 1 }), { kind: "added" });
  assert.deepEqual(planKey(next, proof, { ...keys, length }), { kind: "too-many" });
  assert.deepEqual(planKey(next, null, { ...keys, length }), { kind: "unknown" });
  assert.deepEqual(planKey(next, proof, { ...keys, length, same: next }), { kind: "repeated" });
});

test("a record with the id of another is a repetition only when all of it is the same", () => {
  const other = sampleAccountKey("other", "another");
  for (const change of [{ write: other.write }, { from: other.from ?? "" }]) {
    const same = { ...next, ...change };
    assert.deepEqual(planKey(next, proof, { ...keys, length: 2, same }), { kind: "replaced" });
  }
});

test("a list of large records is full before a device could not read it in one response", () => {
  const { keys: former, from = "" } = next;
  const characters = MAX_KEY_LIST_CHARACTERS - former.length - from.length;
  assert.deepEqual(planKey(next, proof, { ...keys, length: 1, characters }), { kind: "added" });
  const full = { ...keys, length: 1, characters: characters + 1 };
  assert.deepEqual(planKey(next, proof, full), { kind: "too-many" });
});

test("a stranger learns of a record that does not follow only that the proof is wrong", () => {
  const stranger = { ...proof, writeHash: next.write };
  const record = sampleAccountKey("next", "another");
  assert.deepEqual(planKey(record, stranger, { ...keys, length: 1 }), { kind: "unknown" });
  assert.deepEqual(planKey(record, proof, { ...keys, length: 1 }), { kind: "invalid" });
});
