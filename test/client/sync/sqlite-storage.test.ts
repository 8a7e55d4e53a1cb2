import assert from "node:assert/strict";
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
