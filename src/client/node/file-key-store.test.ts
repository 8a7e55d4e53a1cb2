import assert from "node:assert/strict";
import { chmod, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { createFileKeyStore } from "./file-key-store.ts";

async function createFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "trellis-keys-"));
  t.after(() => rm(folder, { recursive: true }));
  return join(folder, "new");
}

test("keys are in a file of their own that only its owner can read", async (t) => {
  const folder = await createFolder(t);
  const store = createFileKeyStore(folder);
  assert.equal(await store.read("phone"), null);
  await store.write("phone", "first");
  await store.write("phone", "second");
  await store.write("../phone", "other");
  assert.equal(await createFileKeyStore(folder).read("phone"), "second");
  assert.equal(await store.read("../phone"), "other");
  const files = await readdir(folder);
  assert.deepEqual(files.sort(), ["..%2Fphone.key", "phone.key"]);
  assert.equal((await stat(join(folder, "phone.key"))).mode & 0o777, 0o600);
  await store.delete("phone");
  await store.delete("phone");
  assert.equal(await store.read("phone"), null);
});

test("a file of keys that others can read is refused", async (t) => {
  const folder = await createFolder(t);
  const store = createFileKeyStore(folder);
  await store.write("phone", "secret");
  await chmod(join(folder, "phone.key"), 0o640);
  await assert.rejects(store.read("phone"), (error: Error) => {
    assert.match(error.message, /others can read it/);
    assert.ok(!error.message.includes("secret"));
    return true;
  });
});

test("a missing folder is named", () => {
  for (const folder of [undefined, "", 7]) {
    assert.throws(() => createFileKeyStore(folder as never), {
      name: "TypeError",
      message: "Cannot create the key store: the folder is missing",
    });
  }
});
