import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { createFolderStorage } from "./folder-storage.ts";
import { openObjectStorage } from "./open-storage.ts";

const CONTENT = "the linux app";
const PUT = { isReplacing: false };

async function prepare(t: TestContext) {
  const home = await mkdtemp(join(tmpdir(), "trellis-folder-"));
  t.after(() => rm(home, { recursive: true, force: true }));
  const path = join(home, "built");
  await writeFile(path, CONTENT);
  const root = join(home, "public");
  const object = {
    key: "1.0.0/app.deb",
    path,
    size: CONTENT.length,
    sha256: createHash("sha256").update(CONTENT).digest("hex"),
    contentType: "",
    cacheControl: "",
  };
  return { root, object, storage: createFolderStorage(root), target: join(root, object.key) };
}

test("a file is stored under its key, and is then equal", async (t) => {
  const { storage, object, target } = await prepare(t);
  assert.equal(storage.addressOf(object.key), target);
  assert.deepEqual(await storage.compare(object), { kind: "absent" });
  assert.deepEqual(await storage.put(object, PUT), { kind: "stored" });
  assert.equal(await readFile(target, "utf8"), CONTENT);
  assert.deepEqual(await storage.compare(object), { kind: "equal" });
});

test("a file that is there is kept, unless it is to be replaced", async (t) => {
  const { storage, object, target } = await prepare(t);
  await mkdir(join(target, ".."), { recursive: true });
  await writeFile(target, "the other app");
  assert.deepEqual(await storage.compare(object), { kind: "different" });
  assert.deepEqual(await storage.put(object, PUT), { kind: "exists" });
  assert.equal(await readFile(target, "utf8"), "the other app");
  assert.deepEqual(await storage.put(object, { isReplacing: true }), { kind: "stored" });
  assert.equal(await readFile(target, "utf8"), CONTENT);
});

test("a file that is no longer the one of the catalogue leaves nothing behind", async (t) => {
  const { storage, object, root, target } = await prepare(t);
  for (const content of ["the other app", "short", "longer than the linux app"]) {
    await writeFile(object.path, content);
    const result = await storage.put(object, PUT);
    assert.ok(result.kind === "failed");
    assert.match(result.message, /changed while it was read/);
  }
  assert.deepEqual(await readdir(join(target, "..")), []);
  assert.deepEqual(await readdir(root), ["1.0.0"]);
});

test("a folder that cannot be written is told with what to do", async (t) => {
  const { storage, object, root } = await prepare(t);
  await writeFile(root, "a file in its place");
  const result = await storage.put(object, PUT);
  assert.ok(result.kind === "failed");
  assert.match(result.message, /mkdir ".*public.*" failed \((?:ENOTDIR|EEXIST)\)/);
  await chmod(root, 0o600);
});

test("a key that leads out of the folder is a bug, and writes nothing", async (t) => {
  const { storage } = await prepare(t);
  assert.throws(() => storage.addressOf("../built"), /leads out of/);
  assert.throws(() => storage.addressOf("a/../../built"), /leads out of/);
});

test("a folder is named by file: and its path, relative or not, or as a URL", () => {
  const open = (address: string) => openObjectStorage(address, { env: {}, isVirtualHost: false });
  for (const [address, expected] of [
    ["file:/srv/files", "/srv/files/a"],
    ["file:///srv/my%20files", "/srv/my files/a"],
    ["file:public", join(process.cwd(), "public/a")],
  ] as const) {
    const result = open(address);
    assert.ok(result.kind === "opened");
    assert.equal(result.storage.addressOf("a"), expected);
  }
  for (const address of ["file:", "file://host/srv", "/srv/files", "gs://bucket"]) {
    assert.equal(open(address).kind, "invalid", address);
  }
});
