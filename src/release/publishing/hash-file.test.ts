import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import {
  appendFileSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { hashFile } from "./hash-file.ts";

const folder = mkdtempSync(join(tmpdir(), "trellis-hash-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const EVERYTHING = { blake2b512: true, content: true };
const NOTHING = { blake2b512: false, content: false };
const MIB = 1024 * 1024;

/** Bytes that differ from piece to piece. */
function makeFile(name: string, size: number): { path: string; bytes: Buffer } {
  const bytes = Buffer.alloc(size);
  for (let at = 0; at < size; at += 4096) bytes.writeUInt8((at / 4096) % 251, at);
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return { path, bytes };
}

const digest = (algorithm: string, bytes: Buffer) => createHash(algorithm).update(bytes).digest();

test("one pass gives every digest, and the bytes they are of", async () => {
  for (const size of [1, MIB - 1, MIB, MIB + 1, 3 * MIB + 5]) {
    const { path, bytes } = makeFile("My App 1.0.exe", size);
    const progress: number[] = [];
    const hashed = await hashFile(path, EVERYTHING, (done, total) => {
      assert.equal(total, size);
      progress.push(done);
    });
    assert.ok(hashed.kind === "hashed");
    assert.equal(hashed.name, "My App 1.0.exe");
    assert.equal(hashed.size, size);
    assert.equal(hashed.sha256, digest("sha256", bytes).toString("hex"));
    assert.equal(hashed.sha512, digest("sha512", bytes).toString("base64"));
    assert.deepEqual(hashed.blake2b512, digest("blake2b512", bytes));
    assert.ok(hashed.content?.equals(bytes));
    assert.deepEqual(Buffer.from(hashed.start), bytes.subarray(0, 32));
    assert.equal(progress.at(-1), size);
    assert.equal(progress.length, Math.ceil(size / MIB));
  }
});

test("what was not asked for is not computed, and a file that is too large is not kept", async () => {
  const { path, bytes } = makeFile("large.dmg", 2 * MIB);
  const plain = await hashFile(path, NOTHING);
  assert.ok(plain.kind === "hashed");
  assert.deepEqual([plain.blake2b512, plain.content], [null, null]);
  const limit = (max: number) => hashFile(path, EVERYTHING, undefined, max);
  const over = await limit(2 * MIB - 1);
  assert.ok(over.kind === "hashed" && over.content === null);
  assert.equal(over.sha512, digest("sha512", bytes).toString("base64"));
  const exact = await limit(2 * MIB);
  assert.ok(exact.kind === "hashed" && exact.content?.equals(bytes));
});

describe("a file that changes while it is read is refused, with and without its bytes", () => {
  const changes: Record<string, (path: string) => void> = {
    "it grows": (path) => appendFileSync(path, "more"),
    "it shrinks": (path) => truncateSync(path, MIB),
    "it is written again with the same size": (path) => writeFileSync(path, Buffer.alloc(3 * MIB)),
    "it is written again, and its time is rolled back": (path) => {
      const { atime, mtime } = statSync(path);
      writeFileSync(path, Buffer.alloc(3 * MIB));
      utimesSync(path, atime, mtime);
    },
    "another file is put in its place": (path) => {
      const { path: other } = makeFile("other", 3 * MIB);
      const { atime, mtime } = statSync(path);
      utimesSync(other, atime, mtime);
      renameSync(other, path);
    },
  };
  for (const [name, change] of Object.entries(changes)) {
    for (const request of [EVERYTHING, NOTHING]) {
      test(`${name} (${request.content ? "with" : "without"})`, async () => {
        const { path } = makeFile("changing.exe", 3 * MIB);
        let isChanged = false;
        const hashed = await hashFile(path, request, () => {
          if (!isChanged) change(path);
          isChanged = true;
        });
        assert.match(
          hashed.kind === "refused" ? hashed.message : "hashed",
          /changing\.exe" changed while it was read: wait until it is built/,
        );
      });
    }
  }
});

test("what is no file with content is refused", async () => {
  const message = async (path: string) => {
    const hashed = await hashFile(path, NOTHING);
    return hashed.kind === "refused" ? hashed.message : "hashed";
  };
  assert.match(await message(folder), /is not a file/);
  assert.match(await message(join(folder, "nothing")), /^There is no file/);
  assert.match(await message(makeFile("empty", 0).path), /is empty: was it built\?/);
});
