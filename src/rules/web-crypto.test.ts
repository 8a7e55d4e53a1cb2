import assert from "node:assert/strict";
import { test } from "node:test";
import {
  decodeUtf8,
  encodeUtf8,
  hasWebCrypto,
  hmacSha256,
  pbkdf2Sha256,
  randomBytes,
  sha256,
  verifyEd25519,
  type Bytes,
} from "./web-crypto.ts";

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
const bytes = (text: string): Bytes => Uint8Array.from(Buffer.from(text, "hex"));

test("SHA-256 gives the digests of FIPS 180-4", async () => {
  for (const [text, digest] of [
    ["", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
    ["abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
  ] as const) {
    assert.equal(hex(await sha256(encodeUtf8(text))), digest);
  }
});

test("HMAC-SHA-256 gives the codes of RFC 4231 4.2 and 4.3", async () => {
  assert.equal(
    hex(await hmacSha256(bytes("0b".repeat(20)), encodeUtf8("Hi There"))),
    "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
  );
  assert.equal(
    hex(await hmacSha256(encodeUtf8("Jefe"), encodeUtf8("what do ya want for nothing?"))),
    "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
  );
});

test("PBKDF2 gives the first 32 bytes of the keys of RFC 7914 11", async () => {
  assert.equal(
    hex(await pbkdf2Sha256(encodeUtf8("passwd"), encodeUtf8("salt"), 1)),
    "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc",
  );
  assert.equal(
    hex(await pbkdf2Sha256(encodeUtf8("Password"), encodeUtf8("NaCl"), 80_000)),
    "4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56",
  );
});

test("PBKDF2 does not block the thread that calls it", async () => {
  let ticks = 0;
  const timer = setInterval(() => ticks++, 1);
  await pbkdf2Sha256(encodeUtf8("password"), bytes("00".repeat(16)), 200_000);
  clearInterval(timer);
  assert.ok(ticks > 5, `${ticks} ticks`);
});

test("Ed25519 verifies the signature of RFC 8032 7.1, test 2, and no other", async () => {
  const key = bytes("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c");
  const signature = bytes(
    "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
  );
  assert.equal(await verifyEd25519(key, signature, bytes("72")), true);
  assert.equal(await verifyEd25519(key, signature, bytes("73")), false);
});

test("random bytes have the length that was asked for, and differ", () => {
  assert.equal(randomBytes(32).length, 32);
  assert.notDeepEqual(randomBytes(32), randomBytes(32));
});

test("text becomes UTF-8 and back, and only UTF-8 becomes text", () => {
  assert.equal(decodeUtf8(encodeUtf8("Zoë 🌱")), "Zoë 🌱");
  assert.equal(decodeUtf8(bytes("efbbbf41")), "\uFEFFA", "a byte order mark stays");
  assert.throws(() => decodeUtf8(bytes("ff")));
  assert.equal(hasWebCrypto(), true);
});
