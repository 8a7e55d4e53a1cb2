import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { createSqliteStorage } from "../../../src/client/node/index.ts";

test("the files of a storage, which have tokens, can be read by their user alone", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "trellis-storage-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "habits.db");
  const storage = createSqliteStorage(path);
  t.after(() => storage.close());
  await storage.transaction("write", async (transaction) => transaction.put("key", "value"));
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    assert.equal((await stat(file)).mode & 0o077, 0, file);
  }
});

test("a storage in memory makes no file, and no other client can open it", async (t) => {
  const [storage, other] = [createSqliteStorage(":memory:"), createSqliteStorage(":memory:")];
  t.after(() => Promise.all([storage.close(), other.close()]));
  await storage.transaction("write", async (transaction) => transaction.put("key", "value"));
  assert.equal(await other.transaction("read", (tx) => tx.get("key")), undefined);
  assert.equal(existsSync(":memory:"), false);
  assert.equal(storage.name, undefined);
});
