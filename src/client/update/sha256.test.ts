/** The streaming SHA-256 that downloads are verified with. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

function digest(...chunks: Uint8Array[]): string {
  const hash = sha256.create();
  for (const chunk of chunks) hash.update(chunk);
  return bytesToHex(hash.digest());
}

const expected = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

test("gives the published digests of the standard's examples", () => {
  assert.equal(digest(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  assert.equal(
    digest(utf8ToBytes("abc")),
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  );
  assert.equal(
    digest(utf8ToBytes("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
    "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
  );
});

test("agrees with the platform at every length around the block and padding bounds", () => {
  for (let length = 0; length <= 200; length++) {
    const bytes = Uint8Array.from({ length }, (_, index) => (index * 31) & 0xff);
    assert.equal(digest(bytes), expected(bytes), `length ${length}`);
  }
});

test("the digest does not depend on how the bytes are cut into chunks", () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 1024 }),
      fc.array(fc.nat(1024), { maxLength: 12 }),
      (bytes, cuts) => {
        const bounds = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)), bytes.length].sort(
          (a, b) => a - b,
        );
        const chunks = bounds.slice(1).map((end, index) => bytes.subarray(bounds[index], end));
        assert.equal(digest(...chunks), expected(bytes));
      },
    ),
  );
});

test("a hash that has ended takes nothing more", () => {
  const hash = sha256.create();
  hash.digest();
  assert.throws(() => hash.update(utf8ToBytes("a")));
  assert.throws(() => hash.digest());
});
