import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { test, type TestContext } from "node:test";
import { Decrypter } from "age-encryption";
import { createAgeKeys } from "../../../test/fixtures/age-keys.ts";
import { createAgeEncryption, decryptAge, isAgeFile, type AgeIdentity } from "./age-files.ts";
import { loadRecipientCheck } from "../../configuration/age-recipients.ts";
import { BackupEncryptedError, BackupRefusedError } from "./backup-format.ts";

const CHUNK = Buffer.alloc(50_000, "the text of a backup ");
const PLAIN = Buffer.concat([CHUNK, CHUNK, CHUNK]);

async function* inChunks(bytes: Uint8Array, size = 20_000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const decrypt = (bytes: Uint8Array, identities: readonly AgeIdentity[]) =>
  buffer(decryptAge(inChunks(bytes), identities));

test("each recipient opens the file, and so does the process that wrote it, but no other", async () => {
  const [ada, bob, eve] = await Promise.all([createAgeKeys(), createAgeKeys(), createAgeKeys()]);
  const age = await createAgeEncryption([ada.recipient, bob.recipient]);
  const bytes = await buffer(age.encrypt(inChunks(PLAIN)));
  // The header has a line for each recipient, and none for the process.
  const [header = ""] = bytes.toString("latin1").split("\n---");
  assert.equal(header.split("\n-> X25519 ").length, 3);
  assert.ok(!bytes.includes("the text of a backup"));
  for (const { identity } of [ada, bob]) {
    const decrypter = new Decrypter();
    decrypter.addIdentity(identity);
    assert.deepEqual(Buffer.from(await decrypter.decrypt(bytes)), PLAIN);
    assert.deepEqual(await decrypt(bytes, [eve.identity, identity]), PLAIN);
  }
  assert.deepEqual(await decrypt(bytes, [age.fileIdentity]), PLAIN);
  await assert.rejects(decrypt(bytes, [eve.identity]), BackupEncryptedError);
  const other = await createAgeEncryption([ada.recipient]);
  const otherBytes = await buffer(other.encrypt(inChunks(PLAIN)));
  await assert.rejects(decrypt(otherBytes, [age.fileIdentity]), BackupRefusedError);
});

test("what was cut off or changed is refused", async () => {
  const { identity, recipient } = await createAgeKeys();
  const age = await createAgeEncryption([recipient]);
  const bytes = await buffer(age.encrypt(inChunks(PLAIN)));
  const end = bytes.indexOf("\n---");
  for (const length of [end, end + 60, 80_000, bytes.length - 1]) {
    await assert.rejects(decrypt(bytes.subarray(0, length), [identity]), BackupRefusedError);
  }
  for (const at of [end + 10, 80_000, bytes.length - 1]) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    await assert.rejects(decrypt(changed, [identity]), BackupRefusedError);
  }
});

test("a file is encrypted in chunks, of which few are in memory", async () => {
  const { identity, recipient } = await createAgeKeys();
  const age = await createAgeEncryption([recipient]);
  const total = 200;
  let [read, written, mostHeld] = [0, 0, 0];
  async function* source() {
    for (; read < total; read++) yield CHUNK;
  }
  async function* count(chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      written += chunk.length;
      mostHeld = Math.max(mostHeld, read * CHUNK.length - written);
      yield chunk;
    }
  }
  const encrypted = age.encrypt(source());
  let plain = 0;
  for await (const chunk of count(decryptAge(encrypted, [identity]))) plain += chunk.length;
  assert.equal(plain, total * CHUNK.length);
  assert.ok(mostHeld < 40 * CHUNK.length, `${mostHeld} bytes were held`);
});

async function place(t: TestContext, bytes: Uint8Array | string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "trellis-age-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, "file"), bytes);
  return join(folder, "file");
}

test("a file of age is told from others, and one without an end of its header is refused", async (t) => {
  assert.equal(await isAgeFile(await place(t, "age-encryption.org/v2\n")), false);
  assert.equal(await isAgeFile(await place(t, "")), false);
  assert.equal(await isAgeFile("/nowhere/at/all"), false);
  const endless = `age-encryption.org/v1\n${"-> X25519 a\nb\n".repeat(20_000)}--- c\n`;
  await assert.rejects(isAgeFile(await place(t, endless)), /its age header has no end/);
});

test("a secret identity is no recipient, and is not repeated", async () => {
  const findError = await loadRecipientCheck();
  const { identity, recipient } = await createAgeKeys();
  assert.equal(findError(recipient), null);
  for (const wrong of [identity, identity.toLowerCase()]) {
    const error = findError(wrong) ?? "";
    assert.match(error, /^is a secret identity, which must not be on a server/);
    assert.ok(!error.toLowerCase().includes(wrong.toLowerCase()));
  }
  const mistyped = recipient.replace(/.$/, (last) => (last === "q" ? "p" : "q"));
  for (const wrong of [mistyped, "age1", "ssh-ed25519 AAAA", ""]) {
    assert.match(findError(wrong) ?? "", /^must be a public key of age/);
  }
});

const AGE = spawnSync("age", ["--version"]);
const NO_AGE = {
  skip: AGE.error !== undefined && "age is not installed; its library stands in, above",
};

test("the age tool opens what we write, and we open what it writes", NO_AGE, async (t) => {
  const file = await place(t, "");
  const run = (program: string, words: readonly string[], input: Uint8Array = Buffer.of()) => {
    const { status, stdout, stderr } = spawnSync(program, words, { input });
    assert.equal(status, 0, stderr.toString());
    return stdout;
  };
  const keyFile = `${file}.key`;
  run("age-keygen", ["-o", keyFile]);
  const recipient = run("age-keygen", ["-y", keyFile]).toString().trim();
  const age = await createAgeEncryption([recipient]);
  const bytes = await buffer(age.encrypt(inChunks(PLAIN)));
  assert.deepEqual(run("age", ["-d", "-i", keyFile], bytes), PLAIN);
  const pair = await createAgeKeys();
  const theirs = run("age", ["-r", recipient, "-r", pair.recipient], PLAIN);
  assert.deepEqual(await decrypt(theirs, [pair.identity]), PLAIN);
});
