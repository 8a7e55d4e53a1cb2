import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { test } from "node:test";
import { findKeyError, readKeyProof } from "./key-proof.ts";

const ID = "AAAAAAAAAAAAAAAAAAAAAA";
const bytes = Buffer.alloc(32, 7);
const secret = bytes.toString("base64url");
const proof = { keyId: ID, writeHash: hash("sha256", bytes, "base64url") };

test("only a key id, a dot and a canonical secret are a proof, and the secret is not kept", () => {
  assert.deepEqual(readKeyProof(`${ID}.${secret}`), proof);
  const others = [
    null,
    "",
    ID,
    `${ID}.`,
    `.${secret}`,
    `${ID}.${secret}.`,
    `${ID}.${secret}=`,
    ` ${ID}.${secret}`,
    `${ID}.${secret.slice(0, -1)}`,
    `${ID}.${secret.slice(0, -1)}d`,
    `${ID.slice(0, -1)}B.${secret}`,
  ];
  for (const text of others) assert.equal(readKeyProof(text), null, String(text));
});

test("operations in the clear need no proof, and one that is sealed needs it for all", () => {
  const keys = { current: proof, has: (keyId: string) => keyId === ID };
  assert.equal(findKeyError([{}, {}], null, keys), null);
  assert.deepEqual(findKeyError([{}, { keyId: ID }], null, keys), { kind: "key-unknown" });
  assert.equal(findKeyError([{}, { keyId: ID }], proof, keys), null);
});
