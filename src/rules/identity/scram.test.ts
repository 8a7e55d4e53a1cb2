import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Bytes } from "../web-crypto.ts";
import {
  createProof,
  createServerSignature,
  createVerifier,
  deriveClientKey,
  deriveSaltedPassword,
  deriveServerKey,
  deriveStoredKey,
  recoverStoredKey,
} from "./scram.ts";

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");
const bytes = (text: string): Bytes => Uint8Array.from(Buffer.from(text, "base64"));

// RFC 7677 section 3: user "user", password "pencil".
const RFC_7677 = {
  salt: bytes("W22ZaJ0SNY7soEsUEjb6gQ=="),
  iterations: 4096,
  authMessage: [
    "n=user,r=rOprNGfwEbeRWgbNEkqO",
    "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096",
    "c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0",
  ].join(","),
  proof: "dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=",
  serverSignature: "6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=",
};

test("the exchange of RFC 7677 gives its proof and its signature", async () => {
  const { salt, iterations, authMessage } = RFC_7677;
  const salted = await deriveSaltedPassword("pencil", salt, iterations);
  const proof = await createProof(salted, authMessage);
  const serverKey = await deriveServerKey(salted);
  const signature = await createServerSignature(serverKey, authMessage);
  assert.equal(base64(proof), RFC_7677.proof);
  assert.equal(base64(signature), RFC_7677.serverSignature);
});

test("the proof of RFC 7677 leads to the stored key, and no other proof or message does", async () => {
  const { salt, iterations, authMessage } = RFC_7677;
  const salted = await deriveSaltedPassword("pencil", salt, iterations);
  const storedKey = await deriveStoredKey(await deriveClientKey(salted));
  const recover = (message: string, proof: Bytes) =>
    recoverStoredKey(storedKey, message, proof).then(base64);
  const proof = bytes(RFC_7677.proof);
  assert.equal(await recover(authMessage, proof), base64(storedKey));
  assert.notEqual(await recover(`${authMessage} `, proof), base64(storedKey));
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: 31 }), fc.integer({ min: 1, max: 255 }), async (at, change) => {
      const other = proof.map((byte, index) => (index === at ? byte ^ change : byte));
      assert.notEqual(await recover(authMessage, other), base64(storedKey));
    }),
  );
});

test("a verifier fits its password in either Unicode spelling, but not a trimmed one", async () => {
  const verifier = await createVerifier(" Schlüssel für Zoë ", 1000);
  const prove = async (password: string) => {
    const { salt, iterations, storedKey } = verifier;
    const salted = await deriveSaltedPassword(password, salt, iterations);
    const proof = await createProof(salted, "message");
    return base64(await recoverStoredKey(storedKey, "message", proof));
  };
  assert.equal(await prove(" Schlüssel für Zoë ".normalize("NFD")), base64(verifier.storedKey));
  assert.notEqual(await prove("Schlüssel für Zoë"), base64(verifier.storedKey));
});

test("two verifiers of one password have nothing in common", async () => {
  const [one, two] = await Promise.all([
    createVerifier("correct horse battery", 1000),
    createVerifier("correct horse battery", 1000),
  ]);
  assert.notDeepEqual(one.salt, two.salt);
  assert.notDeepEqual(one.storedKey, two.storedKey);
  assert.notDeepEqual(one.serverKey, two.serverKey);
});
