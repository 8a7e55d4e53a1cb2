import assert from "node:assert/strict";
import { execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { randomBytes } from "../rules/web-crypto.ts";
import {
  createInstanceKey,
  openInstanceKey,
  openKeyRing,
  readKeyRing,
  replaceKeyRing,
} from "./instance-key.ts";
import { rotateKeyRing } from "./key-ring.ts";

function createFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "trellis-key-"));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

test("the key is made on first use, for its owner alone, and is the same from then on", (t) => {
  const folder = createFolder(t);
  const path = join(folder, "data", "instance.key");
  const made = openInstanceKey(path);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.equal(readFileSync(path).length, 32);
  assert.deepEqual(readdirSync(join(folder, "data")).sort(), [".gitignore", "instance.key"]);
  const { ino } = statSync(path);
  const found = openInstanceKey(path);
  assert.equal(statSync(path).ino, ino);
  assert.deepEqual(found.derive("test"), made.derive("test"));
  assert.deepEqual(made.derive("test"), createInstanceKey(readFileSync(path)).derive("test"));
});

test("git ignores a key that is made, whatever its name, and a file of one's own stays", (t) => {
  const folder = createFolder(t);
  const git = (...words: string[]) => execFileSync("git", words, { cwd: folder, encoding: "utf8" });
  git("init", "--quiet");
  const names = ["instance.key", "[a]*!#? \\key", "!key"];
  for (const [index, name] of names.entries()) openInstanceKey(join(folder, `${index}`, name));
  writeFileSync(join(folder, "0", "sync.db-wal"), "");
  writeFileSync(join(folder, "0", "trellis.config.json"), "{}");
  mkdirSync(join(folder, "0", "src"));
  writeFileSync(join(folder, "0", "src", "user.db.ts"), "");
  const untracked = git("ls-files", "-z", "--others", "--exclude-standard").split("\0").sort();
  const ignores = names.map((_, index) => `${index}/.gitignore`);
  assert.deepEqual(untracked, ["", ...ignores, "0/src/user.db.ts", "0/trellis.config.json"].sort());
  writeFileSync(join(folder, ".gitignore"), "own\n");
  openInstanceKey(join(folder, "instance.key"));
  assert.equal(readFileSync(join(folder, ".gitignore"), "utf8"), "own\n");
});

test("keys for two purposes, and of two instances, have nothing in common", () => {
  const one = createInstanceKey(randomBytes(32));
  const two = createInstanceKey(randomBytes(32));
  const keys = [one.derive("a"), one.derive("b"), two.derive("a")];
  assert.equal(new Set(keys.map((key) => Buffer.from(key).toString("hex"))).size, 3);
  assert.deepEqual(one.derive("a"), one.derive("a"));
  assert.equal(one.derive("a").length, 32);
});

test("a key that others may read is refused with the remedy", (t) => {
  const path = join(createFolder(t), "instance.key");
  writeFileSync(path, randomBytes(32));
  for (const mode of [0o640, 0o604, 0o660]) {
    chmodSync(path, mode);
    assert.throws(() => openInstanceKey(path), /read by others.*chmod 600/);
  }
  chmodSync(path, 0o400);
  openInstanceKey(path);
});

test("a file of another length is refused and left as it is", (t) => {
  const path = join(createFolder(t), "instance.key");
  for (const length of [0, 31, 33, 64]) {
    const bytes = randomBytes(length);
    writeFileSync(path, bytes, { mode: 0o600 });
    assert.throws(
      () => openInstanceKey(path),
      new RegExp(`is damaged: it has ${length} bytes and is not a key file`),
    );
    assert.deepEqual(Uint8Array.from(readFileSync(path)), bytes);
  }
});

test("a folder in place of the key is refused", (t) => {
  assert.throws(() => openInstanceKey(createFolder(t)), /is not a file/);
});

test("bytes of another length make no instance key", () => {
  assert.throws(() => createInstanceKey(new Uint8Array(16)), /has 32 bytes, not 16/);
});

test("processes that start together agree on one key", async (t) => {
  const folder = createFolder(t);
  const path = join(folder, "instance.key");
  const script = join(folder, "open.mjs");
  writeFileSync(
    script,
    `import { openInstanceKey } from ${JSON.stringify(new URL("instance-key.ts", import.meta.url).href)};
     process.send("ready");
     process.once("message", (path) => {
       const key = openInstanceKey(path);
       process.send(Buffer.from(key.derive("test")).toString("hex"), () => process.disconnect());
     });`,
  );
  const processes = Array.from({ length: 4 }, () => fork(script));
  await Promise.all(processes.map((child) => once(child, "message")));
  const keys = processes.map((child) => once(child, "message"));
  const ends = processes.map((child) => once(child, "exit"));
  for (const child of processes) child.send(path);
  const found = (await Promise.all(keys)).map(([key]) => key as string);
  await Promise.all(ends);
  assert.equal(new Set(found).size, 1);
  assert.deepEqual(readdirSync(folder).sort(), [".gitignore", "instance.key", "open.mjs"]);
});

test("a replaced key file is private, a link to it stays one, and no draft is left", (t) => {
  const folder = createFolder(t);
  const [path, link] = [join(folder, "real.key"), join(folder, "instance.key")];
  const before = openKeyRing(path);
  symlinkSync(path, link);
  // A command that was killed left the one; the other is of another program.
  writeFileSync(`${path}.AAAAbbbb-_12.tmp`, randomBytes(32));
  writeFileSync(`${path}.backup.tmp`, randomBytes(32));
  const rotated = rotateKeyRing(before, 2000, 2000);
  replaceKeyRing(link, rotated);
  assert.ok(lstatSync(link).isSymbolicLink());
  assert.deepEqual(readKeyRing(path), rotated);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  const kept = [".gitignore", "instance.key", "real.key", "real.key.backup.tmp"];
  assert.deepEqual(readdirSync(folder).sort(), kept);
  chmodSync(path, 0o644);
  assert.throws(() => readKeyRing(link), /chmod 600/);
});

test("a key file never grows so long that it could not be read", (t) => {
  const folder = createFolder(t);
  const path = join(folder, "instance.key");
  let ring = openKeyRing(path);
  for (let turn = 0; turn < 500; turn++) ring = rotateKeyRing(ring, turn, turn);
  assert.throws(() => replaceKeyRing(path, ring), /has 500 retired keys, which is too many; drop/);
  assert.equal(readKeyRing(path)?.retired.length, 0);
  assert.deepEqual(readdirSync(folder).sort(), [".gitignore", "instance.key"]);
});

test("a key that cannot be read is refused with the reason", (t) => {
  const path = join(createFolder(t), "instance.key");
  writeFileSync(path, randomBytes(32), { mode: 0o600 });
  assert.throws(() => openInstanceKey(join(path, "below")), /Cannot read the .*: ENOTDIR/);
});
