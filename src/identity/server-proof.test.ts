import assert from "node:assert/strict";
import { test } from "node:test";
import { PROOF_HEADER } from "../contract/server-proof.ts";
import { createInstanceKey } from "./instance-key.ts";
import { createServerProof } from "./server-proof.ts";

const KEY = createInstanceKey(new Uint8Array(32).fill(1));
const BASE_URL = "https://sync.example.com";
const CHALLENGE = "c".repeat(43);

test("a proof depends on the key, the service, the address and the challenge", () => {
  const proofs = [
    createServerProof(KEY, "sync", BASE_URL)(CHALLENGE),
    createServerProof(createInstanceKey(new Uint8Array(32).fill(2)), "sync", BASE_URL)(CHALLENGE),
    createServerProof(KEY, "events", BASE_URL)(CHALLENGE),
    createServerProof(KEY, "sync", "https://sync.example.org")(CHALLENGE),
    createServerProof(KEY, "sync", BASE_URL)("d".repeat(43)),
  ].map((headers) => headers[PROOF_HEADER] ?? "");
  assert.equal(new Set(proofs).size, proofs.length);
  for (const proof of proofs) assert.match(proof, /^[A-Za-z0-9_-]{43}$/);
  const again = createServerProof(KEY, "sync", `${BASE_URL}/`)(CHALLENGE);
  assert.equal(again[PROOF_HEADER], proofs[0]);
});

test("only what has the form of a challenge is proved", () => {
  const prove = createServerProof(KEY, "sync", BASE_URL);
  for (const text of [null, "", "c".repeat(42), "c".repeat(44), `${"c".repeat(42)}=`]) {
    assert.deepEqual(prove(text), {}, String(text));
  }
});
